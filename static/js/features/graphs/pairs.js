/** How long each job took here and under a second scheduler, one dot a job. */

import { problemText } from "../../experiment/problems.js";
import { duration, three, whole } from "../../kit/format.js";
import { comparedInWords, pairAt, pairsOf, pairsPlace, pairsScene, sameJobs } from "../../draw/scenes/job_pairs.js";
import { createExperiment } from "../../contract/api.js";
import { fetchTable } from "./graph_rows.js";
import { RunSession } from "../../run/run_session.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 */

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
    const refill = () => view.refill();
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      shown: refill,
      listed: refill,
      selected: () => picture.draw(),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class PairsView {
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
    this.select = h("select", {
      class: "picture-select",
      "aria-label": gettext("Compare with"),
      "data-tip": gettext("Run the same workload under another scheduler and pair each job with itself."),
    });
    this.figures = h("p", { class: "picture-key", role: "status" });
    this.hint = h("p", { class: "desk-empty" }, HINT);
    const place = h("div", { class: "picture-place" }, this.hint);
    const against = h("label", { class: "picture-key picture-label" }, gettext("Against"), this.select);
    body.append(h("div", { class: "picture-tools" }, against, this.figures), place);
    this.select.addEventListener("change", () => this.#compare());
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
    this.#options();
    this.#fail(HINT);
  }

  #options() {
    const { desk } = this;
    const current = desk.meta?.scheduler.name;
    const able = desk.studio.schedulers.filter((each) => each.supports?.includes("dag") && each.name !== current);
    const before = desk.studio.ghost?.session;
    const usable = before?.meta?.graphs && before.run.state === "done";
    this.select.replaceChildren(
      h("option", { value: "" }, gettext("choose a scheduler")),
      ...(usable ? [h("option", { value: "=" }, `${BEFORE} (${before.meta?.scheduler.label})`)] : []),
      ...able.map((each) => h("option", { value: each.name }, each.label)),
    );
  }

  refill() {
    const kept = this.select.value;
    this.#options();
    this.select.value = kept;
  }

  /** @param {string} words */
  #say(words) {
    this.figures.textContent = words;
  }

  /**
   * @param {string} label
   * @param {{arrival_us: number[], end_us: number[], tasks: number[], path_us: number[]}} columns
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
    this.pairs = pairsOf(graphs.jobs, /** @type {any} */ (jobs));
    this.#say(
      this.pairs.jobs.length ? comparedInWords(this.pairs, this.names[0]) : gettext("No job ended in both runs."),
    );
    this.hint.hidden = true;
    this.picture.draw();
  }

  /** @param {string} words */
  #fail(words) {
    this.pairs = null;
    this.other = null;
    this.hint.hidden = false;
    this.hint.textContent = words;
    this.#say("");
    this.picture.draw();
  }

  /**
   * Run the same work under another scheduler beside the one on the screen; resolves with its run.
   * @param {string} name
   */
  async #runOther(name) {
    const { studio, meta } = this.desk;
    // The same seed as the run on the screen, which need not be the experiment's: else the jobs would be others.
    /** @type {Experiment} */
    const experiment = { ...studio.session?.experiment, seed: meta.seed };
    const label = studio.schedulers.find((each) => each.name === name)?.label ?? name;
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
          reject(new Error(error || "The other run was cancelled."));
        } else this.#say(`${label}: ${Math.round((progress || 0) * 100)}\u202f%`);
      });
      own.start().catch(reject);
    });
  }

  #drop() {
    const { session } = this;
    if (session && !session.final && !session.closed) session.cancel().catch(() => {});
    session?.close();
    this.session = null;
  }

  async #compare() {
    const { desk, select } = this;
    this.asked += 1;
    const mine = this.asked;
    this.#drop();
    if (!select.value || !this.graphs) {
      this.#fail(HINT);
      return;
    }
    const before = select.value === "=" ? desk.studio.ghost?.session : null;
    const label = before ? `${before.meta?.scheduler.label}, ${BEFORE}` : (select.selectedOptions[0].textContent ?? "");
    try {
      this.#say(gettext("Starting…"));
      const run = before ? before.run.id : await this.#runOther(select.value);
      if (mine !== this.asked) return;
      const { columns } = await fetchTable(run, "jobs");
      if (mine === this.asked) this.#take(label, /** @type {any} */ (columns));
    } catch (/** @type {any} */ error) {
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
    const factor = pairs.factor[at];
    const times =
      Math.abs(factor - 1) < 1e-9
        ? gettext("as fast")
        : factor > 1
          ? gettext("{factor} times as fast", { factor: three(factor) })
          : gettext("{factor} times as slow", { factor: three(1 / factor) });
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
