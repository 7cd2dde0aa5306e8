// What desk and stage share: the stream of states, the clock, the theme.
"use strict";

const by = (id) => document.getElementById(id);

let losing = 0; // one timer for every stream that is tried until one answers

// One whole state at each change. A stream that the server has closed for good is opened again.
function follow(page, show) {
  const stream = new EventSource(`${page}/events${document.body.dataset.query || ""}`);
  stream.onmessage = (event) => {
    clearTimeout(losing);
    losing = 0;
    const state = JSON.parse(event.data);
    by("lost").hidden = Boolean(state.phase);
    if (state.phase) show(state);
    else by("lost").textContent = `The class's database cannot be read: ${state.trouble}.`;
  };
  stream.onerror = () => {
    losing ||= setTimeout(() => {
      by("lost").textContent =
        "The class does not answer; this page shows the last it knew. " +
        "If attn-lab class has stopped, start it again. If this stays, open the link that it prints.";
      by("lost").hidden = false;
    }, 3000);
    if (stream.readyState !== EventSource.CLOSED) return;
    // on a Hub the page itself has to be asked for again: it may have to log in
    const again = document.body.dataset.query ? () => location.reload() : () => follow(page, show);
    setTimeout(again, 2000);
    if (!document.body.dataset.query) outside();
  };
}

// A closed stream does not say why: a page whose link was for another class is told what to do.
async function outside() {
  const reply = await fetch("moves").catch(() => null);
  if (reply?.status !== 401) return;
  clearTimeout(losing);
  by("lost").textContent =
    "This browser has not been let in: open the link that attn-lab class prints.";
  by("lost").hidden = false;
}

let ahead = 0; // seconds by which this computer's clock is ahead of the server's
const serverTime = () => Date.now() / 1000 - ahead;

// A timer counts up: nobody is hurried, and the instructor sees how long it has been. `each` is
// called with the seconds, 0 where nothing is asked.
function clock(element, each) {
  let since = 0;
  const tick = () => {
    const gone = Math.max(0, Math.floor(serverTime() - since));
    const two = (n) => String(n).padStart(2, "0");
    element.textContent = since ? `${Math.floor(gone / 60)}:${two(gone % 60)}` : "";
    each?.(since ? gone : 0);
  };
  setInterval(tick, 250);
  return (state) => {
    since = state.exercise ? state.since : 0;
    ahead = Date.now() / 1000 - state.now;
    tick();
  };
}

// What cannot be seen is written out, as everywhere in attn_lab: \x07.
const unseen = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const visible = (text) =>
  String(text).replace(unseen, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);

// An element with its text as it was written, in its own direction: that of its first letter.
function make(name, text, kind) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = visible(text);
  if (text !== undefined) element.dir = "auto";
  if (kind) element.className = kind;
  return element;
}

const some = (n, one, many) => `${n} ${n === 1 ? one : many}`;

function theme() {
  const root = document.documentElement;
  const use = (name) => {
    if (name) root.dataset.theme = name;
  };
  use(localStorage.getItem("attn-lab-theme"));
  by("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (dark ? "dark" : "light");
    use(now === "dark" ? "light" : "dark");
    localStorage.setItem("attn-lab-theme", root.dataset.theme);
  });
}
