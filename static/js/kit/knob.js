/** One knob: label, value with unit (typed or dragged), what it usually moves, and the problem with it, if any. */

import { clampTo, sliderFor, stepped } from "./scales.js";
import { withUnit } from "./format.js";
import { typedNumber } from "./typed.js";
import { h } from "./dom.js";
import { capital, gettext } from "./words.js";

/** Bounds from here on guard against slips: they tell a reader nothing about the parameter. */
const GUARD = 1e6;

/** What a parameter without a value is. */
export const UNSET = gettext("not set");
const WAYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

let serial = 0;

/**
 * `spec`: {path, label, unit, help, kind, min, max, default, scale, choices, shown?, beyond?}. `act(value)` on a
 * change. `beyond`: the bounds are only the slider's; more may be typed, and the server says what is too much.
 */
export function knob(spec, act) {
  if (spec.kind === "choice" || spec.kind === "switch" || spec.kind === "text") return choiceKnob(spec, act);
  serial += 1;
  const id = `knob-${serial}`;
  const slider = sliderFor(spec);
  let value = spec.default === null ? null : (spec.default ?? spec.min ?? 0); // null: not set
  const show = (given) => (given === null ? UNSET : (spec.shown?.(given) ?? withUnit(given, spec.unit)));
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
  const take = (next) => {
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
    set(next) {
      if (typeof next !== "number" && next !== null) return;
      value = next;
      draw();
    },
    problem: (text) => setProblem(element, problem, text),
    disable(off) {
      range.disabled = off;
      typed.element.disabled = off;
    },
  };
}

/** 1 or -1 for an arrow key, which then does nothing else; 0 for other keys. */
function wayOf(event) {
  if (!WAYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return 0;
  event.preventDefault();
  return WAYS[event.key];
}

function rangeOf(spec, id) {
  const step = spec.kind === "integer" ? 0.5 : 0.25;
  return h("input", { type: "range", id, min: 0, max: 100, step, "data-path": spec.path });
}

/**
 * The exact value, to be typed: {element, said, draw(), say(text)}. `now()` is the value, `take(value)` sets another.
 * What becomes of a number that cannot be had is said beside it: one that changes by itself is none that a person
 * trusts.
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
  const say = (text) => {
    said.hidden = !text;
    said.textContent = text;
  };
  let before = "";
  const read = () => {
    const text = element.value.trim();
    if (text === before) return;
    const asked = typedNumber(text, { unit: spec.unit, percent, most: spec.max ?? 1 });
    if (asked === null) {
      say(noNumber(text, spec.unit, show(now())));
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

/** What became of a typed number, where it is not the one that was typed. */
function takenWords(spec, { asked, wanted, kept }, show) {
  if (kept < wanted) return gettext("At most {max}.", { max: show(spec.max) });
  if (kept > wanted) return gettext("At least {min}.", { min: show(spec.min) });
  return wanted === asked ? "" : gettext("Whole numbers only: rounded to {value}.", { value: show(kept) });
}

function noNumber(text, unit, kept) {
  if (!text) return gettext("The field was empty; kept {value}.", { value: kept });
  return gettext("“{text}” is not a number{unit}; kept {value}.", {
    text: text.slice(0, 24),
    unit: unit && unit !== "1" ? gettext(" in {unit}", { unit }) : "",
    value: kept,
  });
}

function choiceKnob(spec, act) {
  serial += 1;
  const id = `knob-${serial}`;
  /** @type {any} */
  const input =
    spec.kind === "switch"
      ? h("input", { type: "checkbox", id, class: "knob-switch" })
      : spec.kind === "choice"
        ? h(
            "select",
            { id, class: "knob-select" },
            spec.choices.map((each) => h("option", { value: String(each) }, labelOf(spec, each))),
          )
        : h("input", {
            type: "text",
            id,
            class: "knob-text",
            autocomplete: "off",
            list: spec.examples?.length ? `${id}-examples` : null,
          });
  const examples = input.getAttribute("list")
    ? h(
        "datalist",
        { id: `${id}-examples` },
        spec.examples.map((each) => h("option", { value: each })),
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
      spec.kind === "switch" ? input.checked : spec.kind === "choice" ? spec.choices[input.selectedIndex] : input.value,
    );
  });
  return {
    element,
    path: spec.path,
    set(next) {
      if (spec.kind === "switch") input.checked = Boolean(next);
      else if (next !== undefined) input.value = String(next);
    },
    problem(text) {
      setProblem(element, problem, text);
    },
    disable(off) {
      input.disabled = off;
    },
  };
}

/** What people call a choice. */
function labelOf(spec, value) {
  return spec.options?.[String(value)]?.label ?? String(value).replaceAll("_", " ");
}

/** What it usually moves, within which bounds, and where it stands if nobody touches it. */
function tipOf(spec) {
  if (!spec.marksDefault) return helpOf(spec);
  const show = (value) => (spec.kind === "choice" ? labelOf(spec, value) : withUnit(value, spec.unit));
  const has = (value) => value !== undefined && value !== null && value !== "";
  const most = spec.max < GUARD ? spec.max : undefined;
  // Times and shares change their unit with their size; any other is said once.
  const low = () => (["s", "share"].includes(spec.unit) ? show(spec.min) : withUnit(spec.min, ""));
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
 */
function evidenceOf(spec) {
  return spec.evidence
    ? h("span", { class: "tag knob-evidence", "data-evidence": spec.evidence.split(/[ :;,]/, 1)[0] }, wordOf(spec))
    : null;
}

function wordOf(spec) {
  const word = spec.evidence.split(/[ :;,]/, 1)[0];
  return (
    { calibrated: gettext("calibrated"), assumed: gettext("assumed"), synthetic: gettext("synthetic") }[word] ?? word
  );
}

function helpOf(spec) {
  return spec.evidence ? `${spec.help} ${capital(spec.evidence)}.` : spec.help;
}

/** What it usually moves: a tip where there is a pointer, a line where there is none. */
function helpLine(spec, id) {
  return spec.help ? h("p", { class: "knob-help", id: `${id}-help` }, helpOf(spec)) : null;
}

function setProblem(element, problem, text) {
  problem.hidden = !text;
  problem.textContent = text || "";
  element.classList.toggle("has-problem", Boolean(text));
}
