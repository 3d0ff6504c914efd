/** The rows of the compare dialog that vary a parameter. */

import { getAt } from "../../experiment/experiment.js";
import { valuesAround, valuesFrom } from "../../run/study/study.js";
import { targetOf } from "../../kit/dom.js";
import { html, live, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { asksWhatHolds, keepsWork } from "./compare_plan.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @typedef {{select: string, path: string, values: string}} Typed  the chosen parameter, or a path typed instead
 * @typedef {{path: string, label: string, unit?: string, value?: unknown, [more: string]: unknown}} Option  a parameter
 * @typedef {{group: string, options: Option[]}} Group
 */

/** The choice that lets a user type a parameter's path. */
const OTHER = "other";
/** @type {Typed} */
const EMPTY = { select: "", path: "", values: "" };

/** Return a parameter's label with the unit of its values: "Message delay (s)". */
const withUnit = (/** @type {Option} */ { label, unit }) => (unit && unit.length <= 4 ? `${label} (${unit})` : label);

const pathOf = (/** @type {Typed} */ { select, path }) => (select === OTHER ? path.trim() : select);

/**
 * A row of the dialog: a parameter and its values, an optional second parameter that changes with it, and what stays
 * constant while machines change.
 */
export class AxisRow {
  /**
   * @param {string} label
   * @param {Experiment} experiment
   * @param {{value: Group[]}} groups  the offered parameters
   */
  constructor(label, experiment, groups, { first = false } = {}) {
    this.label = label;
    this.experiment = experiment;
    this.groups = groups;
    this.none = first ? gettext("no parameter (more seeds only)") : gettext("no second parameter");
    /** The user's choices and input. */
    this.typed = signal({ ...EMPTY, along: EMPTY, holds: "load" });
  }

  /** Take the input of an earlier dialog. */
  type(/** @type {(Partial<Typed> & {along: Partial<Typed>, holds: string}) | null | undefined} */ before) {
    if (before) this.typed.value = { ...EMPTY, ...before, along: { ...EMPTY, ...before.along } };
  }

  /** The effective input: parameters that are no longer offered are dropped with their values. */
  get now() {
    const { along, holds, ...own } = this.typed.value;
    const kept = (/** @type {Typed} */ one) => (this.#isOffered(one.select) ? one : EMPTY);
    return { own: kept(own), along: kept(along), holds: this.#isStretched() ? "load" : holds };
  }

  /** Return the axis of the study's plan; null for none. */
  axis() {
    const { own, along, holds } = this.now;
    const [at, list] = [pathOf(own), valuesFrom(own.values)];
    if (!at || !list.length) return null;
    const [other, theirs] = [pathOf(along), valuesFrom(along.values, { distinct: false })];
    const together = other && theirs.length ? { along: [{ path: other, values: theirs }] } : {};
    return { path: at, values: list, ...together, ...(this.#asksWhatHolds() ? { holds } : {}) };
  }

  view() {
    const { own, along } = this.now;
    return html`<div>
      ${this.#fieldsView(this.label, this.none, own, (change) => this.#set(change))}
      ${
        own.select
          ? this.#fieldsView(gettext("together with"), gettext("nothing"), along, (change) => this.#setAlong(change))
          : nothing
      }
      ${this.#asksWhatHolds() ? this.#holdsView() : nothing}
      ${
        keepsWork(this.experiment, [pathOf(own), pathOf(along)].filter(Boolean))
          ? html`<p class="dialog-note" data-keeps-work>
              ${gettext("The jobs and their arrivals stay the same: more machines mean a lower load.")}
            </p>`
          : nothing
      }
    </div>`;
  }

  get #options() {
    return this.groups.value.flatMap((each) => each.options);
  }

  #isOffered(/** @type {string} */ select) {
    return select === OTHER || this.#options.some(({ path }) => path === select);
  }

  /** Return true if a trace's arrivals are scaled to a load; they then have no rate that could stay constant. */
  #isStretched() {
    return typeof getAt(this.experiment, "workload.offered_load") === "number";
  }

  #asksWhatHolds() {
    const { own, along } = this.now;
    return asksWhatHolds(this.experiment, [pathOf(own), pathOf(along)].filter(Boolean));
  }

  /** Set fields; a new parameter gets values around its current one. */
  #set(/** @type {Partial<Typed>} */ change) {
    const option = this.#options.find(({ path }) => path === change.select);
    const values = change.select === undefined ? {} : { values: option ? valuesAround(option).join(", ") : "" };
    this.typed.value = { ...this.typed.value, ...change, ...values };
  }

  #setAlong(/** @type {Partial<Typed>} */ change) {
    const { typed } = this;
    const values = change.select === undefined ? {} : { values: "" };
    typed.value = { ...typed.value, along: { ...typed.value.along, ...change, ...values } };
  }

  /**
   * @param {string} label
   * @param {string} none
   * @param {Typed} now
   * @param {(change: Partial<Typed>) => void} set
   */
  #fieldsView(label, none, now, set) {
    return html`<div class="compare-row">
      <span class="compare-label">${label}</span>
      <select
        class="knob-select compare-select"
        data-vary="parameter"
        aria-label=${gettext("{label}: parameter", { label })}
        @change=${(/** @type {Event} */ event) => set({ select: targetOf(event).value })}
      >
        ${optionView("", none, now.select)}
        ${this.groups.value.map(
          ({ group, options }) =>
            html`<optgroup label=${group}>
              ${options.map((one) => optionView(one.path, withUnit(one), now.select))}
            </optgroup>`,
        )}
        ${optionView(OTHER, gettext("another setting…"), now.select)}
      </select>
      ${
        now.select === OTHER
          ? html`<input
              class="field compare-path"
              type="text"
              placeholder=${gettext("path in the JSON, such as queues[0].share")}
              aria-label=${gettext("{label}: path", { label })}
              spellcheck="false"
              .value=${live(now.path)}
              @input=${(/** @type {Event} */ event) => set({ path: targetOf(event).value })}
            />`
          : nothing
      }
      <input
        class="field compare-values"
        type="text"
        placeholder=${gettext("values: 1, 3, 10")}
        data-vary="values"
        aria-label=${gettext("{label}: values, separated by commas", { label })}
        spellcheck="false"
        ?disabled=${!now.select}
        .value=${live(now.values)}
        @input=${(/** @type {Event} */ event) => set({ values: targetOf(event).value })}
      />
    </div>`;
  }

  #holdsView() {
    const { label } = this;
    const { holds } = this.now;
    const take = (/** @type {Event} */ event) => {
      this.typed.value = { ...this.typed.value, holds: targetOf(event).value };
    };
    return html`<label class="compare-row">
      <span class="compare-label">${gettext("at the")}</span>
      <select
        class="knob-select compare-select"
        aria-label=${gettext("{label}: what stays the same", { label })}
        @change=${take}
      >
        ${optionView("load", gettext("same load, so more work"), holds)}
        ${optionView("work", gettext("same work, so less load"), holds, this.#isStretched())}
      </select>
    </label>`;
  }
}

/**
 * @param {string} value
 * @param {string} label
 * @param {string} chosen
 */
const optionView = (value, label, chosen, off = false) =>
  html`<option value=${value} ?disabled=${off} .selected=${live(value === chosen)}>${label}</option>`;
