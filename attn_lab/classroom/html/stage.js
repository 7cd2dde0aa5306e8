// The stage: the exercise's id, a clock, a count. Answers only once the instructor shows them.
"use strict";

const SAID = {
  waiting: "Nothing is asked just now.",
  first: "Predict alone. Commit.",
  discuss: "Talk to someone with another answer.",
  second: "Predict again, alone. Commit.",
  shown: "",
};
const run = clock(by("timer"));

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show(state) {
  run(state);
  document.title = `${state.exercise || "Stage"} · class`;
  document.body.dataset.phase = state.phase;
  by("invented").hidden = !state.invented;
  setText(by("exercise"), state.exercise || "attn_lab");
  setText(by("phase"), SAID[state.phase]);
  by("phase").hidden = !SAID[state.phase];
  by("join").hidden = Boolean(state.exercise) || !state.join;
  setText(by("join"), state.join || "");
  by("numbers").hidden = !state.exercise;
  if (state.exercise) {
    const round = state.phase === "second" || state.answered[1] ? 1 : 0;
    const count = state.answered[round];
    const known = state.joined >= count && state.joined; // hands and codes join nothing
    setText(by("count"), known ? `${count} of ${state.joined} answered` : some(count, "answer", "answers"));
    by("timer").hidden = state.phase === "shown";
  }
  by("rounds").hidden = !state.spread;
  by("rounds").replaceChildren();
  if (state.spread) {
    by("rounds").append(drawBars(state.spread));
    for (const round of [0, 1]) {
      const line = sureLine(state.spread, round);
      if (line) by("rounds").append(line);
    }
  }
}

theme();
follow("stage", show);
