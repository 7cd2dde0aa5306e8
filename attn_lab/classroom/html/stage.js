// The stage: the exercise's id, a clock, a count. Answers only once the instructor shows them.
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

// The rows of a grid stand below each other, as in the notebook.
function stackRows(labels) {
  for (const label of labels) {
    if (/^[■□]+ \/ /.test(label.textContent)) {
      label.textContent = label.textContent.replaceAll(" / ", "\n");
      label.classList.add("grid");
    }
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
  by("rounds").hidden = !state.spread;
  by("rounds").replaceChildren();
  if (state.spread) {
    by("rounds").append(drawBars(state.spread));
    stackRows(by("rounds").querySelectorAll(".label"));
    for (const round of [0, 1]) {
      const line = sureLine(state.spread, round);
      if (line) by("rounds").append(line);
    }
  }
}

theme();
follow("stage", show);
