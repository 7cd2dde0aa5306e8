// The one widget of attn_lab. The kernel describes what is on it; this file draws that as native,
// labelled HTML and reports what a learner does.
//
// The model holds
//   parts   what is on the panel, from top to bottom: controls, regions of HTML, containers
//   values  what each control holds, by its name
//   html    the HTML of each region, by its name
//   notes   what is said beside a control, by its name
//   fresh   whether the cell was just run and nobody has looked yet
// A control that is moved writes `values`. A button sends {press, value, values, number}: the
// values go along, so that no press overtakes the last digits. The kernel answers {done: number}.

const SLOW = 400; // milliseconds without an answer after which a press says that it waits
const MOVES = "#"; // among the values: at which count each control was last moved
const TYPING = 300; // milliseconds after the last key, after which what was typed is sent
let counted = 0;

/** An element with attributes and children; a text child is text, never HTML. */
const make = (tag, ...rest) => dressed(document.createElement(tag), ...rest);
const svg = (tag, ...rest) => dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), ...rest);

function dressed(element, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value || value === 0) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** An element whose content is the kernel's HTML: escaped there, where it is known what is text. */
function markup(tag, attributes, html) {
  const element = make(tag, attributes);
  element.innerHTML = html;
  return element;
}

const lastMove = (values) => Math.max(0, ...Object.values(values[MOVES] || {}));

/** Keep letters from being taken for the notebook's commands: JupyterLab asks the target alone. */
function keepKeys(root) {
  for (const each of root.querySelectorAll("button, input, select, summary, a, [tabindex]")) {
    each.setAttribute("data-lm-suppress-shortcuts", "true");
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const here = crypto.getRandomValues(new Uint32Array(1))[0]; // each panel loads this file anew
const unique = (name) => `attn-${here}-${(counted += 1)}-${name.replaceAll(" ", "-")}`;

// ---- controls: each returns an element, and says how a value is written into it

/** A control, or several, after a label of its own. */
const labelled = (id, part, ...controls) => make("div", { class: part.wide ? "attn-pair attn-wide" : "attn-pair" },
  markup("label", { class: "attn-label", for: id }, part.label), ...controls);

/** One of several answers: radio buttons, below each other or in a row. */
function options(part, change) {
  const group = unique(part.name);
  const inputs = part.options.map(({ key, html }) => {
    const input = make("input", { type: "radio", name: group, value: key, disabled: part.off });
    input.addEventListener("change", () => change(key));
    return [key, input, make("label", { class: "attn-option" }, input, markup("span", {}, html))];
  });
  const labels = make("div", { class: part.row ? "attn-segments" : "attn-options" }, ...inputs.map((each) => each[2]));
  const legend = markup("legend", { class: part.quiet ? "attn-unseen" : "attn-label" }, part.label);
  return {
    element: make("fieldset", { class: "attn-choice" }, legend, labels),
    write: (value) => inputs.forEach(([key, input]) => (input.checked = key === value)),
  };
}

/** One of many: a list that opens. */
function list(part, change) {
  const id = unique(part.name);
  const select = make("select", { id, disabled: part.off }, ...part.options.map(({ key, text }) => make("option", { value: key }, text)));
  select.addEventListener("change", () => change(part.options[select.selectedIndex].key));
  return {
    element: labelled(id, part, select),
    write: (value) => (select.selectedIndex = part.options.findIndex((each) => each.key === value)),
  };
}

/** A line of text or a number; empty is not zero. It is sent while it is typed. */
function field(part, change) {
  const id = unique(part.name);
  const input = make("input", {
    id, type: "text", placeholder: part.hint, autocomplete: "off", spellcheck: part.wide ? undefined : "false",
    class: part.wide ? "attn-text" : "attn-number", "aria-describedby": `${id}-note`,
  });
  let sent = "", timer;
  const send = () => {
    clearTimeout(timer);
    if (input.value !== sent) change((sent = input.value));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (!part.late) timer = setTimeout(send, TYPING);
  });
  input.addEventListener("change", send);
  input.addEventListener("keydown", (event) => event.key === "Enter" && send());
  input.addEventListener("focus", () => input.select());
  return {
    element: labelled(id, part, input),
    noteId: `${id}-note`,
    flush: send,
    write: (value) => {
      if (document.activeElement === input && input.value !== sent) return; // still being typed
      sent = value ?? "";
      if (input.value === sent) return;
      input.value = sent;
      if (document.activeElement === input) input.select(); // or what is typed next is appended
    },
  };
}

/** A whole number with a range, which its label says. */
function counter(part, change) {
  const id = unique(part.name);
  const input = make("input", { id, type: "number", min: part.least, max: part.most, step: 1, disabled: part.off });
  input.addEventListener("change", () => change(input.value === "" ? null : Number(input.value)));
  return {
    element: labelled(id, part, input),
    write: (value) => (input.value = value ?? ""),
  };
}

/** Yes or no. */
function tick(part, change) {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => change(input.checked));
  return {
    element: make("label", { class: "attn-option attn-tick" }, input, markup("span", {}, part.label)),
    write: (value) => (input.checked = value),
  };
}

/** A slider over named steps, its present step written beside it, some of them marked below. */
function slider(part, change) {
  const id = unique(part.name);
  const last = part.steps.length - 1;
  const input = make("input", { id, type: "range", min: 0, max: last, step: 1 });
  const output = make("output", { for: id, class: "attn-step" });
  const place = (at) => `left:calc(8px + ${last ? at / last : 0} * (100% - 16px))`;
  const marks = (part.marks || []).map((at) => make("span", { style: place(at) }, part.steps[at]));
  const show = () => {
    output.textContent = part.steps[input.value];
    input.setAttribute("aria-valuetext", part.steps[input.value]);
  };
  input.addEventListener("input", () => (show(), change(Number(input.value))));
  return {
    element: labelled(id, part,
      make("div", { class: "attn-slider" }, input, make("div", { class: "attn-marks", "aria-hidden": "true" }, ...marks)), output),
    write: (value) => ((input.value = value), show()),
  };
}

/** A grid of cells to paint: one stop for Tab, arrow keys inside, colour never the only sign. */
function grid(part, change) {
  let now = [];
  const cells = part.rows.map((row, r) => part.columns.map((column, c) => {
    const cell = make("button", { type: "button", class: "attn-cell", tabindex: r || c ? -1 : 0 });
    cell.addEventListener("click", () => {
      const next = now.map((line) => [...line]);
      next[r][c] = 1 - next[r][c];
      write(next);
      change(next);
    });
    cell.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const next = step && cells[r + step[0]]?.[c + step[1]];
      if (step) (event.preventDefault(), event.stopPropagation());
      if (next) next.focus();
    });
    cell.addEventListener("focus", () => cells.flat().forEach((each) => (each.tabIndex = each === cell ? 0 : -1)));
    return cell;
  }));
  const write = (value) => {
    now = value;
    cells.forEach((line, r) => line.forEach((cell, c) => {
      const on = Boolean(value[r][c]);
      cell.textContent = on ? "✓" : "";
      cell.setAttribute("aria-pressed", on);
      cell.setAttribute("aria-label", `${part.rows[r]} ${part.cell} ${part.columns[c]}`);
    }));
  };
  const head = make("tr", {}, make("td"), ...part.columns.map((name) => make("th", { scope: "col" }, name)));
  const lines = cells.map((line, r) => make("tr", {},
    make("th", { scope: "row" }, part.rows[r]), ...line.map((cell) => make("td", {}, cell))));
  const hint = part.hint ? [make("p", {}, part.hint)] : [];
  return {
    element: make("div", { class: "attn-scroll" }, ...hint,
      make("table", { class: "attn-grid", "aria-label": part.label }, make("tbody", {}, head, ...lines))),
    write,
  };
}

const numeral = (x) => String(x).replace("-", "−");

/** A plane with points to drag, by mouse and touch, or to move by arrow keys. */
function plane(part, change) {
  const [low, high] = part.span, size = 260, step = part.step || 0.1;
  const px = (x) => ((x - low) / (high - low)) * size, py = (y) => size - px(y);
  const snap = (x) => Math.round(Math.min(high, Math.max(low, x)) / step) * step;
  let now = {};
  const move = (name, x, y) => {
    const next = { ...now, [name]: [Number(snap(x).toFixed(6)), Number(snap(y).toFixed(6))] };
    if (same(next, now)) return;
    write(next);
    change(next);
  };
  const points = part.points.map(({ name, role, moves }) => {
    const line = svg("line", { x1: px(0), y1: py(0), class: `attn-arrow attn-${role}` });
    const text = svg("text", { class: "attn-tip" }, name);
    const dot = svg("g", { class: `attn-dot attn-${role}` }, svg("circle", { r: 8 }));
    const point = { name, role, moves, line, dot, text };
    if (!moves) return point;
    dressed(dot, { tabindex: 0, role: "slider", "aria-label": name, "aria-valuemin": low, "aria-valuemax": high });
    dot.prepend(svg("circle", { r: 20, class: "attn-halo" })); // a finger is wider than the dot
    const at = (event) => {
      const box = root.getBoundingClientRect();
      move(name, low + ((event.clientX - box.left) / box.width) * (high - low),
        high - ((event.clientY - box.top) / box.height) * (high - low));
    };
    dot.addEventListener("pointerdown", (event) => (dot.setPointerCapture(event.pointerId), dot.focus(), event.preventDefault()));
    dot.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // or the page scrolls
    dot.addEventListener("pointermove", (event) => dot.hasPointerCapture(event.pointerId) && at(event));
    dot.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const far = event.shiftKey ? 5 * step : step;
      move(name, now[name][0] + by[0] * far, now[name][1] + by[1] * far);
    });
    return point;
  });
  const unit = Math.ceil((high - low) / 12); // at most a dozen lines of the grid
  const ticks = [];
  for (let x = Math.floor(low / unit + 1) * unit; x < high; x += unit) ticks.push(x);
  const axes = ticks.flatMap((x) => [
    svg("line", { x1: 0, x2: size, y1: py(x), y2: py(x), class: x ? "attn-mesh" : "attn-axis" }),
    svg("line", { y1: 0, y2: size, x1: px(x), x2: px(x), class: x ? "attn-mesh" : "attn-axis" }),
    svg("text", { x: px(x) + 3, y: size - 3, class: "attn-tick-label" }, numeral(x)),
    svg("text", { x: 3, y: py(x) - 3, class: "attn-tick-label" }, numeral(x)),
  ]);
  const each = (what) => points.map((point) => point[what]);
  const root = svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "attn-plane", role: "group", "aria-label": part.label },
    ...axes, ...each("line"), ...each("text"), ...each("dot"));
  const write = (value) => {
    now = value;
    points.forEach(({ name, role, moves, line, dot, text }) => {
      const [x, y] = value[name], atEdge = px(x) > size - 60;
      dressed(line, { x2: px(x), y2: py(y) });
      dressed(dot, { transform: `translate(${px(x)} ${py(y)})` });
      if (moves) dressed(dot, { "aria-valuenow": x, "aria-valuetext": `${numeral(x)}, ${numeral(y)}` });
      // a query's name stands below its point, and so may lie on a key
      dressed(text, { x: px(x) + (atEdge ? -13 : 13), y: py(y) + (role === "query" ? 20 : -9), "text-anchor": atEdge ? "end" : "start" });
    });
  };
  return { element: root, write };
}

const CONTROLS = { options, list, field, counter, tick, slider, grid, plane };

// ---- the panel

function render({ model, el }) {
  el.classList.add("attn-panel", ...model.get("css").split(" ").filter(Boolean));
  let controls = {}, regions = {}, notes = {};
  const waiting = new Map();

  let held = { ...model.get("values") }; // what the controls hold, however far the kernel is
  const change = (name, value) => {
    held = { ...held, [name]: value, [MOVES]: { ...held[MOVES], [name]: lastMove(held) + 1 } };
    model.set("values", held);
    model.save_changes();
  };

  const press = (button, name, value, busy) => {
    if ([...waiting.values()].some((each) => each.name === name)) return; // the second click of a double one
    Object.values(controls).forEach((control) => control.flush?.());
    const number = (counted += 1);
    const line = make("span", { class: "attn-note attn-waits", role: "status" });
    const timer = setTimeout(() => ((line.textContent = busy || "This is done as soon as the running cell is."), button.after(line)), SLOW);
    waiting.set(number, { name, line, timer });
    model.send({ press: name, value: value ?? null, values: held, number });
  };

  const drawn = {
    html: (part) => {
      const region = make("div", { class: `attn-region ${part.css || ""}`, "aria-live": part.live ? "polite" : undefined });
      (regions[part.name] ||= []).push(region);
      return region;
    },
    buttons: (part) => {
      const made = part.buttons.map(({ name, text, why, primary, busy }) => {
        const button = make("button", { type: "button", class: `attn-button attn-${name}${primary ? " attn-primary" : ""}` }, text);
        button.addEventListener("click", () => press(button, name, null, busy));
        return why ? make("span", { class: "attn-preset" }, button, make("span", { class: "attn-why" }, why)) : button;
      });
      const label = part.label ? [make("span", { class: "attn-label" }, part.label)] : [];
      return make("div", { class: "attn-buttons", role: "group", "aria-label": part.label }, ...label, ...made);
    },
    row: (part) => make("div", { class: `attn-row ${part.css || ""}` }, ...part.parts.map(draw)),
    fold: (part) => make("details", { class: "attn-fold" }, markup("summary", {}, part.label), ...part.parts.map(draw)),
  };

  const draw = (part) => {
    if (drawn[part.kind]) return drawn[part.kind](part);
    const control = CONTROLS[part.kind](part, (value) => change(part.name, value));
    control.element.dataset.name = part.name;
    controls[part.name] = control;
    notes[part.name] = make("span", { class: "attn-note", role: "alert", id: control.noteId });
    return make("div", { class: "attn-control" }, control.element, notes[part.name]);
  };

  const fill = () => {
    for (const [name, places] of Object.entries(regions)) {
      const html = model.get("html")[name] || "";
      for (const region of places) if (region.attnHtml !== html) replaceHtml(region, (region.attnHtml = html));
    }
    for (const [name, note] of Object.entries(notes)) note.textContent = model.get("notes")[name] || "";
    const values = model.get("values");
    const late = lastMove(values) < lastMove(held); // the kernel has not seen the last move
    held = late ? { ...values, ...held } : values;
    for (const [name, control] of Object.entries(controls)) control.write(held[name]);
  };

  const build = () => {
    const focus = el.contains(document.activeElement) ? document.activeElement : null;
    const name = focus?.closest("[data-name]")?.dataset.name;
    [controls, regions, notes] = [{}, {}, {}];
    const made = model.get("parts").map(draw);
    fill();
    el.replaceChildren(...made);
    keepKeys(el);
    if (!focus) return;
    const open = "button, input, select, summary";
    const next = (name && el.querySelector(`[data-name="${name}"]`)?.querySelector(open)) || el.querySelector(open);
    next?.focus({ preventScroll: true });
  };

  const answered = ({ done }) => {
    const waits = waiting.get(done);
    if (!waits) return;
    clearTimeout(waits.timer);
    waits.line.remove();
    waiting.delete(done);
  };

  const clicked = (event) => { // what the kernel's HTML offers to be pressed
    const link = event.target.closest("[data-goto]");
    if (link) goTo(el, link.dataset.goto);
    const map = event.target.closest("[data-cells]"), cell = event.target.closest("td, th");
    if (map && cell?.parentElement.cells[0].scope === "row") press(map, map.dataset.cells, placeOf(cell));
  };

  // A panel keeps the notebook's shortcuts away (see above), so two keys hand the keyboard back:
  // Escape to the cell, and Shift+Enter too, which would otherwise press the button.
  const keyed = (event) => {
    const cell = el.closest(".jp-Cell");
    const runs = event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.altKey);
    if (!cell || !(runs || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    Object.values(controls).forEach((control) => control.flush?.());
    cell.focus();
    if (runs) cell.dispatchEvent(new KeyboardEvent("keydown", event));
  };

  const lost = () => el.classList.add("attn-lost"); // the kernel that drew this is gone

  const events = {
    "change:parts": build, "change:values": fill, "change:html": fill, "change:notes": fill,
    "msg:custom": answered, comm_live_update: lost,
  };
  for (const [event, heard] of Object.entries(events)) model.on(event, heard);
  el.addEventListener("click", clicked);
  el.addEventListener("keydown", keyed, true);
  build();
  if (model.get("fresh")) {
    model.set("fresh", false);
    model.save_changes();
    comeIntoView(el);
  }
  return () => {
    for (const [event, heard] of Object.entries(events)) model.off(event, heard);
  };
}

/** Which row and column of its table a cell is, both from 0; column -1 is the row's header. */
function placeOf(cell) {
  const rows = [...cell.closest("table").rows].filter((row) => row.cells[0].scope === "row");
  return [rows.indexOf(cell.parentElement), cell.cellIndex - 1];
}

/** Replace a region's HTML; what was scrolled sideways or open in it stays so. */
function replaceHtml(region, html) {
  const blocks = () => [...region.querySelectorAll(".attn-scroll, [style*='overflow']")];
  const folds = () => [...region.querySelectorAll("details")];
  const [scrolled, open] = [blocks().map((each) => each.scrollLeft), folds().map((each) => each.open)];
  region.innerHTML = html;
  keepKeys(region);
  blocks().forEach((each, i) => (each.scrollLeft = scrolled[i] || 0));
  if (folds().length === open.length) folds().forEach((each, i) => (each.open = open[i]));
}

// ---- where it stands on the page

/** Whether the learner is still at this cell: it is the active one, or the one before it. */
function isAtHand(el) {
  const cell = el.closest(".jp-Cell"), notebook = el.closest(".jp-Notebook");
  const active = notebook?.querySelector(".jp-Cell.jp-mod-active");
  if (!cell || !active || cell === active) return true;
  const cells = [...notebook.querySelectorAll(".jp-Cell")];
  return cells.indexOf(active) - cells.indexOf(cell) === 1;
}

/** Scroll so that the element stands whole on the page, its top at least. */
function showWhole(el) {
  const outer = el.closest(".jp-WindowedPanel-outer");
  if (!outer) return el.scrollIntoView({ block: "nearest" });
  outer.style.overflowAnchor = "none"; // or the browser holds the next cell and pushes this one out
  const page = outer.getBoundingClientRect(), box = el.getBoundingClientRect(), room = 12;
  if (box.height > page.height - 2 * room || box.top < page.top + room) outer.scrollTop += box.top - page.top - room;
  else if (box.bottom > page.bottom - room) outer.scrollTop += box.bottom - page.bottom + room;
}

/** After its cell was run: stand whole on the page while it grows, until the learner moves. */
function comeIntoView(el) {
  const until = performance.now() + 1500;
  const moved = new AbortController();
  window.attnComing?.abort(); // of several in one output the last is meant
  window.attnComing = moved;
  for (const kind of ["wheel", "pointerdown", "keydown", "touchmove"]) {
    window.addEventListener(kind, () => moved.abort(), { capture: true, passive: true, signal: moved.signal });
  }
  const again = () => {
    if (moved.signal.aborted || performance.now() > until) return moved.abort();
    if (el.isConnected && el.offsetHeight && isAtHand(el)) showWhole(el);
    requestAnimationFrame(again);
  };
  requestAnimationFrame(again);
}

/** Bring another panel of the notebook into view, and the keyboard to its first control. */
function goTo(el, css) {
  const outer = el.closest(".jp-WindowedPanel-outer");
  const find = () => document.querySelector(`.attn-panel.${css}`);
  const look = (tries) => { // a windowed notebook takes cells that are far away off the page
    const found = find();
    if (found) {
      showWhole(found);
      return found.querySelector("input, button, select")?.focus({ preventScroll: true });
    }
    if (!outer || !tries || outer.scrollTop <= 0) return;
    outer.scrollTop -= outer.clientHeight;
    requestAnimationFrame(() => look(tries - 1));
  };
  look(200);
}

export default { render };
