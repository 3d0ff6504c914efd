/** One event of the list: when, what, to what, for how long. */

import {
  changeEvent,
  choicesFor,
  eventsOf,
  kindsFor,
  KINDS,
  removeEvent,
  retarget,
  targetKind,
  targetsFor,
  TARGET_WORDS,
  typedValue,
  valueText,
} from "../../run/event_edits.js";
import { choice, entry, numeric } from "../../experiment/forms/fields.js";
import { h, icon } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { EventEditor } from "./events.js"
 */

const CROSS =
  "M3.400 2.300 8 6.900l4.600-4.600 1.100 1.100L9.100 8l4.600 4.600-1.100 1.100L8 9.100l-4.600 " +
  "4.600-1.100-1.100L6.900 8 2.300 3.400z";

/** One event as a row of fields; `sheet` is the page of events. */
export class EventRow {
  /**
   * @param {EventEditor} sheet
   * @param {number} index
   */
  constructor(sheet, index) {
    this.sheet = sheet;
    this.index = index;
    this.path = `events[${index}]`;
    this.problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    this.element = h("li", { class: "event-row", "data-event": index });
  }

  get chosen() {
    return this.sheet.studio.chosen;
  }

  /**
   * A field of this row; `show(event)` gives what it says.
   * @param {any} field
   * @param {string} label
   * @param {(event: any) => any} show
   * @param {((experiment: Experiment) => string[][]) | null} [choices]
   */
  #put(field, label, show, choices) {
    const { sheet, problem } = this;
    field.disable(sheet.readOnly);
    this.element.append(
      label
        ? h("label", { class: "event-field" }, h("span", { class: "knob-label" }, label), field.element)
        : field.element,
    );
    const mark = field.element.matches("input")
      ? field.problem
      : (/** @type {string} */ text) => field.element.classList.toggle("has-problem", Boolean(text));
    sheet.fields.add({
      path: field.path,
      /** @param {string} text */
      problem(text) {
        mark(text);
        if (text) {
          problem.textContent = text;
          problem.hidden = false;
        }
      },
    });
    sheet.setters.push((experiment) => {
      const now = eventsOf(experiment)[this.index];
      if (now) field.set(show(now), choices?.(experiment) ?? null);
    });
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  #change(key, value) {
    this.sheet.edit("", (one) => changeEvent(one, this.index, { [key]: value }, this.chosen));
  }

  /** @param {string} what */
  #label(what) {
    return gettext("Event {index}, {what}", { index: this.index + 1, what });
  }

  when() {
    const path = `${this.path}.at_s`;
    const field = entry({ label: this.#label(gettext("when, in seconds")), path, numeric: true }, (text) =>
      this.#change("at_s", numeric(text)),
    );
    this.#put(field, gettext("At s"), (now) => String(now.at_s ?? ""));
  }

  /**
   * The kind of target, and which one.
   * @param {any} event
   */
  toWhat(event) {
    const { chosen, sheet, path } = this;
    const kind = targetKind(event);
    const targets = choice({ label: this.#label(gettext("target")), path: `${path}.target` }, (value) =>
      sheet.edit("", (one) => retarget(one, this.index, value, chosen)),
    );
    this.#put(targets, "", targetKind, (one) => {
      const known = targetsFor(event.kind, one, chosen);
      return known
        .concat(known.includes(kind) ? [] : [kind])
        .map((/** @type {string} */ each) => [each, TARGET_WORDS[each] ?? each]);
    });
    if (kind === "scheduler") return;
    const names = choicesFor(kind, sheet.studio.opened);
    const numbers = names === null || typeof names[0] === "number";
    /** @param {string} value */
    const set = (value) => this.#change("target", { [kind]: numbers ? numeric(value) : value });
    const place = `${path}.target.${kind}`;
    const field = names
      ? choice({ label: this.#label("which"), path: place }, set)
      : entry({ label: this.#label(gettext("number of the target")), path: place, numeric: true }, set);
    const choices = names
      ? (/** @type {Experiment} */ one) => (choicesFor(kind, one) ?? []).map((each) => [String(each), String(each)])
      : null;
    this.#put(field, "", (now) => String(now.target?.[kind] ?? ""), choices);
  }

  /**
   * What happens, and by how much.
   * @param {any} event
   */
  what(event) {
    const { chosen, path } = this;
    const kinds = choice({ label: this.#label(gettext("kind of event")), path: `${path}.kind` }, (value) =>
      this.#change("kind", value),
    );
    this.#put(
      kinds,
      "",
      (now) => now.kind,
      (one) => KINDS.filter(([name]) => name === event.kind || kindsFor(one, chosen).some(([each]) => each === name)),
    );
    /**
     * @param {string} what
     * @param {string} key
     * @param {string} label
     */
    const amount = (what, key, label) => {
      const field = entry({ label: this.#label(what), path: `${path}.value`, numeric: true }, (text) =>
        this.#change("value", { [key]: numeric(text) }),
      );
      this.#put(field, label, (now) => String(now.value?.[key] ?? ""));
    };
    const kind = targetKind(event);
    if (event.kind === "burst") amount(gettext("times as many jobs"), "rate_factor", "times");
    if (event.kind === "set" && kind === "queue") amount(gettext("new share, 0 to 1"), "share", "share");
    if (event.kind !== "set" || kind !== "scheduler") return;
    const values = entry(
      { label: this.#label(gettext("parameters and values")), path: `${path}.value`, wide: true },
      (text) => this.#change("value", typedValue(text)),
    );
    this.#put(values, "", (now) => valueText(now.value));
  }

  howLong() {
    const label = this.#label(gettext("duration in seconds; empty: permanent"));
    const field = entry({ label, path: `${this.path}.duration_s`, numeric: true }, (text) =>
      this.#change("duration_s", text === "" ? undefined : numeric(text)),
    );
    this.#put(field, gettext("for s"), (now) => String(now.duration_s ?? ""));
  }

  /** The row, with what takes it away and a place for its problems. */
  finish() {
    const { sheet, index, problem, element } = this;
    const remove = h(
      "button",
      {
        class: "icon-button",
        type: "button",
        disabled: sheet.readOnly,
        "data-remove-event": index,
        "aria-label": gettext("Remove event {index}", { index: index + 1 }),
        title: gettext("Remove"),
        onclick: () => sheet.edit("", (one) => removeEvent(one, index)),
      },
      icon(CROSS),
    );
    element.append(remove, problem);
    sheet.fields.add({
      path: this.path,
      /** @param {string} text */
      problem(text) {
        if (text) problem.textContent = text;
        problem.hidden = !text && !element.querySelector("[aria-invalid=true], .has-problem");
      },
    });
    return element;
  }
}
