/** One knob: label, value with unit (typed or dragged), what it usually moves, and the problem with it, if any. */

import { clampTo, sliderFor, stepped } from "../lib/scales.js";
import { withUnit } from "../lib/format.js";
import { h } from "./dom.js";

const WAYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

let serial = 0;

/** `spec`: {path, label, unit, help, kind, min, max, default, scale, choices, shown?}. `act(value)` on a change. */
export function knob(spec, act) {
  if (spec.kind === "choice" || spec.kind === "switch" || spec.kind === "text") return choiceKnob(spec, act);
  serial += 1;
  const id = `knob-${serial}`;
  const slider = sliderFor(spec);
  const show = spec.shown || ((value) => withUnit(value, spec.unit));
  const range = h("input", { type: "range", id, min: 0, max: 100, step: spec.kind === "integer" ? 0.5 : 0.25, "data-path": spec.path });
  const typed = h("input", { type: "text", class: "knob-value", inputmode: "decimal", autocomplete: "off", spellcheck: "false", "aria-label": `${spec.label}, exact value` });
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const help = helpLine(spec, id);
  if (help) range.setAttribute("aria-describedby", help.id);
  const element = h("div", { class: "knob", "data-tip": tipOf(spec), "data-path": spec.path },
    h("label", { for: id, class: "knob-label" }, spec.label), typed, range, help, problem);
  let value = spec.default ?? spec.min ?? 0;

  const draw = () => {
    range.value = String(slider.toPosition(value));
    range.style.setProperty("--fill", `${slider.toPosition(value)}%`);
    range.setAttribute("aria-valuetext", show(value));
    if (document.activeElement !== typed) typed.value = show(value);
  };
  const take = (next) => { if (next !== value) { value = next; draw(); act(value); } else draw(); };
  range.addEventListener("input", () => take(slider.toValue(Number(range.value))));
  range.addEventListener("keydown", (event) => {
    if (!WAYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    // The browser's own step may be smaller than the rounding, and the knob would stay where it is.
    event.preventDefault();
    take(stepped(slider, value, WAYS[event.key]));
  });
  typed.addEventListener("focus", () => { typed.value = String(value); typed.select(); });
  typed.addEventListener("keydown", (event) => {
    if (event.key === "Enter") typed.blur();
    if (event.key === "Escape") { typed.value = String(value); typed.blur(); }
  });
  typed.addEventListener("blur", () => {
    const read = Number(typed.value.replaceAll(",", "").trim());
    const usable = typed.value.trim() !== "" && Number.isFinite(read);
    take(usable ? clampTo(spec, spec.kind === "integer" ? Math.round(read) : read) : value);
    typed.value = show(value);
  });
  return {
    element,
    path: spec.path,
    set(next) { if (typeof next === "number") { value = next; draw(); } },
    problem(text) { setProblem(element, problem, text); },
    disable(off) { range.disabled = off; typed.disabled = off; },
  };
}

function choiceKnob(spec, act) {
  serial += 1;
  const id = `knob-${serial}`;
  const input = spec.kind === "switch" ? h("input", { type: "checkbox", id, class: "knob-switch" })
    : spec.kind === "choice" ? h("select", { id, class: "knob-select" }, spec.choices.map((each) => h("option", { value: String(each) }, String(each).replaceAll("_", " "))))
      : h("input", { type: "text", id, class: "knob-text", autocomplete: "off", list: spec.examples?.length ? `${id}-examples` : null });
  const examples = input.getAttribute("list") ? h("datalist", { id: `${id}-examples` }, spec.examples.map((each) => h("option", { value: each }))) : null;
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const help = helpLine(spec, id);
  if (help) input.setAttribute("aria-describedby", help.id);
  const element = h("div", { class: `knob knob-${spec.kind}`, "data-tip": tipOf(spec), "data-path": spec.path },
    h("label", { for: id, class: "knob-label" }, spec.label), input, examples, help, problem);
  input.addEventListener("change", () => {
    act(spec.kind === "switch" ? input.checked : spec.kind === "choice" ? spec.choices[input.selectedIndex] : input.value);
  });
  return {
    element,
    path: spec.path,
    set(next) { if (spec.kind === "switch") input.checked = Boolean(next); else if (next !== undefined) input.value = String(next); },
    problem(text) { setProblem(element, problem, text); },
    disable(off) { input.disabled = off; },
  };
}

/** What it usually moves, within which bounds, and where it stands if nobody touches it. */
function tipOf(spec) {
  if (!spec.marksDefault) return spec.help;
  const show = (value) => withUnit(value, spec.unit);
  const has = (value) => value !== undefined && value !== null;
  const bounds = has(spec.min) && has(spec.max) ? ` From ${spec.open ? "above " : ""}${show(spec.min)} to ${show(spec.max)}.` : has(spec.min) ? ` ${spec.open ? "Above" : "From"} ${show(spec.min)} on.` : has(spec.max) ? ` Up to ${show(spec.max)}.` : "";
  return `${spec.help}${bounds}${has(spec.default) ? ` Default: ${show(spec.default)}.` : ""}`;
}

/** What it usually moves: a tip where there is a pointer, a line where there is none. */
function helpLine(spec, id) { return spec.help ? h("p", { class: "knob-help", id: `${id}-help` }, spec.help) : null; }

function setProblem(element, problem, text) {
  problem.hidden = !text;
  problem.textContent = text || "";
  element.classList.toggle("has-problem", Boolean(text));
}
