/** One event of the list: time, kind, target, duration. */

import {
  changeEvent,
  choicesFor,
  isBrief,
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
import { numeric, problemView } from "../../experiment/forms/fields.js";
import { icon } from "../../kit/dom.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { EntryAbout } from "../../experiment/forms/fields.js"
 * @import { EventEditor, PlannedEvent } from "./events.js"
 */

const CROSS =
  "M3.400 2.300 8 6.900l4.600-4.600 1.100 1.100L9.100 8l4.600 4.600-1.100 1.100L8 9.100l-4.600 " +
  "4.600-1.100-1.100L6.900 8 2.300 3.400z";

/**
 * Return one event as a row of fields.
 * @param {EventEditor} sheet
 * @param {Experiment} experiment
 * @param {PlannedEvent} event
 * @param {number} index
 */
export function eventView(sheet, experiment, event, index) {
  const row = new EventRow(sheet, experiment, event, index);
  const fields = [row.when(), row.toWhat(), row.what(), isBrief(event.kind) ? nothing : row.howLong()];
  const remove = () => sheet.edit("", (one) => removeEvent(one, index));
  const wrong = [...row.paths, row.path].map((path) => sheet.form.wrong(path)).find(Boolean) ?? "";
  return html`<li class="event-row" data-event=${index}
    >${fields}<button
      class="icon-button"
      type="button"
      ?disabled=${sheet.readOnly}
      data-remove-event=${index}
      aria-label=${gettext("Remove event {index}", { index: index + 1 })}
      title=${gettext("Remove")}
      @click=${remove}
    >${icon(CROSS)}</button>${problemView(wrong)}</li>`;
}

/** The fields of one event. The row's end shows the problem with any of them. */
class EventRow {
  /** The paths of its fields. @type {string[]} */
  paths = [];

  /**
   * @param {EventEditor} sheet
   * @param {Experiment} experiment
   * @param {PlannedEvent} event
   * @param {number} index
   */
  constructor(sheet, experiment, event, index) {
    this.sheet = sheet;
    this.experiment = experiment;
    this.event = event;
    this.index = index;
    this.path = `events[${index}]`;
    this.chosen = sheet.studio.chosen.value;
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  #change(key, value) {
    this.sheet.edit("", (one) => changeEvent(one, this.index, { [key]: value }, this.chosen));
  }

  /** Return the name of a field. */
  #label(/** @type {string} */ what) {
    return gettext("Event {index}, {what}", { index: this.index + 1, what });
  }

  /**
   * Return a text field; `words` precede it.
   * @param {EntryAbout & {path: string}} about
   * @param {string} words
   * @param {(text: string) => void} act
   */
  #entry(about, words, act) {
    this.paths.push(about.path);
    const field = this.sheet.form.entry(about, act);
    return words ? html`<label class="event-field"><span class="knob-label">${words}</span>${field}</label>` : field;
  }

  /**
   * @param {{label: string, path: string, choices: string[][], value: string}} about
   * @param {(value: string) => void} act
   */
  #choice(about, act) {
    this.paths.push(about.path);
    return this.sheet.form.choice({ ...about, beside: true }, act);
  }

  when() {
    return this.#entry(
      {
        label: this.#label(gettext("when, in seconds")),
        path: `${this.path}.at_s`,
        numeric: true,
        value: this.event.at_s ?? "",
      },
      gettext("At s"),
      (text) => this.#change("at_s", numeric(text)),
    );
  }

  /** Return the kind of target, and the target. */
  toWhat() {
    const { chosen, sheet, path, event, experiment } = this;
    const kind = targetKind(event);
    const known = targetsFor(event.kind, experiment, chosen);
    const kinds = this.#choice(
      {
        label: this.#label(gettext("target")),
        path: `${path}.target`,
        choices: known.concat(known.includes(kind) ? [] : [kind]).map((each) => [each, TARGET_WORDS[each] ?? each]),
        value: kind,
      },
      (value) => sheet.edit("", (one) => retarget(one, this.index, value, chosen)),
    );
    return [kinds, kind === "scheduler" ? nothing : this.#which(kind)];
  }

  /**
   * Return the choice of a machine, cluster or queue: from a list, or by its number.
   * @param {string} kind
   */
  #which(kind) {
    const names = choicesFor(kind, this.experiment);
    const numbers = names === null || typeof names[0] === "number";
    const path = `${this.path}.target.${kind}`;
    const value = String(this.event.target?.[kind] ?? "");
    /** @param {string} next */
    const set = (next) => this.#change("target", { [kind]: numbers ? numeric(next) : next });
    return names
      ? this.#choice(
          { label: this.#label("which"), path, choices: names.map((each) => [String(each), String(each)]), value },
          set,
        )
      : this.#entry({ label: this.#label(gettext("number of the target")), path, numeric: true, value }, "", set);
  }

  /** Return the kind of event and its amount. */
  what() {
    const { chosen, path, event } = this;
    const kind = targetKind(event);
    const able = kindsFor(this.experiment, chosen);
    const kinds = this.#choice(
      {
        label: this.#label(gettext("kind of event")),
        path: `${path}.kind`,
        choices: KINDS.filter(([name]) => name === event.kind || able.some(([each]) => each === name)),
        value: event.kind,
      },
      (value) => this.#change("kind", value),
    );
    /** @param {string} what @param {string} key @param {string} words */
    const amount = (what, key, words) =>
      this.#entry(
        { label: this.#label(what), path: `${path}.value`, numeric: true, value: event.value?.[key] ?? "" },
        words,
        (text) => this.#change("value", { [key]: numeric(text) }),
      );
    const values = () =>
      this.#entry(
        {
          label: this.#label(gettext("parameters and values")),
          path: `${path}.value`,
          wide: true,
          value: valueText(event.value),
        },
        "",
        (text) => this.#change("value", typedValue(text)),
      );
    return [
      kinds,
      event.kind === "burst" ? amount(gettext("times as many jobs"), "rate_factor", "times") : nothing,
      event.kind === "set" && kind === "queue" ? amount(gettext("new share, 0 to 1"), "share", "share") : nothing,
      event.kind === "set" && kind === "scheduler" ? values() : nothing,
    ];
  }

  howLong() {
    return this.#entry(
      {
        label: this.#label(gettext("duration in seconds; empty: permanent")),
        path: `${this.path}.duration_s`,
        numeric: true,
        value: this.event.duration_s ?? "",
      },
      gettext("for s"),
      (text) => this.#change("duration_s", text === "" ? undefined : numeric(text)),
    );
  }
}
