/** The form of an entry: a scheduler with the challenge's open parameters, or a stored experiment. */

import { targetOf } from "../../kit/dom.js";
import { withUnit } from "../../kit/format.js";
import { batch, html, ifDefined, nothing, repeat, show, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Challenge, Offer, Offered, Value } from "./words.js"
 */

/**
 * @typedef {{scheduler: {name: string, params: Record<string, Value>}, values: Record<string, Value>}} EntryPart
 * @typedef {{author: string, note: string, may_fork: boolean, experiment_id?: string, part?: EntryPart}} EntryBody
 * @typedef {{id: string, name: string, scheduler: string}} OwnExperiment  a stored experiment of the reader
 * @typedef {{challenge: Challenge, own: OwnExperiment[], send: (body: EntryBody) => void, cancel?: () => void,
 *   author?: string}} Given  `author` is a name that the reader cannot change
 */

const NAME = "playground.arena.name";

/**
 * Return the part of an experiment that the form's fields set; parameters at their start values are omitted.
 * @param {Offer} offer
 * @param {Record<string, Value>} params
 * @param {Record<string, Value>} values
 * @returns {EntryPart}
 * @param {Offered[]} startValues
 */
export function partOf(offer, params, values, startValues) {
  const changed = (/** @type {Offered[]} */ open, /** @type {Record<string, Value>} */ chosen) =>
    Object.fromEntries(
      open
        .filter((one) => one.path in chosen && chosen[one.path] !== one.start)
        .map((one) => [one.path, chosen[one.path]]),
    );
  return { scheduler: { name: offer.name, params: changed(offer.open, params) }, values: changed(startValues, values) };
}

/** Return the allowed values of a parameter, without the unit, which is in the label. */
export function boundsWords(/** @type {Offered} */ { least, most, choices }) {
  if (choices.length) return "";
  const told = (/** @type {number} */ value) => withUnit(value, "");
  if (least !== null && most !== null && most < 1e6)
    return gettext("{least} to {most}", { least: told(least), most: told(most) });
  if (least !== null) return gettext("at least {least}", { least: told(least) });
  return most !== null ? gettext("at most {most}", { most: told(most) }) : "";
}

/**
 * Return a field's value in the type of its start value. An untouched field keeps its start value, even null.
 * @param {Pick<HTMLInputElement, "type" | "value" | "checked">} control
 * @param {Offered} one
 */
export function readValue(control, one) {
  if (control.type === "checkbox") return control.checked;
  if (one.choices.length) return one.choices[Number(control.value)];
  if (control.value === "" || control.value === String(one.start ?? "")) return one.start;
  const isNumber = typeof one.start === "number" || (one.start === null && Number.isFinite(Number(control.value)));
  return isNumber ? Number(control.value) : control.value;
}

/**
 * @param {Offered} one
 */
function controlView(one) {
  if (one.choices.length)
    return html`<select data-path=${one.path}>
      ${one.choices.map(
        (choice, at) =>
          html`<option value=${at} ?selected=${choice === one.start}
            >${one.choice_labels?.[at] ?? withUnit(choice, "")}</option
          >`,
      )}
    </select>`;
  if (typeof one.start === "boolean")
    return html`<input type="checkbox" data-path=${one.path} ?checked=${one.start} />`;
  if (typeof one.start === "number")
    return html`<input
      type="number"
      step="any"
      data-path=${one.path}
      min=${ifDefined(one.least ?? undefined)}
      max=${ifDefined(one.most ?? undefined)}
      value=${one.start}
    />`;
  return html`<input type="text" data-path=${one.path} value=${one.start ?? ""} />`;
}

function fieldView(/** @type {Offered} */ one) {
  const label = one.unit ? gettext("{label} ({unit})", { label: one.label, unit: one.unit }) : one.label;
  return html`<label class="entry-field" title=${ifDefined(one.help)}
    >${label}${controlView(one)}<span class="entry-bounds">${boundsWords(one)}</span></label
  >`;
}

/** The form of an entry in a form element. `send` receives the request's body. */
export class EntryForm {
  /** @param {HTMLFormElement} form */
  constructor(form, /** @type {Given} */ { challenge, own, author = "", send, cancel }) {
    this.form = form;
    this.challenge = challenge;
    this.own = own;
    this.author = author;
    this.cancel = cancel;
    this.scheduler = signal("");
    /** The id of the stored experiment to enter; empty for the fields' values. */
    this.source = signal("");
    this.name = signal("");
    this.begin();
    show(form, () => this.#view());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!author) remember(this.#text("author"));
      send(this.body());
    });
  }

  /** Reset the form, with a stored experiment of the reader or with the first scheduler's fields. */
  begin(experiment = "") {
    batch(() => {
      this.scheduler.value = this.challenge.schedulers[0].name;
      this.source.value = this.own.some(({ id }) => id === experiment) ? experiment : "";
      this.name.value = this.author || remembered();
    });
    this.form.reset();
  }

  #view() {
    return html`
      <h2>${gettext("Your entry")}</h2>
      <div class="entry-fields">
        ${labelled(
          gettext("Your name on the board"),
          html`<input
            name="author"
            maxlength="40"
            required
            autocomplete="nickname"
            value=${this.name.value}
            ?readonly=${this.author}
          />`,
        )}
        ${labelled(gettext("Your idea, in a few words"), html`<input name="note" maxlength="200" />`)}
      </div>
      ${this.own.length ? labelled(gettext("Experiment"), this.#sourceView()) : nothing}
      <div class="entry-here" ?hidden=${this.source.value}>${this.#fieldsView()}</div>
      <label class="entry-check"
        ><input type="checkbox" name="may_fork" checked />${gettext("Others may fork this entry")}</label
      >
      <div class="entry-acts">
        <button class="button button-heavy" type="submit">${gettext("Enter")}</button>
        <button class="button" type="button" @click=${this.cancel}>${gettext("Cancel")}</button>
      </div>
    `;
  }

  #sourceView() {
    const choose = (/** @type {Event} */ event) => {
      this.source.value = targetOf(event).value;
    };
    return html`<select name="source" @change=${choose}>
      <option value="">${gettext("Choose the scheduler here")}</option>
      ${this.own.map(
        (one) =>
          html`<option value=${one.id} ?selected=${one.id === this.source.value}
            >${gettext("{name} ({scheduler})", one)}</option
          >`,
      )}
    </select>`;
  }

  #fieldsView() {
    const { schedulers, values } = this.challenge;
    const { open, name } = this.offer;
    const choose = (/** @type {Event} */ event) => {
      this.scheduler.value = targetOf(event).value;
    };
    // The key contains the scheduler, because another scheduler's parameter of the same name has another start value.
    const key = (/** @type {Offered} */ one) => `${name} ${one.path}`;
    return html`
      ${labelled(
        gettext("Scheduler"),
        html`<select name="scheduler" @change=${choose}>
          ${schedulers.map((offer) => html`<option value=${offer.name}>${offer.label}</option>`)}
        </select>`,
      )}
      <div class="entry-fields" data-params>
        ${
          open.length ? repeat(open, key, fieldView) : html`<p>${gettext("This scheduler has no open parameters.")}</p>`
        }
      </div>
      ${values.length ? html`<div class="entry-fields" data-values>${values.map(fieldView)}</div>` : nothing}
    `;
  }

  get offer() {
    return /** @type {Offer} */ (this.challenge.schedulers.find((offer) => offer.name === this.scheduler.value));
  }

  #text(/** @type {string} */ name) {
    return String(new FormData(this.form).get(name) ?? "").trim();
  }

  /**
   * Return the values of a part of the form, by their paths.
   * @param {string} part
   * @param {Offered[]} offered
   */
  #read(part, offered) {
    const value = (/** @type {Offered} */ one) => {
      const control = this.form.querySelector(`[data-${part}] [data-path="${CSS.escape(one.path)}"]`);
      return readValue(/** @type {HTMLInputElement} */ (control), one);
    };
    return Object.fromEntries(offered.map((one) => [one.path, value(one)]));
  }

  /** Return the request's body. @returns {EntryBody} */
  body() {
    const may = new FormData(this.form).has("may_fork");
    const told = { author: this.#text("author"), note: this.#text("note"), may_fork: may };
    if (this.source.value) return { ...told, experiment_id: this.source.value };
    const { values } = this.challenge;
    const params = this.#read("params", this.offer.open);
    return { ...told, part: partOf(this.offer, params, this.#read("values", values), values) };
  }
}

/**
 * @param {string} label
 * @param {unknown} control
 */
function labelled(label, control) {
  return html`<label class="entry-field">${label}${control}</label>`;
}

function remembered() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

function remember(/** @type {string} */ name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    /* Storage is unavailable in a private window. */
  }
}
