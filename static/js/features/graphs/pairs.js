/** Each job's completion time here and under a second scheduler, one dot per job. */

import { problemText } from "../../experiment/problems.js";
import { duration, factor, whole } from "../../kit/format.js";
import { comparedInWords, pairAt, pairsOf, pairsPlace, pairsScene, sameJobs } from "../../draw/scenes/job_pairs.js";
import { createExperiment } from "../../contract/api.js";
import { fetchTable } from "./graph_rows.js";
import { RunSession } from "../../run/run_session.js";
import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { batch, html, live, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/** @typedef {Record<"arrival_us" | "end_us" | "tasks" | "path_us", number[]>} Pairable  columns of a run's jobs */

const BEFORE = gettext("the previous run");
const HINT = gettext("Choose a scheduler above. The same workload runs under it, and each job becomes a dot.");

export default {
  id: "pairs",
  title: gettext("Job by job"),
  question: gettext("Which jobs end sooner under another scheduler?"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const view = new PairsView(body, desk);
    const { picture } = view;
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      shown: () => view.look(),
      selected: () => picture.draw(),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class PairsView {
  #state = {
    /** The other scheduler, "=" for the previous run; empty for none. */
    chosen: signal(""),
    /** The text of the results or of the other run's progress. */
    figures: signal(""),
    /** The text shown while there are no dots. */
    hint: signal(HINT),
    /** True if the previous run was done at the last check. */
    before: signal(false),
  };

  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {{label: string, jobs: {count: number, arrival: number[], end: number[]}} | null} */
    this.other = null;
    /** @type {ReturnType<typeof pairsOf> | null} */
    this.pairs = null;
    this.over = -1;
    this.asked = 0;
    /** @type {RunSession | null} */
    this.session = null;
    const place = picturePlace(
      body,
      () => this.#toolsView(),
      () => html`<p class="desk-empty" ?hidden=${!this.#state.hint.value}>${this.#state.hint.value}</p>`,
    );
    /** @type {CanvasPicture<{job: number}>} */
    this.picture = new CanvasPicture(
      place,
      gettext("Job completion times in both runs. Arrow keys go from job to job, Enter selects."),
      this.#model(),
    );
  }

  get names() {
    return [this.desk.meta?.scheduler.label ?? gettext("this run"), this.other?.label ?? ""];
  }

  /** @param {Graphs | null} graphs */
  show(graphs) {
    this.asked += 1;
    this.#drop();
    this.graphs = graphs;
    this.#state.chosen.value = "";
    this.look();
    this.#fail(HINT);
  }

  /** Check if the previous run can be compared. */
  look() {
    const run = this.#previous;
    this.#state.before.value = Boolean(run?.meta?.graphs && run.run.state === "done");
  }

  get #previous() {
    return this.desk.studio.ghost.value?.session;
  }

  #toolsView() {
    const { chosen, figures, before } = this.#state;
    const meta = this.desk.studio.meta.value;
    const schedulers = this.desk.studio.schedulers.value;
    const able = schedulers.filter((each) => each.supports?.includes("dag") && each.name !== meta?.scheduler.name);
    const option = (/** @type {string} */ value, /** @type {string} */ label) =>
      html`<option value=${value} .selected=${live(value === chosen.value)}>${label}</option>`;
    return html`<label class="picture-key picture-label"
        >${gettext("Against")}<select
          class="picture-select"
          aria-label=${gettext("Compare with")}
          data-tip=${gettext("Run the same workload under another scheduler and pair each job with itself.")}
          @change=${(/** @type {Event & {target: HTMLSelectElement}} */ event) => this.#compare(event.target.value)}
        >
          ${option("", gettext("choose a scheduler"))}
          ${before.value ? option("=", `${BEFORE} (${this.#previous?.meta?.scheduler.label})`) : nothing}
          ${able.map((each) => option(each.name, each.label))}
        </select></label
      >
      <p class="picture-key" role="status">${figures.value}</p>`;
  }

  /**
   * @param {string} label
   * @param {Pairable} columns
   */
  #take(label, columns) {
    const jobs = {
      count: columns.arrival_us.length,
      arrival: columns.arrival_us.map((us) => us * 1000),
      end: columns.end_us.map((us) => (us < 0 ? -1 : us * 1000)),
    };
    const { graphs } = this;
    if (!graphs) return;
    if (!sameJobs(graphs.jobs, columns)) {
      this.#fail(gettext("The other run has different jobs, so jobs cannot be paired."));
      return;
    }
    this.other = { label, jobs };
    this.pairs = pairsOf(graphs.jobs, jobs);
    this.#state.figures.value = this.pairs.jobs.length
      ? comparedInWords(this.pairs, this.names[0])
      : gettext("No job ended in both runs.");
    this.#state.hint.value = "";
    this.picture.draw();
  }

  /** @param {string} words */
  #fail(words) {
    this.pairs = null;
    this.other = null;
    batch(() => {
      this.#state.hint.value = words;
      this.#state.figures.value = "";
    });
    this.picture.draw();
  }

  /**
   * Run the same workload under another scheduler beside the run on screen; resolves with that run.
   * @param {string} name
   */
  async #runOther(name) {
    const { studio, meta } = this.desk;
    // Use the seed of the run on screen, which may differ from the experiment's; another seed would draw other jobs.
    /** @type {Experiment} */
    const experiment = { ...studio.session.value?.experiment, seed: meta.seed };
    const label = this.#labelOf(name);
    const made = await createExperiment({
      ...experiment,
      name: `${experiment.name || gettext("Experiment")}: ${label}`.slice(0, 64),
      scheduler: { name },
    });
    const own = new RunSession(experiment, made.id);
    this.session = own;
    return new Promise((resolve, reject) => {
      own.addEventListener("state", () => {
        const { state, progress, error } = own.run;
        if (state === "done") {
          own.close();
          resolve(own.run.id);
        } else if (state === "failed" || state === "cancelled") {
          own.close();
          reject(new Error(/** @type {string | undefined} */ (error) || "The other run was cancelled."));
        } else this.#state.figures.value = `${label}: ${Math.round((progress || 0) * 100)}\u202f%`;
      });
      own.start().catch(reject);
    });
  }

  /** @param {string} name  a scheduler */
  #labelOf(name) {
    return this.desk.studio.schedulers.value.find((each) => each.name === name)?.label ?? name;
  }

  #drop() {
    const { session } = this;
    if (session && !session.final && !session.closed) session.cancel().catch(() => {});
    session?.close();
    this.session = null;
  }

  /** @param {string} name  a scheduler, "=" for the previous run; empty for none */
  async #compare(name) {
    this.#state.chosen.value = name;
    this.asked += 1;
    const mine = this.asked;
    this.#drop();
    if (!name || !this.graphs) {
      this.#fail(HINT);
      return;
    }
    const before = name === "=" ? this.#previous : null;
    const label = before ? `${before.meta?.scheduler.label}, ${BEFORE}` : this.#labelOf(name);
    try {
      this.#state.figures.value = gettext("Starting…");
      const run = before ? before.run.id : await this.#runOther(name);
      if (mine !== this.asked) return;
      const { columns } = await fetchTable(run, "jobs");
      if (mine === this.asked) this.#take(label, /** @type {Pairable} */ (columns));
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (mine !== this.asked) return;
      this.#fail(
        error.problems?.length
          ? gettext("{label} cannot run this: {problem}", { label, problem: problemText(error.problems[0]) })
          : error.message,
      );
    }
  }

  /** @param {{job: number}} options */
  #tell({ job }) {
    const { names, pairs } = this;
    if (!pairs) return "";
    const at = pairs.jobs.indexOf(job);
    const ratio = pairs.factor[at];
    const times =
      Math.abs(ratio - 1) < 1e-9
        ? gettext("as fast")
        : ratio > 1
          ? gettext("{factor} times as fast", { factor: factor(ratio) })
          : gettext("{factor} times as slow", { factor: factor(1 / ratio) });
    return gettext("Job {job}: {mine} with {first}, {other} with {second}: {times}.", {
      job: whole(job),
      mine: duration(pairs.mine[at]),
      first: names[0],
      other: duration(pairs.other[at]),
      second: names[1],
      times,
    });
  }

  /**
   * @param {{job: number} | null} item
   * @param {number} dx
   * @param {number} dy
   */
  #step(item, dx, dy) {
    const { pairs } = this;
    if (!pairs?.jobs.length) return null;
    const order = pairs.jobs
      .map((job, at) => [job, pairs.other[at]])
      .sort((a, b) => a[1] - b[1] || a[0] - b[0])
      .map(([job]) => job);
    const from = order.indexOf(item?.job ?? this.desk.selection.job);
    return { kind: "job", job: order[Math.min(order.length - 1, Math.max(0, from + (dx || -dy)))] };
  }

  /** @returns {import("../../draw/scenes/canvas_picture.js").PictureModel<{job: number}>} */
  #model() {
    const { desk } = this;
    return {
      scene: (/** @type {number} */ width, /** @type {number} */ height) =>
        this.pairs?.jobs.length
          ? pairsScene(this.pairs, {
              width,
              height,
              names: this.names,
              chosen: desk.selection.job,
              over: this.over,
            })
          : [],
      hit: (/** @type {number} */ x, /** @type {number} */ y) => {
        const job = this.pairs ? pairAt(this.pairs, this.picture.width, this.picture.height, x, y) : -1;
        return job < 0 ? null : { kind: "job", job };
      },
      tell: (/** @type {{job: number}} */ item) => this.#tell(item),
      pick: (/** @type {{job: number}} */ item) => desk.selectJob(item.job),
      step: (/** @type {{job: number} | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) =>
        this.#step(item, dx, dy),
      at: (/** @type {{job: number}} */ { job }) => {
        const { pairs, picture } = this;
        if (!pairs) return [0, 0];
        const at = pairs.jobs.indexOf(job);
        const where = pairsPlace(pairs, picture.width, picture.height);
        return [where.x(pairs.other[at]), where.y(pairs.mine[at])];
      },
      over: (/** @type {{job: number} | null} */ item) => {
        this.over = item?.job ?? -1;
        this.picture.draw();
      },
    };
  }
}
