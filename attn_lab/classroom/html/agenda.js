// The plan: what is done now, what is next, and what to leave out when it is late.
"use strict";

const ON_TIME = 2; // minutes late that nobody needs to make up for
let plans = [];

const planned = (agenda) => plans.find((one) => one.plan === agenda.plan)?.items || [];
const minutes = (items) => items.reduce((sum, item) => sum + item.minutes, 0);
const inHours = (n) => `${Math.floor(n / 60)}:${String(Math.floor(n % 60)).padStart(2, "0")}`;

function fillPlans(told) {
  plans = told;
  by("plan").append(...plans.map((one) => new Option(one.name, one.plan)));
}

// The question that comes after another one in the plan, undefined where the plan says none.
function nextInPlan(agenda, id) {
  const items = planned(agenda);
  const at = items.findIndex((item) => item.question === id);
  return at < 0 ? undefined : items.slice(at + 1).find((item) => item.question)?.question;
}

function drawQueue(agenda) {
  const items = planned(agenda);
  by("plan").value = agenda.plan;
  by("begin").disabled = !agenda.plan;
  by("begin").textContent = agenda.began ? "Start the clock anew" : "Start the clock";
  const drawn = JSON.stringify([agenda, items.length]);
  if (by("queue").dataset.drawn === drawn) return;
  by("queue").dataset.drawn = drawn;
  by("queue").replaceChildren(...items.map((item, place) => queueRow(item, place, agenda.at)));
  const now = by("queue").children[agenda.at];
  if (now) by("queue").scrollTop = now.offsetTop - 2 * now.offsetHeight;
}

function queueRow(item, place, at) {
  const row = make("li");
  const button = make("button");
  button.type = "button";
  const where = place < at ? "✓" : place === at ? "▸" : "";
  const details = [item.do, `${item.minutes} min`].filter(Boolean).join(" · ");
  button.append(make("span", where, "where"), make("span", item.title, "title"), make("span", details));
  if (item.note) button.title = item.note;
  if (place === at) button.setAttribute("aria-current", "step");
  // a question is chosen, and begins once it is opened; all else begins now
  button.addEventListener("click", () =>
    item.question ? choose(item.question) : send("control", { do: "step", place }),
  );
  row.append(button);
  return row;
}

// How late the class is: by how much what is done now has overrun its place in the plan.
function sessionLine(agenda, seconds) {
  const items = planned(agenda);
  if (!items.length) return "";
  const whole = `of ${inHours(minutes(items))} h`;
  if (!agenda.began) return `0:00 ${whole}. The clock starts with the first step.`;
  const next = items[agenda.at + 1];
  const line = `${inHours(seconds / 60)} ${whole}${next ? `. Next: ${next.title}` : ""}`;
  const late = Math.floor(seconds / 60 - minutes(items.slice(0, agenda.at + 1)));
  if (late < ON_TIME) return `${line}. On time.`;
  const cut = items.slice(agenda.at + 1).filter((item) => item.cut);
  const names = cut.map((item) => `${item.title} (${item.minutes})`).join(", ");
  return `${line}. ${late} min late. To cut: ${names || "no question; talk less, no second votes"}.`;
}

by("plan").addEventListener("change", () => send("control", { do: "plan", plan: by("plan").value }));
by("begin").addEventListener("click", () => send("control", { do: "begin" }));
