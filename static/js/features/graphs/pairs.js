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

const BEFORE = gettext("the previous run");
const HINT = gettext("Choose a scheduler above. The same workload runs under it, and each job becomes a dot.");

export default {
  id: "pairs",
  title: gettext("Job by job"),
  question: gettext("Which jobs end sooner under another scheduler?"),
  mount(body, desk) {
    const view = new PairsView(body, desk);
    const { picture } = view;
    const refill = () => view.refill();
    return {
      graphs: (next) => view.show(next),
      shown: refill,
      listed: refill,
      selected: () => picture.draw(),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class PairsView {
  constructor(body, desk) {
    this.desk = desk;
    this.graphs = null;
    this.other = null; // {label, jobs}
    this.pairs = null;
    this.over = -1;
    this.asked = 0;
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
      ...(usable ? [h("option", { value: "=" }, `${BEFORE} (${before.meta.scheduler.label})`)] : []),
      ...able.map((each) => h("option", { value: each.name }, each.label)),
    );
  }

  refill() {
    const kept = this.select.value;
    this.#options();
    this.select.value = kept;
  }

  #say(words) {
    this.figures.textContent = words;
  }

  #take(label, columns) {
    const jobs = {
      count: columns.arrival_us.length,
      arrival: columns.arrival_us.map((us) => us * 1000),
      end: columns.end_us.map((us) => (us < 0 ? -1 : us * 1000)),
    };
    if (!sameJobs(this.graphs.jobs, columns)) {
      this.#fail(gettext("The other run has different jobs, so jobs cannot be paired."));
      return;
    }
    this.other = { label, jobs };
    this.pairs = pairsOf(this.graphs.jobs, jobs);
    this.#say(
      this.pairs.jobs.length ? comparedInWords(this.pairs, this.names[0]) : gettext("No job ended in both runs."),
    );
    this.hint.hidden = true;
    this.picture.draw();
  }

  #fail(words) {
    this.pairs = null;
    this.other = null;
    this.hint.hidden = false;
    this.hint.textContent = words;
    this.#say("");
    this.picture.draw();
  }

  /** Run the same work under another scheduler beside the one on the screen; resolves with its run. */
  async #runOther(name) {
    const { studio, meta } = this.desk;
    // The same seed as the run on the screen, which need not be the experiment's: else the jobs would be others.
    const experiment = { ...studio.session.experiment, seed: meta.seed };
    const chosen = studio.schedulers.find((each) => each.name === name);
    const made = await createExperiment({
      ...experiment,
      name: `${experiment.name || gettext("Experiment")}: ${chosen.label}`.slice(0, 64),
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
        } else this.#say(`${chosen.label}: ${Math.round((progress || 0) * 100)}\u202f%`);
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
    const before = select.value === "=" ? desk.studio.ghost.session : null;
    const label = before ? `${before.meta.scheduler.label}, ${BEFORE}` : select.selectedOptions[0].textContent;
    try {
      this.#say(gettext("Starting…"));
      const run = before ? before.run.id : await this.#runOther(select.value);
      if (mine !== this.asked) return;
      const { columns } = await fetchTable(run, "jobs");
      if (mine === this.asked) this.#take(label, columns);
    } catch (error) {
      if (mine !== this.asked) return;
      this.#fail(
        error.problems?.length
          ? gettext("{label} cannot run this: {problem}", { label, problem: problemText(error.problems[0]) })
          : error.message,
      );
    }
  }

  #tell({ job }) {
    const { names, pairs } = this;
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
      scene: (width, height) =>
        this.pairs?.jobs.length
          ? pairsScene(this.pairs, {
              width,
              height,
              names: this.names,
              chosen: desk.selection.job,
              over: this.over,
            })
          : [],
      hit: (x, y) => {
        const job = this.pairs ? pairAt(this.pairs, this.picture.width, this.picture.height, x, y) : -1;
        return job < 0 ? null : { kind: "job", job };
      },
      tell: (item) => this.#tell(item),
      pick: (item) => desk.selectJob(item.job),
      step: (item, dx, dy) => this.#step(item, dx, dy),
      at: ({ job }) => {
        const at = this.pairs.jobs.indexOf(job);
        const where = pairsPlace(this.pairs, this.picture.width, this.picture.height);
        return [where.x(this.pairs.other[at]), where.y(this.pairs.mine[at])];
      },
      over: (item) => {
        this.over = item?.job ?? -1;
        this.picture.draw();
      },
    };
  }
}
