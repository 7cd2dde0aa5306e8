// At most five bars and "other", each with one line for a round: told apart by name and hatching.
"use strict";

const FEW = "under 3";

function barLine(name, count, answered, extra) {
  const line = make("div", undefined, `line ${name.replace(" ", "-")}`);
  line.append(make("span", name, "round"));
  const track = make("span", undefined, "track");
  const fill = make("span", undefined, "fill");
  fill.style.width = `${answered && count ? (100 * count) / answered : 0}%`;
  fill.hidden = !count;
  track.append(fill);
  track.setAttribute("aria-hidden", "true");
  line.append(track);
  const share = answered >= 20 && count !== null ? ` · ${Math.round((100 * count) / answered)} %` : "";
  line.append(make("span", (count === null ? FEW : String(count)) + share + (extra || ""), "count"));
  return line;
}

function drawBars(spread, more) {
  const list = make("ul", undefined, "bars");
  const rounds = spread.answered[1] ? [0, 1] : [0];
  const add = (label, counts, bar) => {
    const item = make("li");
    item.append(make("span", label, "label"));
    for (const round of rounds) {
      const sure = bar && bar.certain && bar.certain[round];
      const extra = typeof sure === "number" ? ` (${sure} certain)` : "";
      item.append(barLine(`round ${round + 1}`, counts[round], spread.answered[round], extra));
    }
    if (bar && more) more(item, bar);
    list.append(item);
  };
  for (const bar of spread.bars) add(bar.label, bar.counts, bar);
  if (rounds.some((round) => spread.other[round] !== 0)) add("other", spread.other, null);
  return list;
}

function sureLine(spread, round) {
  const sure = spread.sure[round];
  if (!sure) return null;
  const parts = Object.entries(sure).map(([name, n]) => `${n} ${name}`);
  return make("p", `How sure in round ${round + 1}: ${parts.join(", ")}`, "sure");
}
