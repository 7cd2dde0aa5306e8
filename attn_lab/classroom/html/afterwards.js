// The table of ideas that moved or survived, asked for when it is opened.
"use strict";

const HEAD = ["idea", "exercise", "held", "survived", "moved", "came to it"];
const few = (n) => (n === null ? FEW : String(n));

by("afterwards").addEventListener("toggle", async () => {
  if (!by("afterwards").open) return;
  const place = by("ideas");
  const reply = await fetch("moves" + (document.body.dataset.query || "")).catch(() => null);
  if (!reply || !reply.ok) {
    place.textContent = "The server does not answer.";
    return;
  }
  const { ideas } = await reply.json();
  if (!ideas.length) {
    place.textContent = "No idea was held by three people yet.";
    return;
  }
  const table = make("table");
  const head = make("tr");
  for (const name of HEAD) head.append(Object.assign(make("th", name), { scope: "col" }));
  table.append(make("thead"), make("tbody"));
  table.tHead.append(head);
  for (const idea of ideas) {
    const row = make("tr");
    row.append(Object.assign(make("th", idea.name), { scope: "row" }), make("td", idea.exercise));
    for (const n of [idea.held, idea.survived, idea.moved, idea.arrived]) row.append(make("td", few(n)));
    table.tBodies[0].append(row);
  }
  place.replaceChildren(table);
});
