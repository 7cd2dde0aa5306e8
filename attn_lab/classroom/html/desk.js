// The desk: what the room predicted, and the buttons that move the room on.
"use strict";

const MARKS = [
  [150, "past 150 s: numbers, cells and shapes are in"],
  [90, "past 90 s: a choice is in"],
];
const run = clock(by("timer"), (gone) => {
  const voting = ["first", "second"].includes(state?.phase);
  by("mark").textContent = (voting && MARKS.find(([from]) => gone >= from)?.[1]) || "";
  sayTime();
});
let state = null;

function fillChoose() {
  const choose = by("choose");
  const ids = state.exercises.map((one) => one.id);
  if (choose.dataset.ids !== ids.join()) {
    choose.replaceChildren(...ids.map((id) => new Option(id, id)));
    choose.dataset.ids = ids.join();
    if (state.exercise) choose.value = state.exercise;
  }
  state.exercises.forEach((one, i) => {
    // one or the other, so that the longest id still fits
    const ahead = `${one.minutes} min${one.discuss ? " · discuss" : ""}`;
    choose.options[i].text = `${one.id} · ${one.answered ? `${one.answered} answered` : ahead}`;
  });
}

// Once the stage is cleared, the list stands at what usually comes next.
function chooseAfter(before) {
  const planned = nextInPlan(state.agenda, before);
  const next = state.exercises.findIndex((one) => one.id === before) + 1;
  if (planned) by("choose").value = planned;
  else if (next < state.exercises.length) by("choose").selectedIndex = next;
}

function choose(id) {
  by("choose").value = id;
  sayChosen();
  by("moves").firstElementChild.focus();
}

function sayTime() {
  if (!state) return;
  const line = sessionLine(state.agenda, Math.max(0, serverTime() - state.agenda.began));
  if (by("session").textContent !== line) by("session").textContent = line;
}

function countLine() {
  const parts = [];
  state.sources.forEach((from, i) => {
    if (!state.answered[i]) return;
    const named = Object.entries(from).filter(([, n]) => n);
    const all = named.map(([name, n]) => `${n} ${name === "hands" ? "hands" : `by ${name === "sent" ? "notebook" : "code"}`}`);
    parts.push(`Round ${i + 1}: ${state.answered[i]} (${all.join(", ")})`);
  });
  if (state.late) parts.push(`${state.late} came after the vote was closed and do not count`);
  if (state.practised) parts.push(`${state.practised} had seen the result before and do not count`);
  if (state.join) parts.push(`${state.joined} here`);
  return parts.join(" · ");
}

function explain(item, bar) {
  const meaning = [bar.meaning, bar.idea].filter(Boolean).join(" · ");
  if (meaning) item.append(make("p", meaning, "meaning"));
  item.append(markButton(bar.key, bar.label, "is the computed answer"), hideButton(bar));
}

// What an answer says is left out on the stage; its count stays.
function hideButton(bar) {
  const hidden = state.hidden.includes(bar.key);
  const button = make("button", hidden ? "✓ hidden on the stage" : "hide on the stage", "hide");
  button.type = "button";
  button.setAttribute("aria-pressed", String(hidden));
  button.setAttribute("aria-label", `${bar.label}: ${button.textContent}`);
  button.addEventListener("click", () =>
    send("control", { do: "hide", exercise: state.exercise, key: bar.key, hidden: !hidden }),
  );
  return button;
}

function markButton(key, label, says) {
  const marked = key === state.computed;
  const button = make("button", marked ? `✓ ${says}` : `${says}?`, "mark");
  button.type = "button";
  button.dataset.key = key;
  button.setAttribute("aria-pressed", String(marked));
  button.setAttribute("aria-label", label ? `${label}: ${button.textContent}` : button.textContent);
  button.addEventListener("click", () =>
    send("control", { do: "mark", exercise: state.exercise, key: marked ? null : key }),
  );
  return button;
}

function drawSpread() {
  const place = by("spread");
  // kept while the bars are drawn anew; a count of hands has a key too, and keeps its own focus
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(drawBars(state.spread, explain));
  // few may be right, and their answer has no bar
  if (state.not_shown && (state.answered[0] || state.answered[1])) {
    place.append(markButton(state.not_shown, "", "none of these is the computed answer"));
  }
  for (const round of [0, 1]) {
    const line = sureLine(state.spread, round);
    if (line) place.append(line);
  }
  if (focused !== undefined) {
    [...place.querySelectorAll(".mark")].find((one) => one.dataset.key === focused)?.focus();
  }
}

function drawHands() {
  const form = by("hands").querySelector("form");
  if (form.dataset.exercise === state.exercise) return;
  form.dataset.exercise = state.exercise;
  form.replaceChildren();
  for (const round of [1, 2]) {
    const set = make("fieldset");
    set.append(make("legend", `Round ${round}`));
    for (const group of [...state.groups, { key: "other", label: "other" }]) {
      const label = make("label");
      const said = make("span", group.label);
      if (group.meaning) said.append(" ", make("span", group.meaning, "meaning"));
      label.append(said);
      const input = make("input");
      Object.assign(input, { type: "number", min: 0, max: 999, inputMode: "numeric" });
      input.value = state.hands[round]?.[group.key] ?? "";
      input.dataset.key = group.key;
      label.append(input);
      set.append(label);
    }
    set.addEventListener("change", () => {
      const counts = {};
      for (const input of set.querySelectorAll("input")) {
        if (input.value !== "") counts[input.dataset.key] = Math.round(Number(input.value));
      }
      send("control", { do: "hands", exercise: form.dataset.exercise, round, counts });
    });
    form.append(set);
  }
}

function show(told) {
  const before = state?.exercise;
  state = told;
  run(state);
  document.title = `${state.exercise || "Desk"} · desk`;
  by("invented").hidden = !state.invented;
  by("trouble").hidden = !state.trouble;
  by("trouble").textContent = state.trouble;
  fillChoose();
  if (state.exercise && state.exercise !== before) by("choose").value = state.exercise;
  if (before && !state.exercise) chooseAfter(before);
  drawQueue(state.agenda);
  sayChosen();
  sayTime();
  for (const button of by("moves").children) {
    button.setAttribute("aria-pressed", String(button.dataset.to === state.phase));
  }
  by("close").disabled = state.closed || !["first", "second"].includes(state.phase);
  by("close").textContent = by("close").disabled && state.exercise ? "The vote is closed" : "Close the vote";
  by("tell").disabled = state.phase !== "shown" || !state.computed;
  by("tell").setAttribute("aria-pressed", String(state.told));
  by("join").textContent = state.join || "No learner can reach this class over a network.";
  by("joined").textContent = `${some(state.joined, "learner is", "learners are")} here. Compare with the heads.`;
  by("now").hidden = !state.exercise;
  if (!state.exercise) return;
  by("exercise").textContent = state.exercise;
  by("count").textContent = countLine();
  by("advice").textContent = `${state.share_said} ${state.advice}`;
  by("rule").textContent = state.rule;
  by("prompt").textContent = visible(state.prompt);
  drawSpread();
  drawHands();
}

// The list may stand at another exercise than the one that the room is at: then it says so.
function sayChosen() {
  const chosen = by("choose").value;
  if (state) drawSheet(state.exercise || chosen, state.notes);
  const apart = state?.exercise && chosen !== state.exercise;
  by("apart").textContent = apart ? `${chosen} is chosen: press 1 to ask it. 2 to 5 still act on ${state.exercise}.` : "";
}

function move(to) {
  const exercise = to === "first" ? by("choose").value : state?.exercise || by("choose").value;
  send("control", { do: "move", to, exercise });
}

for (const button of by("moves").children) {
  button.addEventListener("click", () => move(button.dataset.to));
}
// A list that keeps the focus takes a 1 for the start of "10/…". Who chose with the mouse goes on
// to the buttons; who chose with the arrow keys stays.
let byKeys = false;
by("choose").addEventListener("keydown", (event) => (byKeys = event.key !== "Tab"));
by("choose").addEventListener("pointerdown", () => (byKeys = false));
by("choose").addEventListener("change", sayChosen);
by("choose").addEventListener("change", () => byKeys || by("moves").firstElementChild.focus());
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  const button = event.key === "6" ? by("tell") : by("moves").children["12345".indexOf(event.key)];
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "h") by("sheet").open = !by("sheet").open;
  button?.click();
});
by("read").addEventListener("click", async () => {
  const text = by("chat").value;
  if (text.length > 1_000_000) {
    by("said").textContent = "Not done: this chat is over 1 MB. Paste the last part of it.";
    return;
  }
  const read = await send("control", { do: "paste", text });
  if (!read) return;
  const over = read.left_out ? ` ${read.left_out} left out: this class is full of codes.` : "";
  by("said").textContent = `${some(read.read, "code", "codes")} read, ${read.new} new, ${read.unreadable} not readable.${over}`;
});
by("tell").addEventListener("click", () => send("control", { do: "tell", computed: !state.told }));
by("close").addEventListener("click", () => send("control", { do: "close" }));
by("link").addEventListener("click", async () => {
  const made = await send("link", {});
  if (made) by("another").textContent = new URL(made.link, location.href).href;
});
by("link").hidden = Boolean(document.body.dataset.query); // a Hub knows who you are
theme();
follow("desk", show);
readGuides(() => state && show(state));
