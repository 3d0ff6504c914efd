/** The teacher's part of exploring: which parameters are open, the axes of the wall, and everybody's fork. */

import { optionLabel } from "../../experiment/experiment.js";
import { getExperiment, listSchedulers } from "../../contract/api.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { variables } from "../../run/study/study_paths.js";
import { dotsPicture, valueOn, wordsOn } from "./dots.js";

/**
 * @import { ClassExplore } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 */

/**
 * @typedef {{path?: string, open: boolean, least?: string, most?: string}} OpenRow  a row of the form
 * @typedef {import("./dots.js").Fork & {number: number, name: string, failure?: string}} TeacherFork
 * @typedef {{knobs: {path: string, least?: number | null, most?: number | null}[], x: string, y: string}} Explored
 */

const MOST_OPEN = 6;
const Y = "allocation_delay_s.p99";

/**
 * What the server takes, from the rows of the form: {path, open, least, most}.
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

/** The value of a parameter as its control shows it. */
function shownValueOf(/** @type {{value: any, unit?: string, options?: any}} */ { value, unit, options }) {
  return typeof value === "string" ? `“${optionLabel(options, value)}”` : wordsOn({ unit: unit ?? "" }, value);
}

export class ExploreDesk {
  /**
   * @param {{name: string, label: string}[]} measures
   * @param {{begin: (asked: any) => void, open: (number: number) => void}} on
   * @param {string} [words]  of the button
   */
  constructor(measures, on, words = gettext("Let the class explore")) {
    this.measures = measures;
    this.on = on;
    this.rows = h("div", { class: "explore-rows" });
    this.x = h("select", { class: "picture-select", "data-axis": "x" });
    this.y = h("select", { class: "picture-select", "data-axis": "y" });
    this.begin = h("button", { class: "button button-heavy", type: "button", "data-begin": true }, words);
    this.begin.addEventListener("click", () => on.begin(this.#asked()));
    for (const axis of [this.x, this.y])
      axis.addEventListener("change", () => {
        if (this.goesOn) on.begin(this.#asked());
      });
    this.element = h(
      "div",
      { class: "explore-desk" },
      h(
        "p",
        { class: "class-note" },
        gettext(
          "Open up to {most} parameters. If you give no bounds, students may go from a quarter of the value to " +
            "four times the value.",
          {
            most: MOST_OPEN,
          },
        ),
      ),
      this.rows,
      h(
        "div",
        { class: "desk-acts" },
        h("label", {}, gettext("Horizontal axis"), " ", this.x),
        h("label", {}, gettext("Vertical axis"), " ", this.y),
      ),
      h("p", { class: "desk-acts" }, this.begin),
    );
    this.wall = h("div", { class: "explore-wall" });
    /** @type {Record<string, any>[]} */
    this.options = [];
    /** The experiment whose parameters are offered. @type {string | undefined} */
    this.shown = undefined;
    /** The parameters that the form was filled with. @type {string | undefined} */
    this.taken = undefined;
  }

  /** Offer the parameters of what the class sees. */
  async show(/** @type {{experiment: string} | null} */ shown) {
    if (!shown || shown.experiment === this.shown) return;
    this.shown = shown.experiment;
    const stored = await getExperiment(shown.experiment);
    await this.about(stored.experiment ?? {}, null);
  }

  /**
   * Offer the parameters of an experiment; `asked` is what is open already, or null.
   * @param {Experiment} experiment
   * @param {any} asked
   */
  async about(experiment, asked) {
    const own = (await listSchedulers()).filter(
      (/** @type {Record<string, any>} */ one) => one.name === experiment.scheduler.name,
    );
    this.options = variables(experiment, own)
      .flatMap((group) => group.options)
      .filter((one) => one.value !== null && one.value !== undefined);
    this.rows.replaceChildren(...this.options.map((one) => this.#row(one)));
    this.#axes();
    if (asked) this.#take({ knobs: asked.parameters, x: asked.x, y: asked.y });
  }

  #row(/** @type {any} */ option) {
    const open = h("input", { type: "checkbox", "data-open": option.path });
    const isNumber = option.kind === "number" || option.kind === "integer";
    const bound = (/** @type {string} */ name, /** @type {string} */ label) =>
      h("input", { class: "field", type: "number", step: "any", "data-bound": name, "aria-label": label });
    const bounds = h(
      "span",
      { class: "explore-bounds", hidden: true },
      isNumber
        ? [
            bound("least", gettext("{label}, least", { label: option.label })),
            "–",
            bound("most", gettext("{label}, most", { label: option.label })),
            h("span", { class: "class-note" }, option.unit === "s" ? "s" : ""),
          ]
        : [],
    );
    open.addEventListener("change", () => {
      bounds.hidden = !open.checked;
      this.#axes();
    });
    return h(
      "div",
      { class: "explore-row", "data-row": option.path },
      h("label", {}, open, " ", `${option.label}: `, h("span", { class: "class-note" }, shownValueOf(option))),
      bounds,
    );
  }

  #chosen() {
    return /** @type {HTMLElement[]} */ ([...this.rows.children]).map((row) => {
      const field = (/** @type {string} */ name) =>
        /** @type {HTMLInputElement | null} */ (row.querySelector(`[data-bound=${name}]`))?.value;
      const open = /** @type {HTMLInputElement} */ (row.querySelector("[data-open]")).checked;
      return { path: row.dataset.row, open, least: field("least"), most: field("most") };
    });
  }

  #asked() {
    return exploredOf(this.#chosen(), this.x.value, this.y.value);
  }

  #axes() {
    const open = new Set(
      this.#chosen()
        .filter((row) => row.open)
        .map((row) => row.path),
    );
    const parameters = this.options
      .filter((one) => open.has(one.path))
      .map((one) => ({ name: one.path, label: one.label }));
    const entries = [...parameters, ...this.measures].map(({ name, label }) => [name, label]);
    for (const [axis, first] of /** @type {const} */ ([
      [this.x, parameters[0]?.name ?? ""],
      [this.y, Y],
    ])) {
      const before = entries.some(([name]) => name === axis.value) && axis.value ? axis.value : first;
      axis.replaceChildren(...entries.map(([value, label]) => h("option", { value }, label)));
      axis.value = axis === this.x && !open.has(before) ? first || before : before;
    }
    this.begin.disabled = !open.size || open.size > MOST_OPEN;
  }

  /** Take the parameters and axes of an exploration that goes on, and show its wall. */
  draw(
    /** @type {{explore: ClassExplore | null, spot: number | null, forks: TeacherFork[]}} */ { explore, spot, forks },
  ) {
    this.goesOn = Boolean(explore);
    if (!explore) {
      this.wall.replaceChildren();
      return;
    }
    this.#take(explore);
    const rows = forks.map((fork) => this.#forkRow(explore, fork, spot));
    this.wall.replaceChildren(
      dotsPicture(explore, forks, (fork) => this.on.open(fork.number)),
      spot === null
        ? ""
        : h(
            "button",
            { class: "button", type: "button", "data-spot": 0, onclick: () => this.on.open(0) },
            gettext("Show the dots of all students on the projector"),
          ),
      h("ul", { class: "desk-list", "data-forks": forks.length }, rows),
    );
  }

  /**
   * @param {ClassExplore} explore
   * @param {TeacherFork} fork
   * @param {number | null} spot
   */
  #forkRow(explore, fork, spot) {
    const label = (/** @type {string} */ name) =>
      [...explore.knobs.map((one) => ({ ...one, name: one.path })), ...explore.measures].find(
        (one) => one.name === name,
      );
    const said = [...new Set([...explore.knobs.map((one) => one.path), explore.x, explore.y])]
      .map((name) => `${label(name)?.label ?? name} ${wordsOn(label(name) ?? { unit: "" }, valueOn(name, fork))}`)
      .join(" · ");
    const state = fork.failure || (fork.figures ? "" : gettext("being computed"));
    return h(
      "li",
      {
        class: "explore-fork",
        "data-fork": fork.number,
        "data-state": fork.figures ? "done" : fork.failure ? "failed" : "asked",
      },
      h("b", {}, fork.name),
      h("span", { class: "class-note" }, [said, state].filter(Boolean).join(" · ")),
      h(
        "button",
        {
          class: "button",
          type: "button",
          "data-spot": fork.number,
          "aria-pressed": String(spot === fork.number),
          "aria-label": gettext("Show {name} on the projector", { name: fork.name }),
          onclick: () => this.on.open(fork.number),
        },
        gettext("Show"),
      ),
    );
  }

  #take(/** @type {Explored} */ explore) {
    const key = JSON.stringify(explore.knobs);
    if (this.taken !== key && this.rows.children.length) {
      this.taken = key;
      for (const row of /** @type {HTMLElement[]} */ ([...this.rows.children])) {
        const knob = explore.knobs.find((one) => one.path === row.dataset.row);
        /** @type {HTMLInputElement} */ (row.querySelector("[data-open]")).checked = Boolean(knob);
        for (const name of /** @type {const} */ (["least", "most"])) {
          const field = /** @type {HTMLInputElement | null} */ (row.querySelector(`[data-bound=${name}]`));
          if (field) field.value = String(knob?.[name] ?? "");
        }
        /** @type {HTMLElement} */ (row.querySelector(".explore-bounds")).hidden = !knob;
      }
      this.#axes();
    }
    if (explore.x && document.activeElement !== this.x) this.x.value = explore.x;
    if (explore.y && document.activeElement !== this.y) this.y.value = explore.y;
  }
}
