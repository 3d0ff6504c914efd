/** The form of an entry: a scheduler and the parameters that the challenge leaves open, or a stored experiment. */

import { h } from "../../kit/dom.js";
import { withUnit } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{path: string, label: string, unit?: string, help?: string, value: any, least?: any, most?: any,
 *   choices: any[], [more: string]: any}} Offered  a parameter or a value that is open
 * @typedef {{name: string, label: string, params: Offered[], [more: string]: any}} Offer  a scheduler of a challenge
 * @typedef {{one: Offered, control: HTMLInputElement | HTMLSelectElement}} Field
 * @typedef {{challenge: any, own: any[], send: (body: any) => void, cancel?: () => void}} Given
 */

const NAME = "playground.arena.name";

/**
 * The part of an experiment that a form's fields say: parameters as they start are left out.
 * @param {Offer} offer
 * @param {Record<string, any>} params
 * @param {Record<string, any>} values
 * @param {Offered[]} startValues
 */
export function partOf(offer, params, values, startValues) {
  const changed = (/** @type {Offered[]} */ open, /** @type {Record<string, any>} */ chosen) =>
    Object.fromEntries(
      open
        .filter((one) => one.path in chosen && chosen[one.path] !== one.start)
        .map((one) => [one.path, chosen[one.path]]),
    );
  return { scheduler: { name: offer.name, params: changed(offer.open, params) }, values: changed(startValues, values) };
}

/** What may be chosen for a parameter, in the unit in which its field takes it: its label has the unit. */
export function boundsWords(/** @type {Offered} */ { least, most, choices }) {
  if (choices.length) return "";
  const told = (/** @type {number} */ value) => withUnit(value, "");
  if (least !== null && most !== null && most < 1e6)
    return gettext("{least} to {most}", { least: told(least), most: told(most) });
  if (least !== null) return gettext("at least {least}", { least: told(least) });
  return most !== null ? gettext("at most {most}", { most: told(most) }) : "";
}

/**
 * The value of a field in the type of its start. A field that nobody touched keeps its start, even null.
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {Offered} one
 */
export function readValue(control, one) {
  if (control.type === "checkbox") return control.checked;
  if (one.choices.length) return one.choices[Number(control.value)];
  if (control.value === "" || control.value === String(one.start ?? "")) return one.start;
  const isNumber = typeof one.start === "number" || (one.start === null && Number.isFinite(Number(control.value)));
  return isNumber ? Number(control.value) : control.value;
}

function controlOf(/** @type {Offered} */ one) {
  if (one.choices.length)
    return h(
      "select",
      {},
      one.choices.map((choice, at) =>
        h(
          "option",
          { value: String(at), selected: choice === one.start },
          one.choice_labels?.[at] ?? withUnit(choice, ""),
        ),
      ),
    );
  if (typeof one.start === "boolean") return h("input", { type: "checkbox", checked: one.start });
  if (typeof one.start === "number")
    return h("input", { type: "number", step: "any", value: String(one.start), min: one.least, max: one.most });
  return h("input", { type: "text", value: one.start ?? "" });
}

/**
 * @param {Offered} one
 * @param {Map<string, Field>} fields
 */
function fieldOf(one, fields) {
  const control = controlOf(one);
  fields.set(one.path, { one, control });
  control.dataset.path = one.path;
  const label = one.unit ? gettext("{label} ({unit})", { label: one.label, unit: one.unit }) : one.label;
  return h(
    "label",
    { class: "entry-field", title: one.help },
    label,
    control,
    h("span", { class: "entry-bounds" }, boundsWords(one)),
  );
}

/** The form of an entry. `send` gets the body of the request, `cancel` hides the form. */
export class EntryForm {
  /** @param {HTMLFormElement} form */
  constructor(form, /** @type {Given} */ { challenge, own, send, cancel }) {
    this.challenge = challenge;
    this.own = own;
    this.params = new Map();
    this.values = new Map();
    this.name = h("input", {
      name: "author",
      maxlength: 40,
      required: true,
      autocomplete: "nickname",
      value: remembered(),
    });
    this.note = h("input", { name: "note", maxlength: 200 });
    this.fork = h("input", { type: "checkbox", checked: true });
    this.source = this.#sources();
    this.scheduler = h(
      "select",
      { name: "scheduler" },
      challenge.schedulers.map((/** @type {Offer} */ offer) => h("option", { value: offer.name }, offer.label)),
    );
    this.open = h("div", { class: "entry-fields" });
    this.here = h(
      "div",
      { class: "entry-here" },
      labelled(gettext("Scheduler"), this.scheduler),
      this.open,
      challenge.values.length
        ? h(
            "div",
            { class: "entry-fields" },
            challenge.values.map((/** @type {Offered} */ one) => fieldOf(one, this.values)),
          )
        : null,
    );
    this.scheduler.addEventListener("change", () => this.#drawParams());
    this.#drawParams();
    form.replaceChildren(...this.#parts(cancel));
    form.onsubmit = (event) => {
      event.preventDefault();
      remember(this.name.value);
      send(this.body());
    };
  }

  #sources() {
    const offered = this.own.map((one) => h("option", { value: one.id }, gettext("{name} ({scheduler})", one)));
    const source = h(
      "select",
      { name: "source" },
      h("option", { value: "" }, gettext("Choose the scheduler here")),
      offered,
    );
    source.addEventListener("change", () => {
      this.here.hidden = Boolean(source.value);
    });
    return source;
  }

  #parts(/** @type {(() => void) | undefined} */ cancel) {
    return [
      h("h2", {}, gettext("Your entry")),
      h(
        "div",
        { class: "entry-fields" },
        labelled(gettext("Your name on the board"), this.name),
        labelled(gettext("Your idea, in a few words"), this.note),
      ),
      this.own.length ? labelled(gettext("Experiment"), this.source) : "",
      this.here,
      h("label", { class: "entry-check" }, this.fork, gettext("Others may fork this entry")),
      h(
        "div",
        { class: "entry-acts" },
        h("button", { class: "button button-heavy", type: "submit" }, gettext("Enter")),
        h("button", { class: "button", type: "button", onclick: cancel }, gettext("Cancel")),
      ),
    ];
  }

  get offer() {
    return this.challenge.schedulers.find((/** @type {Offer} */ offer) => offer.name === this.scheduler.value);
  }

  #drawParams() {
    this.params.clear();
    const { open } = this.offer;
    const none = h("p", {}, gettext("This scheduler has no open parameters."));
    this.open.replaceChildren(
      ...(open.length ? open.map((/** @type {Offered} */ one) => fieldOf(one, this.params)) : [none]),
    );
  }

  /** Enter an experiment of one's own instead of what the fields say. */
  choose(/** @type {string} */ experiment) {
    this.source.value = experiment;
    this.source.dispatchEvent(new Event("change"));
  }

  /** The body of the request. */
  body() {
    const told = { author: this.name.value.trim(), note: this.note.value.trim(), may_fork: this.fork.checked };
    if (this.source.value) return { ...told, experiment_id: this.source.value };
    return { ...told, part: partOf(this.offer, read(this.params), read(this.values), this.challenge.values) };
  }
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
function labelled(label, control) {
  return h("label", { class: "entry-field" }, label, control);
}

function read(/** @type {Map<string, Field>} */ fields) {
  return Object.fromEntries([...fields].map(([path, { one, control }]) => [path, readValue(control, one)]));
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
    /* private window */
  }
}
