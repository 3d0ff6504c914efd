/** The teacher's controls for exploring: the open parameters, the wall's axes, and all students' forks. */

import { optionLabel } from "../../experiment/experiment.js";
import { getExperiment, listSchedulers } from "../../contract/api.js";
import { targetOf } from "../../kit/dom.js";
import { batch, element, html, live, nothing, repeat, signal } from "../../kit/view.js";
import { declared, gettext } from "../../kit/words.js";
import { variables } from "../../run/study/study_paths.js";
import { dotsView, valueOn, wordsOn } from "./dots.js";

/**
 * @import { ClassExplore } from "../../contract/contract"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Exploration, Value } from "./class_api.js"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 */

/**
 * @typedef {{path: string, open: boolean, least?: string, most?: string}} OpenRow  a row of the form
 * @typedef {KnobSpec & {value?: Value}} Offered  a parameter
 * @typedef {import("./dots.js").Fork & {number: number, name: string, failure?: string}} TeacherFork
 * @typedef {{knobs: {path: string, least?: number | null, most?: number | null}[], x?: string, y?: string}} Explored
 * @typedef {{explore: ClassExplore | null, spot: number | null, forks: TeacherFork[]}} Wall
 */

const MOST_OPEN = 6;
const Y = "allocation_delay_s.p99";

/**
 * Return the request from the form's rows: {path, open, least, most}.
 * @param {OpenRow[]} rows
 * @param {string} x
 * @param {string} y
 */
export function exploredOf(rows, x, y) {
  const bound = (/** @type {string | undefined} */ text) =>
    text === "" || text === undefined ? {} : { at: Number(text) };
  const parameters = rows
    .filter((row) => row.open)
    .map(({ path, least, most }) => {
      const [low, high] = [bound(least), bound(most)];
      return { path, ...("at" in low ? { least: low.at } : {}), ...("at" in high ? { most: high.at } : {}) };
    });
  return { parameters, x: x || parameters[0]?.path || "", y };
}

/** Format a parameter's value as its control shows it. */
function shownValueOf(
  /** @type {{value?: Value, unit?: string, options?: KnobSpec["options"]}} */ { value, unit, options },
) {
  return typeof value === "string" ? `“${optionLabel(options, value)}”` : wordsOn({ unit: unit ?? "" }, value);
}

export class ExploreDesk {
  /**
   * @param {{name: string, label: string}[]} measures
   * @param {{begin: (asked: Exploration) => void, open: (number: number) => void}} on
   * @param {string} [words]  the button's label
   */
  constructor(measures, on, words = gettext("Let the class explore")) {
    this.measures = measures;
    this.on = on;
    this.words = words;
    /** The offered parameters. */
    this.options = signal(/** @type {Offered[]} */ ([]));
    /** The form's row for each parameter, by path. */
    this.rows = signal(/** @type {Record<string, OpenRow>} */ ({}));
    this.axes = signal({ x: "", y: Y });
    this.walled = signal(/** @type {Wall} */ ({ explore: null, spot: null, forks: [] }));
    this.element = element("div", "explore-desk", () => this.#formView());
    this.wall = element("div", "explore-wall", () => this.#wallView());
    /** The experiment whose parameters are offered. @type {string | undefined} */
    this.shown = undefined;
    /** The parameters with which the form was filled. @type {string | undefined} */
    this.taken = undefined;
  }

  /** Offer the parameters of the experiment that the class sees. */
  async show(/** @type {{experiment: string} | null} */ shown) {
    if (!shown || shown.experiment === this.shown) return;
    this.shown = shown.experiment;
    const stored = await getExperiment(shown.experiment);
    await this.about(stored.experiment ?? {}, null);
  }

  /**
   * Offer an experiment's parameters; `asked` are the open ones, or null.
   * @param {Experiment} experiment
   * @param {Exploration | null} asked
   */
  async about(experiment, asked) {
    const own = (await listSchedulers()).filter(
      (/** @type {Scheduler} */ one) => one.name === experiment.scheduler.name,
    );
    this.#offer(
      variables(experiment, own)
        .flatMap((group) => group.options)
        .filter((one) => one.value !== null && one.value !== undefined),
    );
    if (asked) this.#take({ knobs: asked.parameters, x: asked.x, y: asked.y });
  }

  #offer(/** @type {Offered[]} */ options) {
    batch(() => {
      this.options.value = options;
      this.rows.value = Object.fromEntries(options.map(({ path }) => [path, { path, open: false }]));
      this.axes.value = { x: this.#firstAxis(), y: this.axes.value.y };
    });
  }

  /** The options with open parameters. */
  get #open() {
    return this.options.value.filter(({ path }) => this.rows.value[path]?.open);
  }

  /** Return the horizontal axis: one of the open parameters, if there are any. */
  #firstAxis() {
    const open = this.#open.map(({ path }) => path);
    const { x } = this.axes.value;
    return open.includes(x) ? x : (open[0] ?? x);
  }

  #asked() {
    const { x, y } = this.axes.value;
    return exploredOf(Object.values(this.rows.value), x, y);
  }

  /**
   * @param {string} path
   * @param {Partial<OpenRow>} change
   */
  #change(path, change) {
    batch(() => {
      this.rows.value = { ...this.rows.value, [path]: { ...this.rows.value[path], ...change } };
      if ("open" in change) this.axes.value = { ...this.axes.value, x: this.#firstAxis() };
    });
  }

  #formView() {
    const open = this.#open.length;
    return html`
      <p class="class-note">
        ${gettext(
          "Open up to {most} parameters. If you give no bounds, students may go from a quarter of the value to " +
            "four times the value.",
          { most: MOST_OPEN },
        )}
      </p>
      <div class="explore-rows">
        ${repeat(
          this.options.value,
          (option) => option.path,
          (option) => this.#rowView(option),
        )}
      </div>
      <div class="desk-acts">
        <label>${gettext("Horizontal axis")} ${this.#axisView("x")}</label>
        <label>${gettext("Vertical axis")} ${this.#axisView("y")}</label>
      </div>
      <p class="desk-acts">
        <button
          class="button button-heavy"
          type="button"
          data-begin
          ?disabled=${!open || open > MOST_OPEN}
          @click=${() => this.on.begin(this.#asked())}
          >${this.words}</button
        >
      </p>
    `;
  }

  #axisView(/** @type {"x" | "y"} */ axis) {
    const parameters = this.#open.map(({ path, label }) => ({ name: path, label }));
    const chosen = this.axes.value[axis];
    const choose = (/** @type {Event} */ event) => {
      this.axes.value = { ...this.axes.value, [axis]: targetOf(event).value };
      if (this.walled.value.explore) this.on.begin(this.#asked());
    };
    return html`<select class="picture-select" data-axis=${axis} @change=${choose}>
      ${repeat(
        [...parameters, ...declared(this.measures)],
        ({ name }) => name,
        ({ name, label }) => html`<option value=${name} .selected=${live(name === chosen)}>${label}</option>`,
      )}
    </select>`;
  }

  #rowView(/** @type {Offered} */ option) {
    const { path, label } = option;
    const row = this.rows.value[path];
    const isNumber = option.kind === "number" || option.kind === "integer";
    const bound = (/** @type {"least" | "most"} */ name, /** @type {string} */ words) => html`<input
      class="field"
      type="number"
      step="any"
      data-bound=${name}
      aria-label=${words}
      .value=${live(row[name] ?? "")}
      @input=${(/** @type {Event} */ event) => this.#change(path, { [name]: targetOf(event).value })}
    />`;
    return html`<div class="explore-row" data-row=${path}>
      <label
        ><input
          type="checkbox"
          data-open=${path}
          .checked=${live(row.open)}
          @change=${(/** @type {Event} */ event) => this.#change(path, { open: targetOf(event).checked })}
        />
        ${`${label}: `}<span class="class-note">${shownValueOf(option)}</span></label
      >
      <span class="explore-bounds" ?hidden=${!row.open}
        >${
          isNumber
            ? html`${bound("least", gettext("{label}, least", { label }))}–${bound(
                "most",
                gettext("{label}, most", { label }),
              )}<span class="class-note">${option.unit === "s" ? "s" : ""}</span>`
            : nothing
        }</span
      >
    </div>`;
  }

  /** Take the parameters and axes of the current exploration, and show its wall. */
  draw(/** @type {Wall} */ wall) {
    this.walled.value = wall;
    if (wall.explore) this.#take(wall.explore);
  }

  #wallView() {
    const { explore, spot, forks } = this.walled.value;
    if (!explore) return nothing;
    return html`${dotsView(explore, forks, (fork) => this.on.open(fork.number))}
      ${
        spot === null
          ? nothing
          : html`<button class="button" type="button" data-spot="0" @click=${() => this.on.open(0)}
              >${gettext("Show the dots of all students on the projector")}</button
            >`
      }
      <ul class="desk-list" data-forks=${forks.length}>
        ${repeat(
          forks,
          (fork) => fork.number,
          (fork) => this.#forkView(explore, fork, spot),
        )}
      </ul>`;
  }

  /**
   * @param {ClassExplore} explore
   * @param {TeacherFork} fork
   * @param {number | null} spot
   */
  #forkView(explore, fork, spot) {
    const label = (/** @type {string} */ name) =>
      [...explore.knobs.map((one) => ({ ...one, name: one.path })), ...declared(explore.measures)].find(
        (one) => one.name === name,
      );
    const said = [...new Set([...explore.knobs.map((one) => one.path), explore.x, explore.y])]
      .map((name) => `${label(name)?.label ?? name} ${wordsOn(label(name) ?? { unit: "" }, valueOn(name, fork))}`)
      .join(" · ");
    const done = fork.by_phone ? gettext("computed on a phone") : "";
    const state = fork.failure || (fork.figures ? done : gettext("being computed"));
    return html`<li
      class="explore-fork"
      data-says="student:tried"
      data-fork=${fork.number}
      data-by=${fork.by_phone ? "phone" : "server"}
      data-state=${fork.figures ? "done" : fork.failure ? "failed" : "asked"}
    >
      <b>${fork.name}</b>
      <span class="class-note">${[said, state].filter(Boolean).join(" · ")}</span>
      <button
        class="button"
        type="button"
        data-spot=${fork.number}
        aria-pressed=${spot === fork.number}
        aria-label=${gettext("Show {name} on the projector", { name: fork.name })}
        @click=${() => this.on.open(fork.number)}
        >${gettext("Show")}</button
      >
    </li>`;
  }

  #take(/** @type {Explored} */ explore) {
    const key = JSON.stringify(explore.knobs);
    const choosing = (/** @type {string} */ axis) =>
      this.element.querySelector(`[data-axis=${axis}]`) === document.activeElement;
    batch(() => {
      if (this.taken !== key && this.options.value.length) {
        this.taken = key;
        const text = (/** @type {number | null | undefined} */ bound) => String(bound ?? "");
        const rows = this.options.value.map(({ path }) => {
          const knob = explore.knobs.find((one) => one.path === path);
          return { path, open: Boolean(knob), least: text(knob?.least), most: text(knob?.most) };
        });
        this.rows.value = Object.fromEntries(rows.map((row) => [row.path, row]));
        this.axes.value = { ...this.axes.value, x: this.#firstAxis() };
      }
      const { x, y } = this.axes.value;
      this.axes.value = {
        x: explore.x && !choosing("x") ? explore.x : x,
        y: explore.y && !choosing("y") ? explore.y : y,
      };
    });
  }
}
