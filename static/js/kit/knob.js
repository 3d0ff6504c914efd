/** A setting's control: label, value with unit (typed or dragged), help, and the problem with the value, if any. */

import { clampTo, sliderFor, stepped } from "./scales.js";
import { withUnit } from "./format.js";
import { choiceWords } from "./names.js";
import { typedNumber, typedText } from "./typed.js";
import { targetOf } from "./dom.js";
import { effect, element, html, ifDefined, live, nothing, signal } from "./view.js";
import { capital, gettext } from "./words.js";

/** @import { Experiment } from "../contract/api.js" */

/**
 * @template T
 * @typedef {import("../../vendor/signals/signals-core.mjs").Signal<T>} Signal
 */

/** Bounds at or above this value only catch typing errors, so the tooltip does not show them. */
const GUARD = 1e6;

/**
 * What a control shows about its parameter.
 * @typedef {object} KnobFields
 * @property {string} path  the value's path in the experiment
 * @property {string} label
 * @property {string} [name]  the parameter's name
 * @property {string} [kind]  number, integer, choice, switch or text; number if missing
 * @property {string} [unit]
 * @property {string} [help]
 * @property {string} [evidence]  the source of the default if no paper states it
 * @property {unknown} [default]  null means not set
 * @property {number | null} [min]
 * @property {number | null} [max]
 * @property {boolean} [open]  true if the value must be greater than `min`
 * @property {string} [scale]
 * @property {unknown[] | null} [choices]
 * @property {Record<string, {label: string, help?: string}>} [options]  labels of the choices
 * @property {string[]} [examples]  examples of a text
 * @property {boolean} [beyond]  true if the bounds limit only the slider and the server checks typed values
 * @property {boolean} [marksDefault]  true if the tooltip shows bounds and default
 *
 * Which values a control gives depends on its kind, so its functions take values of that kind.
 * @typedef {object} KnobActs
 * @property {KnobHow["shown"]} [shown]  returns the value in words
 * @property {KnobHow["write"]} [write]  returns the experiment with the value
 * @typedef {{shown(value: unknown): string, write(experiment: Experiment, value: unknown): Experiment}} KnobHow
 * @typedef {KnobFields & KnobActs} KnobSpec
 *
 * @typedef {object} Knob
 * @property {HTMLElement} element
 * @property {string} path
 * @property {(value: unknown) => void} set
 * @property {(text: string) => void} problem  shows a problem with the value; "" clears it
 * @property {(off: boolean) => void} disable
 */

/** The text for a parameter without a value. */
export const UNSET = gettext("not set");
/** @type {Record<string, number>} */
const WAYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

let serial = 0;

/** Create a control's element with its class and attributes; a view renders its content. */
function knobElement(/** @type {KnobSpec} */ spec, /** @type {string} */ className, /** @type {() => unknown} */ view) {
  const made = element("div", className, view);
  made.dataset.tip = tipOf(spec);
  made.dataset.path = spec.path;
  return made;
}

/**
 * Create a control. It calls `act` with each value that a person sets.
 * @template Value  what the control gives: numbers, one of the choices, true or false, or texts
 * @param {KnobSpec} spec
 * @param {(value: Value) => void} act
 * @returns {Knob}
 */
export function knob(spec, act) {
  const give = /** @type {(value: unknown) => void} */ (act);
  if (spec.kind === "choice" || spec.kind === "switch" || spec.kind === "text") return choiceKnob(spec, give);
  serial += 1;
  const id = `knob-${serial}`;
  const slider = sliderFor(spec);
  const start = spec.default === null ? null : (spec.default ?? spec.min ?? 0); // null: not set
  const value = signal(/** @type {number | null} */ (start));
  const wrong = signal("");
  const off = signal(false);
  const take = (/** @type {number} */ next) => {
    const same = next === value.peek();
    value.value = next;
    if (!same) give(next);
  };
  const typed = typedField(spec, value, take);
  const slide = (/** @type {Event} */ event) => {
    typed.say("");
    take(slider.toValue(Number(targetOf(event).value)));
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const way = wayOf(event);
    if (!way) return;
    typed.say("");
    // The browser's step may be smaller than the rounding, which would leave the value unchanged.
    take(stepped(slider, value.peek() ?? spec.min ?? 0, way));
  };
  const made = knobElement(spec, "knob", () => {
    const position = value.value === null ? 0 : slider.toPosition(value.value);
    return html`
      <label for=${id} class="knob-label">${spec.label}${evidenceView(spec)}</label>
      ${typed.view(off.value)}
      ${rangeView(spec, id, { position, words: shownOf(spec, value.value), off: off.value, slide, press })}
      ${helpView(spec, id)}${typed.saidView()}${problemView(wrong.value)}
    `;
  });
  effect(() => {
    made.classList.toggle("is-unset", value.value === null);
    made.classList.toggle("has-problem", Boolean(wrong.value));
  });
  return {
    element: made,
    path: spec.path,
    set(next) {
      if (typeof next === "number" || next === null) value.value = next;
    },
    problem(text) {
      wrong.value = text || "";
    },
    disable(disabled) {
      off.value = disabled;
    },
  };
}

/**
 * @param {KnobSpec} spec
 * @param {string} id
 * @param {{position: number, words: string, off: boolean, slide: (event: Event) => void,
 *   press: (event: KeyboardEvent) => void}} now
 */
function rangeView(spec, id, { position, words, off, slide, press }) {
  return html`<input
    type="range"
    id=${id}
    min="0"
    max="100"
    step=${spec.kind === "integer" ? 0.5 : 0.25}
    data-path=${spec.path}
    aria-describedby=${ifDefined(spec.help ? `${id}-help` : undefined)}
    aria-valuetext=${words}
    ?disabled=${off}
    .value=${live(String(position))}
    .style=${`--fill: ${position}%`}
    @input=${slide}
    @keydown=${press}
  />`;
}

/**
 * Return a value in words.
 * @param {KnobSpec} spec
 * @param {unknown} value
 */
const shownOf = (spec, value) => (value === null ? UNSET : (spec.shown?.(value) ?? withUnit(value, spec.unit)));

/** Return 1 or -1 for an arrow key and suppress the key's default; return 0 for other keys. */
function wayOf(/** @type {KeyboardEvent} */ event) {
  if (!WAYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return 0;
  event.preventDefault();
  return WAYS[event.key];
}

/**
 * Create a field to type the exact value. If the typed number is not allowed, a line reports the value used instead,
 * because people distrust a number that changes silently.
 * @param {KnobSpec} spec
 * @param {Signal<number | null>} value
 * @param {(value: number) => void} take
 */
function typedField(spec, value, take) {
  const typing = signal(/** @type {string | null} */ (null)); // the typed text while the field has the focus
  const said = signal("");
  const show = (/** @type {unknown} */ given) => shownOf(spec, given);
  const percent = show(0.5).endsWith("%");
  const say = (/** @type {string} */ text) => {
    said.value = text;
  };
  let before = "";
  const read = (/** @type {string} */ text) => {
    if (text === before) return;
    const asked = typedNumber(text, { unit: spec.unit, percent, most: spec.max ?? 1 });
    if (asked === null) {
      say(noNumber(text, spec.unit ?? "", show(value.peek())));
      return;
    }
    const wanted = spec.kind === "integer" ? Math.round(asked) : asked;
    const kept = spec.beyond ? wanted : clampTo(spec, wanted);
    take(kept);
    say(takenWords(spec, { asked, wanted, kept }, show));
  };
  const focus = (/** @type {Event} */ event) => {
    const given = value.peek();
    before = given === null ? "" : percent ? `${typedText(Number((given * 100).toPrecision(12)))} %` : typedText(given);
    typing.value = before;
    targetOf(event).select();
  };
  const input = (/** @type {Event} */ event) => {
    typing.value = targetOf(event).value;
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    // The page's shortcuts work again without the focus in the field; Tab continues from this control.
    if (event.key === "Enter") targetOf(event).blur();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    typing.value = before;
    targetOf(event).blur();
  };
  const blur = (/** @type {Event} */ event) => {
    read(targetOf(event).value.trim());
    typing.value = null;
  };
  return {
    say,
    view: (/** @type {boolean} */ off) =>
      typedView(spec.label, { text: typing.value ?? show(value.value), off, focus, input, press, blur }),
    saidView: () => html`<p class="knob-said" role="status" ?hidden=${!said.value}>${said.value}</p>`,
  };
}

/**
 * @param {string} label
 * @param {{text: string, off: boolean, focus: (event: Event) => void, input: (event: Event) => void,
 *   press: (event: KeyboardEvent) => void, blur: (event: Event) => void}} now
 */
function typedView(label, { text, off, focus, input, press, blur }) {
  return html`<input
    type="text"
    class="knob-value"
    inputmode="decimal"
    autocomplete="off"
    spellcheck="false"
    aria-label=${gettext("{label}, exact value", { label })}
    ?disabled=${off}
    .value=${live(text)}
    @focus=${focus}
    @input=${input}
    @keydown=${press}
    @blur=${blur}
  />`;
}

/**
 * Return a message if the value used differs from the typed number.
 * @param {KnobSpec} spec
 * @param {{asked: number, wanted: number, kept: number}} options
 * @param {(value: unknown) => string} show
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
 * Return the field of a choice, a switch or a text.
 * @param {KnobSpec} spec
 * @param {string} id
 * @param {unknown} value
 * @param {boolean} off
 * @param {(field: HTMLInputElement & HTMLSelectElement) => void} change
 */
function fieldView(spec, id, value, off, change) {
  const described = ifDefined(spec.help ? `${id}-help` : undefined);
  const changed = (/** @type {Event} */ event) =>
    change(/** @type {HTMLInputElement & HTMLSelectElement} */ (event.currentTarget));
  if (spec.kind === "switch")
    return html`<input
      type="checkbox"
      id=${id}
      class="knob-switch"
      aria-describedby=${described}
      ?disabled=${off}
      .checked=${live(Boolean(value))}
      @change=${changed}
    />`;
  if (spec.kind === "choice")
    return html`<select id=${id} class="knob-select" aria-describedby=${described} ?disabled=${off} @change=${changed}>
      ${(spec.choices ?? []).map((each) => html`<option value=${String(each)}>${labelOf(spec, each)}</option>`)}
    </select>`;
  const examples = spec.examples ?? [];
  const list = `${id}-examples`;
  return html`<input
      type="text"
      id=${id}
      class="knob-text"
      autocomplete="off"
      list=${ifDefined(examples.length ? list : undefined)}
      aria-describedby=${described}
      ?disabled=${off}
      .value=${live(String(value ?? ""))}
      @change=${changed}
    />${
      examples.length
        ? html`<datalist id=${list}>${examples.map((each) => html`<option value=${each}></option>`)}</datalist>`
        : nothing
    }`;
}

/**
 * @param {KnobSpec} spec
 * @param {(value: unknown) => void} act
 * @returns {Knob}
 */
function choiceKnob(spec, act) {
  serial += 1;
  const id = `knob-${serial}`;
  const value = signal(/** @type {unknown} */ (undefined));
  const wrong = signal("");
  const off = signal(false);
  const change = (/** @type {HTMLInputElement & HTMLSelectElement} */ field) => {
    const taken =
      spec.kind === "switch"
        ? field.checked
        : spec.kind === "choice"
          ? spec.choices?.[field.selectedIndex]
          : field.value;
    value.value = taken;
    act(taken);
  };
  const made = knobElement(
    spec,
    ["knob", `knob-${spec.kind}`].join(" "),
    () => html`
      <label for=${id} class="knob-label">${spec.label}</label>
      ${fieldView(spec, id, value.value, off.value, change)}${helpView(spec, id)}${problemView(wrong.value)}
    `,
  );
  const select = made.querySelector("select");
  effect(() => {
    made.classList.toggle("has-problem", Boolean(wrong.value));
    // Set the value after the options exist; a value without an option leaves the select empty.
    if (select && value.value !== undefined) select.value = String(value.value);
  });
  return {
    element: made,
    path: spec.path,
    set(next) {
      if (spec.kind === "switch" || next !== undefined) value.value = next;
    },
    problem(text) {
      wrong.value = text || "";
    },
    disable(disabled) {
      off.value = disabled;
    },
  };
}

/**
 * Return the label of a choice.
 * @param {KnobSpec} spec
 * @param {unknown} value
 */
function labelOf(spec, value) {
  return spec.options?.[String(value)]?.label ?? choiceWords(value);
}

/** Return the tooltip: the parameter's help, its bounds and its default. */
function tipOf(/** @type {KnobSpec} */ spec) {
  if (!spec.marksDefault) return helpOf(spec);
  const show = (/** @type {unknown} */ value) =>
    spec.kind === "choice" ? labelOf(spec, value) : withUnit(value, spec.unit);
  const has = (/** @type {unknown} */ value) => value !== undefined && value !== null && value !== "";
  const most = (spec.max ?? GUARD) < GUARD ? spec.max : undefined;
  // Durations and fractions change their unit with their size; other units appear once.
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
 * Return a tag beside the label if no paper states the default: calibrated, assumed or synthetic. The help has the
 * details.
 * @param {KnobSpec} spec
 */
function evidenceView(spec) {
  return spec.evidence
    ? html`<span class="tag knob-evidence" data-evidence=${evidenceWord(spec)}>${wordOf(spec)}</span>`
    : nothing;
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
 * Return the help text below a control, for devices without a pointer.
 * @param {KnobSpec} spec
 * @param {string} id
 */
function helpView(spec, id) {
  return spec.help ? html`<p class="knob-help" id="${id}-help">${helpOf(spec)}</p>` : nothing;
}

const problemView = (/** @type {string} */ text) =>
  html`<p class="knob-problem" role="alert" ?hidden=${!text}>${text}</p>`;
