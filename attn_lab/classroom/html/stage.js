// The stage: the question, a clock, a count. Answers only once the instructor shows them.
"use strict";

const SAID = {
  waiting: "Nothing is asked just now.",
  first: "Predict alone. Commit. Run nothing yet.",
  discuss: "Talk to someone with another answer.",
  second: "Predict again, alone. Commit. Run nothing yet.",
  shown: "Now run on, until you see the result.",
};
const run = clock(by("timer"));

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A string with an address is run in a cell; a Hub gives a sentence in its place.
function tellJoin(join) {
  const cell = /^https?:.*#/.test(join);
  by("joining").hidden = !join;
  by("how").hidden = !cell;
  setText(by("join"), cell ? `from attn_lab.predict import join\njoin("${join}")` : join);
}

// `marks` are code, as in the notebook.
function prose(text) {
  const parts = text.split("`");
  return parts.length % 2 ? parts.map((part, i) => (i % 2 ? make("code", part) : part)) : [text];
}

function ask(question, phase) {
  by("question").hidden = !question;
  if (!question) return;
  by("prompt").replaceChildren(...prose(visible(question.prompt)));
  // the bars have the options once they are shown
  const options = phase === "shown" ? [] : question.options;
  by("options").replaceChildren(...options.map((option) => make("li", option)));
  setText(by("caption"), question.caption);
}

// Cells stand as a grid, as in the notebook, and grids beside each other.
function drawGrids(list) {
  for (const label of list.querySelectorAll(".label")) {
    const said = label.textContent;
    if (!/^[■□]+( \/ [■□]+)*$/.test(said)) continue;
    const rows = said.split(" / ");
    const grid = make("span", undefined, "grid");
    grid.setAttribute("role", "img");
    grid.setAttribute("aria-label", said);
    grid.style.setProperty("--across", rows[0].length);
    for (const square of rows.join("")) grid.append(make("span", undefined, square === "■" ? "on" : "off"));
    label.replaceChildren(grid);
    list.classList.add("grids");
    list.style.setProperty("--most", rows[0].length);
  }
  list.style.setProperty("--beside", list.children.length);
}

function showRounds(state) {
  by("rounds").hidden = !state.spread;
  by("rounds").replaceChildren();
  if (!state.spread) return;
  const list = drawBars(state.spread, (item, bar) => item.classList.toggle("computed", Boolean(bar.computed)));
  for (const label of list.querySelectorAll(".computed .label")) label.after(make("span", "✓ computed", "says"));
  drawGrids(list);
  by("rounds").append(list);
  if (state.elsewhere) by("rounds").append(make("p", `✓ ${state.elsewhere}`, "says"));
  for (const round of [0, 1]) {
    const line = sureLine(state.spread, round);
    if (line) by("rounds").append(line);
  }
}

function show(state) {
  run(state);
  document.title = `${state.exercise || "Stage"} · class`;
  document.body.dataset.phase = state.phase;
  by("invented").hidden = !state.invented;
  setText(by("exercise"), state.exercise || "attn_lab");
  setText(by("phase"), SAID[state.phase]);
  tellJoin(state.join || "");
  by("numbers").hidden = !state.exercise;
  if (state.exercise) {
    const round = state.phase === "second" || (state.phase === "shown" && state.answered[1]) ? 1 : 0;
    const count = state.answered[round];
    const known = state.joined >= count && state.joined; // hands and codes join nothing
    setText(by("count"), known ? `${count} of ${state.joined} answered` : some(count, "answer", "answers"));
    by("timer").hidden = state.phase === "shown";
  }
  ask(state.question, state.phase);
  showRounds(state);
  fill();
}

const fill = () => fit(document.querySelector("main"), 1, 6);

addEventListener("resize", fill);
theme();
follow("stage", show);
