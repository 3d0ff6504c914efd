/**
 * A student's controls: the open parameters, and the student's tries so far. The phone simulates a try where it can;
 * else a preview on the server computes it.
 */

import { backOff } from "../../contract/socket.js";
import { isAway } from "../../contract/api.js";
import { knob } from "../../kit/knob.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext, measureName } from "../../kit/words.js";
import { Previews } from "../../run/previews.js";
import { changeFork, pause } from "./class_api.js";
import { dotsView, valueOn, wordsOn } from "./dots.js";
import { PhoneRuns } from "./phone_runs.js";

/**
 * @import { ApiError } from "../../contract/api.js"
 * @import { ClassComputed, ClassMeasure, HttpProblem } from "../../contract/contract"
 * @import { Answer } from "../../run/previews.js"
 * @import { Value } from "./class_api.js"
 * @import { Fork } from "./dots.js"
 * @import { OwnRun } from "./phone_runs.js"
 */

/** @typedef {import("../../contract/contract").ClassExplore} ClassExplore */

/** @typedef {{[name: string]: Nested | number} | null | undefined} Nested  numbers by name, in groups */

/** A value counts as chosen after this pause. */
const REST_MS = 250;
const RESET = gettext("The teacher’s values");
const COMPUTED_HERE = gettext("Computed on this phone.");
const MOST_TRIES = 60;
const TOO_OFTEN = 429;
/** Numbers that differ by less than this part are equal: a phone adds floats in another order than the server. */
const ROUNDING = 1e-9;
/** Metrics that are always shown. */
const USUAL = ["allocation_delay_s.p50", "allocation_delay_s.p99"];

/**
 * Return a parameter's declaration in the control's format.
 * @param {import("../../contract/contract").ClassKnob} declared
 */
export function specOf(declared) {
  const { least, most, value, names, ...rest } = declared;
  const options = Object.fromEntries(
    rest.choices.map((choice, at) => [String(choice), { label: names?.[at] ?? String(choice), help: "" }]),
  );
  return { ...rest, options, min: least, max: most, default: value };
}

/** Return the preview's values of the metrics. */
export function figuresOf(/** @type {{name: string}[]} */ measures, /** @type {object | null | undefined} */ summary) {
  const at = (/** @type {string} */ name) =>
    /** @type {number | null | undefined} */ (
      name
        .split(".")
        .reduce((here, key) => /** @type {Nested} */ (here)?.[key], /** @type {Nested | number} */ (summary))
    );
  return Object.fromEntries(measures.map(({ name }) => [name, at(name) ?? null]));
}

/**
 * Return how a try's number differs from the teacher's: by chance, if other seeds give such numbers for the teacher's
 * values, too.
 * @param {number | null | undefined} own
 * @param {number | null | undefined} base
 * @param {number[] | undefined} band  where the teacher's values are expected under other seeds
 */
export function differenceWords(own, base, band) {
  if (typeof own !== "number" || typeof base !== "number" || !band) return "";
  if (Math.abs(own - base) <= ROUNDING * Math.max(Math.abs(own), Math.abs(base))) return gettext("equal");
  if (own >= band[0] && own <= band[1]) return gettext("may be chance");
  return own > base ? gettext("more") : gettext("less");
}

export class ExploreForm {
  /**
   * @param {string} classId
   * @param {{script?: string, tell: (fork: ClassComputed) => Promise<void>}} phone  the address of the script of the
   *   thread that simulates (without one, the server computes), and how the server is told the outcome
   */
  constructor(classId, { script = "", tell }) {
    this.tell = tell;
    this.phone = new PhoneRuns(script);
    /** The values that were asked for last, on this phone or the server. @type {Record<string, Value> | null} */
    this.newest = null;
    /** What the server is still to be told, with the values that were asked for. */
    this.untold = /** @type {{values: Record<string, Value>, run: OwnRun} | null} */ (null);
    this.telling = false;
    /** The parameters that the class may change. */
    this.explore = signal(/** @type {ClassExplore | null} */ (null));
    this.tries = signal(/** @type {Fork[]} */ ([]));
    /** The last try's state and its text. */
    this.tried = signal({ state: "", text: "", by: "server" });
    this.controls = signal(/** @type {ReturnType<typeof knob>[]} */ ([]));
    /** @type {Record<string, Value>} */
    this.values = {};
    /** The parameters for which the controls were made. @type {string | undefined} */
    this.key = undefined;
    this.element = element("div", "explore", () => this.#view());
    this.previews = new Previews({
      send: (values) => changeFork(classId, values),
      answered: (values, answer) => this.#answered(values, answer),
      refused: (_values, error) => this.#refused(error),
    });
  }

  #view() {
    const { state, text, by } = this.tried.value;
    const explore = this.explore.value;
    return html`
      <div class="explore-knobs">${this.controls.value.map((one) => one.element)}</div>
      <p class="class-said" role="status" data-tried=${state} data-by=${by}>${text}</p>
      <div class="explore-table">${explore ? this.#tableView(explore) : nothing}</div>
      <div class="explore-picture">${explore ? this.#pictureView(explore) : nothing}</div>
      <button class="button" type="button" data-reset @click=${() => this.#set(this.#teachers(), true)}
        >${RESET}</button
      >
    `;
  }

  #tableView(/** @type {ClassExplore} */ explore) {
    const teacher = { values: this.#teachers(), figures: explore.base };
    const rows = explore.measures.filter(({ name }) => [explore.x, explore.y, ...USUAL].includes(name));
    const cell = (/** @type {Fork | undefined} */ fork, /** @type {ClassMeasure} */ one, of = "own") =>
      html`<td data-says=${`${of}:${one.name}`}>${fork ? wordsOn(one, valueOn(one.name, fork)) : "–"}</td>`;
    const own = this.tries.value.at(-1);
    const difference = (/** @type {string} */ name) => {
      const words = differenceWords(own?.figures?.[name], explore.base?.[name], explore.noise?.[name]);
      return html`<td data-difference>${words}</td>`;
    };
    const heads = ["", gettext("Teacher"), gettext("You"), gettext("Difference")];
    return html`<table>
      <thead>
        <tr>
          ${heads.map((one) => html`<th scope="col">${one}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (one) => html`<tr data-measure=${one.name}>
            <th scope="row">${measureName(one.label)}</th>
            ${cell(teacher, one, "teacher")}${cell(own, one)}${difference(one.name)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #pictureView(/** @type {ClassExplore} */ explore) {
    const tries = this.tries.value;
    return dotsView(
      explore,
      tries.map((fork) => ({ ...fork, own: fork === tries.at(-1) })),
    );
  }

  /**
   * Show the open parameters; `own` is the server's copy of the student's fork.
   * @param {ClassExplore} explore
   * @param {Fork | null | undefined} own
   */
  show(explore, own) {
    const key = JSON.stringify(explore.knobs);
    this.explore.value = explore;
    this.phone.take(explore.start);
    if (key !== this.key) {
      this.key = key;
      this.tries.value = [];
      this.#build(explore);
    }
    if (own && !this.tries.value.length && explore.knobs.every((one) => one.path in own.values)) {
      this.#set(own.values, false);
      if (own.figures) this.tries.value = [{ values: own.values, figures: own.figures }];
      if (own.figures && own.by_phone) this.#at("done", COMPUTED_HERE, "phone");
    }
  }

  #teachers() {
    return Object.fromEntries((this.explore.value?.knobs ?? []).map((one) => [one.path, one.value]));
  }

  #build(/** @type {ClassExplore} */ explore) {
    this.values = this.#teachers();
    this.controls.value = explore.knobs.map((declared) =>
      knob(specOf(declared), (value) => {
        this.values = { ...this.values, [declared.path]: value };
        this.#ask();
      }),
    );
    for (const one of this.controls.value) one.set(this.values[one.path]);
  }

  /**
   * @param {Record<string, Value>} values
   * @param {boolean} ask
   */
  #set(values, ask) {
    this.values = { ...values };
    for (const one of this.controls.value) one.set(values[one.path]);
    if (ask) this.#ask();
  }

  #ask() {
    this.#at("asked", gettext("Being computed…"));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#compute(this.values), REST_MS);
  }

  /** Simulate a try on this phone, or else ask the server. */
  async #compute(/** @type {Record<string, Value>} */ values) {
    this.newest = values;
    const run = await this.phone.simulate(values, this.#teachers());
    if (this.newest !== values) return;
    if (!run) {
      this.untold = null;
      this.previews.ask(values);
      return;
    }
    this.#add({ values, figures: run.figures, by_phone: true });
    this.#at("done", COMPUTED_HERE, "phone");
    this.untold = { values, run };
    if (!this.telling) await this.#tell();
  }

  /** Tell the server the newest try of this phone, until it has it. What the server refuses, it computes. */
  async #tell() {
    this.telling = true;
    for (let attempt = 0; this.untold; ) {
      const { values, run } = this.untold;
      const { start, digest, figures } = run;
      try {
        await this.tell({ values, start, digest, figures });
        attempt = 0;
      } catch (error) {
        if (isAway(error) || /** @type {ApiError} */ (error).status === TOO_OFTEN) {
          await pause(backOff(attempt));
          attempt += 1;
          continue;
        }
        if (this.newest === values) {
          this.tries.value = this.tries.value.filter((one) => one.values !== values);
          this.#at("asked", gettext("Being computed…"));
          this.previews.ask(values);
        }
      }
      if (this.untold?.values === values) this.untold = null;
    }
    this.telling = false;
  }

  /** Add a try; the newest one stays last if an older one comes later. */
  #add(/** @type {Fork} */ made) {
    const before = this.tries.value;
    const last = before.at(-1);
    const isLate = last && last.values === this.newest && made.values !== this.newest;
    this.tries.value = (isLate ? [...before.slice(0, -1), made, last] : [...before, made]).slice(-MOST_TRIES);
  }

  /**
   * @param {Record<string, Value>} values
   * @param {Answer} answer
   */
  #answered(values, answer) {
    if (answer.state === "compiling") {
      this.#at("asked", gettext("The server prepares this scheduler…"));
      return;
    }
    if (answer.state === "failed") {
      this.#refused(answer.error);
      return;
    }
    const figures = figuresOf(this.explore.value?.measures ?? [], answer.summary);
    this.#add({ values, figures });
    if (values === this.newest && !this.previews.busy) this.#at("done", "");
  }

  /** @param {ApiError | HttpProblem} error  why a try was refused, or what a preview that failed says */
  #refused(error) {
    const head = "title" in error ? error.title : error.message;
    const [first] = error.problems ?? [];
    this.#at("failed", [head, first?.message, first?.allowed].filter(Boolean).join(": "));
  }

  /**
   * @param {string} state
   * @param {string} text
   * @param {"server" | "phone"} [by]  who computes the try
   */
  #at(state, text, by = "server") {
    this.tried.value = { state, text, by };
  }
}
