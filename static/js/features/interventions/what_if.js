/** One change from the current instant on: a parameter, a share, a fault. It forks the run. */

import { problemText } from "../../experiment/problems.js";
import { clock, duration, percent, withUnit } from "../../kit/format.js";
import { typedNumber, typedText } from "../../kit/typed.js";
import { changesFor, eventTime, faultEvents, faultTrouble, timeTrouble } from "./changes.js";
import { openForm } from "../../kit/dialogs.js";
import { targetOf } from "../../kit/dom.js";
import { batch, element, html, ifDefined, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Change, ChangeEvent, Fault, Reach, Setting, Time } from "./changes.js"
 */

/**
 * @typedef {(events: (ChangeEvent & {at_s: number})[], words: string,
 *   refused: (error: Error & {problems?: Problem[]}) => void) => Promise<boolean>} Forking
 */

/** @typedef {Pick<Fault, "of" | "number">} Failing  what fails */
/** @typedef {Setting | Failing} Wanted  the value of a change */
/** @typedef {{value: string, of: string, at_s: string, duration_s: string}} Typed  the contents of a change's fields */

/**
 * Open the dialog. `fork(events, words, refused)` makes the change and returns true on success; on failure it calls
 * `refused(error)`.
 */
export function whatIf(/** @type {Studio} */ studio, /** @type {Forking} */ fork) {
  const { stage } = studio;
  const experiment = studio.opened.value;
  const chosen = studio.chosen.value;
  if (!stage.meta) return;
  /** @type {Change[]} */
  const changes = changesFor({ experiment, scheduler: chosen, meta: stage.meta });
  if (changes.length) new WhatIf(studio, changes, fork).open();
  else
    studio.messages.notice(
      gettext("{label} supports no changes during a run.", { label: chosen?.label ?? gettext("This scheduler") }),
      "",
      6000,
    );
}

class WhatIf {
  #at = signal(0);
  #trouble = signal("");
  #busy = signal(false);

  /**
   * @param {Studio} studio
   * @param {Change[]} changes
   * @param {Forking} fork
   */
  constructor({ stage }, changes, fork) {
    this.stage = stage;
    this.changes = changes;
    this.fork = fork;
    this.t_s = Math.round(stage.player.t_ns / 1e6) / 1e3;
    this.typed = signal(firstTyped(changes[0], this.t_s));
  }

  get #change() {
    return this.changes[this.#at.value];
  }

  open() {
    const { player } = this.stage;
    this.dialog = openForm({
      title: gettext("What if, from {time} on…", { time: clock(this.t_s * 1e9, player.store.endNs) }),
      content: element("div", "what-if", () => this.#view()),
      after: () => html`<button
        type="button"
        class="button button-heavy"
        data-fork-here
        ?disabled=${this.#busy.value}
        @click=${() => this.#go()}
        >${gettext("Run this what-if")}</button
      >`,
    });
  }

  #view() {
    const trouble = this.#trouble.value;
    const choices = this.changes.map(
      (each, at) =>
        html`<option value=${at} data-change=${ifDefined(each.does)} .selected=${at === this.#at.value}
          >${each.label}</option
        >`,
    );
    return html`
      <div class="what-if-two">
        <label class="trace-field"
          ><span>${gettext("Change")}</span
          ><select
            class="knob-select"
            aria-label=${gettext("What changes")}
            @change=${(/** @type {Event} */ event) => this.#choose(Number(targetOf(event).value))}
            >${choices}</select
        ></label>
        <div>${fieldsView(this.#change, this.typed)}</div>
      </div>
      <p class="dialog-note"
        >${this.#change.help}<br />${gettext(
          "Nothing before this moment changes. The original stays visible, dashed.",
        )}</p
      >
      <p class="dialog-trouble" role="alert" ?hidden=${!trouble}>${trouble}</p>`;
  }

  /** @param {number} at */
  #choose(at) {
    batch(() => {
      this.#at.value = at;
      this.#trouble.value = "";
      this.typed.value = firstTyped(this.#change, this.t_s);
    });
  }

  async #go() {
    const { t_s } = this;
    const change = this.#change;
    const wanted = wantedOf(change, this.typed.value);
    const time = timeOf(this.typed.value);
    const failing = /** @type {Failing} */ (wanted);
    const reach = change.reaches?.find((each) => each.value === failing.of);
    const isNoNumber = typeof wanted === "number" && !Number.isFinite(wanted);
    const trouble = reach ? faultTrouble({ ...failing, ...time }, reach, t_s) : timeTrouble(time, t_s);
    this.#trouble.value = isNoNumber ? gettext("Type a number.") : trouble;
    if (this.#trouble.value) return;
    this.#busy.value = true;
    const done = await this.fork(
      reach
        ? faultEvents({ ...failing, ...time }, this.stage.meta?.machines ?? 0)
        : [{ ...eventTime(time), ...change.event(wanted) }],
      `${change.label}: ${toldValue(change, wanted)}${toldTime(time)}.`,
      (error) => {
        this.#trouble.value = error.problems?.length ? problemText(error.problems[0]) : error.message;
      },
    );
    this.#busy.value = false;
    if (done) this.dialog?.close();
  }
}

/**
 * Return the initial contents of a change's fields.
 * @param {Change} change
 * @param {number} t_s
 * @returns {Typed}
 */
function firstTyped(change, t_s) {
  const reach = change.reaches?.[0];
  const start = reach ? reach.start : change.start;
  const value = change.kind === "choice" ? JSON.stringify(start) : typedText(/** @type {number} */ (start));
  return { value, of: reach?.value ?? "", at_s: typedText(t_s), duration_s: "" };
}

/**
 * Return the value that a change's fields describe; NaN means that the text is not a number.
 * @param {Change} change
 * @param {Typed} typed
 * @returns {Wanted}
 */
function wantedOf(change, typed) {
  if (change.kind === "choice") return JSON.parse(typed.value);
  const text = typed.value.replace("%", "");
  if (change.kind === "fault") {
    return { of: typed.of, number: typedNumber(text) ?? NaN };
  }
  const number = typedNumber(text, { unit: change.unit }) ?? NaN;
  return change.unit === "%" ? number / 100 : number;
}

/** Return when the change begins and how long it lasts; NaN means that the text is not a number. @returns {Time} */
function timeOf(/** @type {Typed} */ typed) {
  const lasts = typed.duration_s.trim();
  return {
    at_s: typedNumber(typed.at_s, { unit: "s" }) ?? NaN,
    duration_s: lasts ? (typedNumber(lasts, { unit: "s" }) ?? NaN) : null,
  };
}

/**
 * Return the fields for a change: its value or what fails, when, and for how long. An event of any kind has a beginning
 * and may have a duration.
 * @param {Change} change
 * @param {{value: Typed}} typed
 */
function fieldsView(change, typed) {
  const set = (/** @type {Partial<Typed>} */ part) => {
    typed.value = { ...typed.value, ...part };
  };
  return html`<div class="what-if">
    ${valueView(change, typed.value, set)}
    ${labeled(gettext("When, in seconds"), textField("at_s", typed.value, set))}
    ${labeled(
      gettext("For how long, in seconds"),
      textField("duration_s", typed.value, set, { placeholder: gettext("for good") }),
    )}
  </div>`;
}

/**
 * Return the fields for a change's value, or for what fails.
 * @param {Change} change
 * @param {Typed} typed
 * @param {(part: Partial<Typed>) => void} set
 */
function valueView(change, typed, set) {
  if (change.kind === "fault") return faultView(change.reaches ?? [], typed, set);
  if (change.kind !== "choice") return labeled(numberLabel(change), textField("value", typed, set));
  const choices = (change.choices ?? []).map(({ value, label }) => [JSON.stringify(value), label]);
  return labeled(
    change.does ? gettext("What fails") : gettext("New value"),
    selectView(choices, typed.value, (value) => set({ value })),
  );
}

/**
 * Return the fields for the machines that fail.
 * @param {Reach[]} reaches
 * @param {Typed} typed
 * @param {(part: Partial<Typed>) => void} set
 */
function faultView(reaches, typed, set) {
  const choices = reaches.map(({ value, label, unit }) => [value, unit ? `${label} (${unit})` : label]);
  const reach = (/** @type {string} */ of) =>
    set({ of, value: String(reaches.find((each) => each.value === of)?.start ?? 0) });
  return html`<div class="trace-field">
    <label><span>${gettext("What fails")}</span>${selectView(choices, typed.of, reach)}</label>
    ${textField("value", typed, set, { label: gettext("Its number, or the share in percent") })}
  </div>`;
}

/**
 * @param {string} label
 * @param {unknown} field
 */
const labeled = (label, field) => html`<label class="trace-field"><span>${label}</span>${field}</label>`;

/**
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} set
 */
const selectView = (choices, chosen, set) => html`
  <select class="knob-select" @change=${(/** @type {Event} */ event) => set(targetOf(event).value)}
    >${choices.map(
      ([value, label]) => html`<option value=${value} .selected=${value === chosen}>${label}</option>`,
    )}</select
  >`;

/**
 * Return a text field for a number.
 * @param {keyof Typed} name
 * @param {Typed} typed
 * @param {(part: Partial<Typed>) => void} set
 * @param {{label?: string, placeholder?: string}} [options]
 */
const textField = (name, typed, set, { label, placeholder } = {}) => html`
  <input
    class="field"
    type="text"
    data-typed=${name}
    inputmode="decimal"
    autocomplete="off"
    aria-label=${ifDefined(label)}
    placeholder=${ifDefined(placeholder)}
    .value=${typed[name]}
    @input=${(/** @type {Event} */ event) => set({ [name]: targetOf(event).value })}
  />`;

/** Return the label of a number's field, with its unit and its current value. */
function numberLabel(/** @type {Change} */ { now, unit }) {
  const told = unit === "%" ? percent((now ?? 0) / 100) : withUnit(now ?? 0, unit);
  const words = now === undefined ? "" : gettext("; now {now}", { now: told });
  return `${gettext("New value")}${unit ? ` (${unit})` : ""}${words}`;
}

/** Return the words for a change's duration; "" if it lasts for good. */
const toldTime = (/** @type {Time} */ { duration_s }) =>
  duration_s === null ? "" : gettext(" for {duration}", { duration: duration(duration_s * 1e9) });

/**
 * @param {Change} change
 * @param {Wanted} wanted
 */
function toldValue(change, wanted) {
  if (change.kind === "fault") {
    const { of, number } = /** @type {Failing} */ (wanted);
    const reach = change.reaches?.find((each) => each.value === of);
    return `${reach?.label ?? ""} ${withUnit(number, reach?.unit ?? "")}`;
  }
  if (change.kind === "choice")
    return (
      change.choices?.find((each) => JSON.stringify(each.value) === JSON.stringify(wanted))?.label ?? String(wanted)
    );
  const number = /** @type {number} */ (wanted);
  return change.unit === "%" ? percent(number) : withUnit(number, change.unit);
}
