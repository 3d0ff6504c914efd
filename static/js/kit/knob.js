/** One knob: label, value with unit (typed or dragged), what it usually moves, and the problem with it, if any. */

import { clampTo, sliderFor, stepped } from "./scales.js";
import { withUnit } from "./format.js";
import { typedNumber } from "./typed.js";
import { h } from "./dom.js";
import { capital, gettext } from "./words.js";

/** Bounds from here on guard against slips: they tell a reader nothing about the parameter. */
const GUARD = 1e6;

/**
 * A knob's parameter.
 * @typedef {object} KnobSpec
 * @property {string} path  where the value is in the experiment
 * @property {string} label
 * @property {string} [name]  of the parameter
 * @property {string} [kind]  number, integer, choice, switch or text; a number without one
 * @property {string} [unit]
 * @property {string} [help]
 * @property {string} [evidence]  where the default comes from if no paper gives it
 * @property {any} [default]  null: not set
 * @property {number | null} [min]
 * @property {number | null} [max]
 * @property {boolean} [open]  whether the value must be greater than `min`
 * @property {string} [scale]
 * @property {any[] | null} [choices]
 * @property {Record<string, {label: string, help?: string}>} [options]  labels of the choices
 * @property {string[]} [examples]  what a text may be
 * @property {boolean} [beyond]  whether the bounds are the slider's alone, and the server judges what a person types
 * @property {boolean} [marksDefault]  whether the tip has bounds and default
 * @property {(value: any) => string} [shown]  the value in words
 * @property {(experiment: any, value: any) => any} [write]  the experiment with the value
 *
 * @typedef {object} Knob
 * @property {HTMLElement} element
 * @property {string} path
 * @property {(value: any) => void} set
 * @property {(text: string) => void} problem  show what is wrong with the value; "" for nothing
 * @property {(off: boolean) => void} disable
 */

/** What a parameter without a value is. */
export const UNSET = gettext("not set");
/** @type {Record<string, number>} */
const WAYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

let serial = 0;

/**
 * Make a knob. `act` gets each value that a person sets.
 * @param {KnobSpec} spec
 * @param {(value: any) => void} act
 * @returns {Knob}
 */
export function knob(spec, act) {
  if (spec.kind === "choice" || spec.kind === "switch" || spec.kind === "text") return choiceKnob(spec, act);
  serial += 1;
  const id = `knob-${serial}`;
  const slider = sliderFor(spec);
  let value = spec.default === null ? null : (spec.default ?? spec.min ?? 0); // null: not set
  const show = (/** @type {number | null} */ given) =>
    given === null ? UNSET : (spec.shown?.(given) ?? withUnit(given, spec.unit));
  const range = rangeOf(spec, id);
  const typed = typedField(spec, show, { now: () => value, take: (next) => take(next) });
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const help = helpLine(spec, id);
  if (help) range.setAttribute("aria-describedby", help.id);
  const element = h(
    "div",
    { class: "knob", "data-tip": tipOf(spec), "data-path": spec.path },
    h("label", { for: id, class: "knob-label" }, spec.label, evidenceOf(spec)),
    typed.element,
    range,
    help,
    typed.said,
    problem,
  );

  const draw = () => {
    const position = value === null ? 0 : slider.toPosition(value);
    element.classList.toggle("is-unset", value === null);
    range.value = String(position);
    range.style.setProperty("--fill", `${position}%`);
    range.setAttribute("aria-valuetext", show(value));
    typed.draw();
  };
  const take = (/** @type {any} */ next) => {
    const same = next === value;
    value = next;
    typed.say("");
    draw();
    if (!same) act(value);
  };
  range.addEventListener("input", () => take(slider.toValue(Number(range.value))));
  range.addEventListener("keydown", (event) => {
    const way = wayOf(event);
    // The browser's own step may be smaller than the rounding, and the knob would stay where it is.
    if (way) take(stepped(slider, value ?? spec.min ?? 0, way));
  });
  return {
    element,
    path: spec.path,
    set(/** @type {any} */ next) {
      if (typeof next !== "number" && next !== null) return;
      value = next;
      draw();
    },
    problem: (/** @type {string} */ text) => setProblem(element, problem, text),
    disable(/** @type {boolean} */ off) {
      range.disabled = off;
      typed.element.disabled = off;
    },
  };
}

/** 1 or -1 for an arrow key, which then does nothing else; 0 for other keys. */
function wayOf(/** @type {KeyboardEvent} */ event) {
  if (!WAYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return 0;
  event.preventDefault();
  return WAYS[event.key];
}

function rangeOf(/** @type {KnobSpec} */ spec, /** @type {string} */ id) {
  const step = spec.kind === "integer" ? 0.5 : 0.25;
  return h("input", { type: "range", id, min: 0, max: 100, step, "data-path": spec.path });
}

/**
 * The exact value, to be typed: {element, said, draw(), say(text)}. `now()` is the value, `take(value)` sets another.
 * What becomes of a number that cannot be had is said beside it: one that changes by itself is none that a person
 * trusts.
 * @param {KnobSpec} spec
 * @param {(value: any) => string} show
 * @param {{now: () => number | null, take: (value: number) => void}} options
 */
function typedField(spec, show, { now, take }) {
  const element = h("input", {
    type: "text",
    class: "knob-value",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": gettext("{label}, exact value", { label: spec.label }),
  });
  const said = h("p", { class: "knob-said", role: "status", hidden: true });
  const percent = show(0.5).endsWith("%");
  const say = (/** @type {string} */ text) => {
    said.hidden = !text;
    said.textContent = text;
  };
  let before = "";
  const read = () => {
    const text = element.value.trim();
    if (text === before) return;
    const asked = typedNumber(text, { unit: spec.unit, percent, most: spec.max ?? 1 });
    if (asked === null) {
      say(noNumber(text, spec.unit ?? "", show(now())));
      return;
    }
    const wanted = spec.kind === "integer" ? Math.round(asked) : asked;
    const kept = spec.beyond ? wanted : clampTo(spec, wanted);
    take(kept);
    say(takenWords(spec, { asked, wanted, kept }, show));
  };
  const draw = () => {
    if (document.activeElement !== element) element.value = show(now());
  };
  element.addEventListener("focus", () => {
    const value = now();
    before = value === null ? "" : percent ? `${Number((value * 100).toPrecision(12))} %` : String(value);
    element.value = before;
    element.select();
  });
  element.addEventListener("keydown", (event) => {
    // The page's keys work again from here on; Tab goes on from this knob.
    if (event.key === "Enter") element.blur();
    if (event.key === "Escape") {
      event.stopPropagation();
      element.value = before;
      element.blur();
    }
  });
  element.addEventListener("blur", () => {
    read();
    element.value = show(now());
  });
  return { element, said, draw, say };
}

/**
 * What became of a typed number, where it is not the one that was typed.
 * @param {KnobSpec} spec
 * @param {{asked: number, wanted: number, kept: number}} options
 * @param {(value: any) => string} show
 */
function takenWords(spec, { asked, wanted, kept }, show) {
  if (kept < wanted) return gettext("At most {max}.", { max: show(spec.max) });
  if (kept > wanted) return gettext("At least {min}.", { min: show(spec.min) });
  return wanted === asked ? "" : gettext("Whole numbers only: rounded to {value}.", { value: show(kept) });
}

/**
 * @param {string} text
 * @param {string} unit
 * @param {string} kept
 */
function noNumber(text, unit, kept) {
  if (!text) return gettext("The field was empty; kept {value}.", { value: kept });
  return gettext("“{text}” is not a number{unit}; kept {value}.", {
    text: text.slice(0, 24),
    unit: unit && unit !== "1" ? gettext(" in {unit}", { unit }) : "",
    value: kept,
  });
}

/**
 * The field of a choice, a switch or a text.
 * @param {KnobSpec} spec
 * @param {string} id
 * @returns {any}
 */
function inputOf(spec, id) {
  if (spec.kind === "switch") return h("input", { type: "checkbox", id, class: "knob-switch" });
  if (spec.kind === "choice") {
    const options = (spec.choices ?? []).map((each) => h("option", { value: String(each) }, labelOf(spec, each)));
    return h("select", { id, class: "knob-select" }, options);
  }
  const list = spec.examples?.length ? `${id}-examples` : null;
  return h("input", { type: "text", id, class: "knob-text", autocomplete: "off", list });
}

function choiceKnob(/** @type {KnobSpec} */ spec, /** @type {(value: any) => void} */ act) {
  serial += 1;
  const id = `knob-${serial}`;
  const input = inputOf(spec, id);
  const examples = input.getAttribute("list")
    ? h(
        "datalist",
        { id: `${id}-examples` },
        (spec.examples ?? []).map((each) => h("option", { value: each })),
      )
    : null;
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const help = helpLine(spec, id);
  if (help) input.setAttribute("aria-describedby", help.id);
  const element = h(
    "div",
    { class: `knob knob-${spec.kind}`, "data-tip": tipOf(spec), "data-path": spec.path },
    h("label", { for: id, class: "knob-label" }, spec.label),
    input,
    examples,
    help,
    problem,
  );
  input.addEventListener("change", () => {
    act(
      spec.kind === "switch"
        ? input.checked
        : spec.kind === "choice"
          ? spec.choices?.[input.selectedIndex]
          : input.value,
    );
  });
  return {
    element,
    path: spec.path,
    set(/** @type {any} */ next) {
      if (spec.kind === "switch") input.checked = Boolean(next);
      else if (next !== undefined) input.value = String(next);
    },
    problem(/** @type {string} */ text) {
      setProblem(element, problem, text);
    },
    disable(/** @type {boolean} */ off) {
      input.disabled = off;
    },
  };
}

/**
 * What people call a choice.
 * @param {KnobSpec} spec
 * @param {any} value
 */
function labelOf(spec, value) {
  return spec.options?.[String(value)]?.label ?? String(value).replaceAll("_", " ");
}

/** What it usually moves, within which bounds, and where it stands if nobody touches it. */
function tipOf(/** @type {KnobSpec} */ spec) {
  if (!spec.marksDefault) return helpOf(spec);
  const show = (/** @type {any} */ value) =>
    spec.kind === "choice" ? labelOf(spec, value) : withUnit(value, spec.unit);
  const has = (/** @type {any} */ value) => value !== undefined && value !== null && value !== "";
  const most = (spec.max ?? GUARD) < GUARD ? spec.max : undefined;
  // Times and shares change their unit with their size; any other is said once.
  const low = () => (["s", "share"].includes(spec.unit ?? "") ? show(spec.min) : withUnit(spec.min, ""));
  const bounds =
    has(spec.min) && has(most)
      ? spec.open
        ? gettext(" More than {low}, at most {max}.", { low: low(), max: show(most) })
        : gettext(" From {low} to {max}.", { low: low(), max: show(most) })
      : has(spec.min)
        ? spec.open
          ? gettext(" Above {min}.", { min: show(spec.min) })
          : gettext(" At least {min}.", { min: show(spec.min) })
        : has(most)
          ? gettext(" At most {max}.", { max: show(most) })
          : "";
  return (
    `${helpOf(spec)}${bounds}` +
    (has(spec.default)
      ? gettext(" Default: {value}.", { value: show(spec.default) })
      : spec.default === null
        ? gettext(" Default: {value}.", { value: UNSET })
        : "")
  );
}

/**
 * One word beside the label where the default is no paper's: calibrated, assumed, synthetic; the rest is in the help.
 * @param {KnobSpec} spec
 */
function evidenceOf(spec) {
  return spec.evidence
    ? h("span", { class: "tag knob-evidence", "data-evidence": evidenceWord(spec) }, wordOf(spec))
    : null;
}

function wordOf(/** @type {KnobSpec} */ spec) {
  const word = evidenceWord(spec);
  /** @type {Record<string, string>} */
  const words = {
    calibrated: gettext("calibrated"),
    assumed: gettext("assumed"),
    synthetic: gettext("synthetic"),
  };
  return words[word] ?? word;
}

const evidenceWord = (/** @type {KnobSpec} */ spec) => (spec.evidence ?? "").split(/[ :;,]/, 1)[0];

function helpOf(/** @type {KnobSpec} */ spec) {
  return spec.evidence ? `${spec.help} ${capital(spec.evidence)}.` : spec.help;
}

/**
 * What it usually moves: a tip where there is a pointer, a line where there is none.
 * @param {KnobSpec} spec
 * @param {string} id
 */
function helpLine(spec, id) {
  return spec.help ? h("p", { class: "knob-help", id: `${id}-help` }, helpOf(spec)) : null;
}

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} problem
 * @param {string} text
 */
function setProblem(element, problem, text) {
  problem.hidden = !text;
  problem.textContent = text || "";
  element.classList.toggle("has-problem", Boolean(text));
}
