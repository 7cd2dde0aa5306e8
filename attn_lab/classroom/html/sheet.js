// The sheet of the question that the room is at, or of the chosen one: shut until it is wanted.
"use strict";

const REST = 800; // milliseconds without a key, after which a note is kept
let guides = {};
let unsent = null;

function drawSheet(id, notes) {
  const guide = guides[id];
  if (by("sheet").dataset.id !== id) keepNote();
  const writing = by("sheet").dataset.id === id && (unsent || document.activeElement === by("note"));
  if (!writing) by("note").value = notes[id] || "";
  by("sheet").dataset.id = id;
  by("of").textContent = id;
  const list = by("sheet").querySelector("dl");
  list.replaceChildren();
  if (!guide) return;
  const add = (name, ...said) => {
    const given = said.filter(Boolean);
    if (given.length) list.append(make("dt", name), ...given.map((one) => make("dd", one)));
  };
  add("Right answer", guide.right, guide.picture && `To be seen: ${guide.picture}`);
  add("Ask next", guide.ask_next);
  add("Hint", guide.hint);
  add("Wrong answers, and why", ...guide.expect.map(([words, why]) => `“${words}”: ${why}`));
}

function keepNote() {
  if (!unsent) return;
  clearTimeout(unsent.timer);
  send("control", { do: "note", exercise: unsent.id, text: unsent.text });
  unsent = null;
}

by("note").addEventListener("input", () => {
  clearTimeout(unsent?.timer);
  unsent = { id: by("sheet").dataset.id, text: by("note").value, timer: setTimeout(keepNote, REST) };
});
by("note").addEventListener("change", keepNote);

async function readGuides(then) {
  const reply = await fetch("guides" + (document.body.dataset.query || "")).catch(() => null);
  if (!reply?.ok) return;
  const told = await reply.json();
  guides = told.guides;
  fillPlans(told.plans);
  then();
}
