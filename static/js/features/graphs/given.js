/** The jobs that give a part of their equal share away, and the jobs that use it, at one instant. */

import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { percent, whole } from "../../kit/format.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { givenPlace, givenScene, wordsOf } from "./given_scene.js";
import { isFromLeftover } from "./job_graphs.js";
import { weightOf } from "./job_shares.js";
import { LEAST, groundOf, standingAt } from "./standing.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 * @import { Standing } from "./standing.js"
 */

/** A start on a given share is visible for this fraction of the run. */
const LASTS = 0.02;

export default {
  id: "given",
  title: gettext("Shares given away"),
  question: gettext("Which jobs give a part of their share away now, and which use it?"),
  // Only if tasks can start on leftover shares.
  needs: (/** @type {Meta} */ meta) =>
    meta.reasons.some((/** @type {{name: string}} */ reason) => reason.name === "left_over"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const view = new GivenView(body, desk);
    const { picture } = view;
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      moved: () => picture.draw(),
      tells: (/** @type {number} */ t_ns) => view.tells(t_ns),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class GivenView {
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {ReturnType<typeof groundOf> | null} */
    this.ground = null;
    /** @type {(job: number) => number} */
    this.weight = () => 1;
    /** Placements that started on given shares, sorted by start. @type {number[]} */
    this.started = [];
    const key = gettext(
      "Bar: what a job holds now. Line: its equal share. Dashed: what it gives away for now. Striped: what it uses " +
        "beyond its share. Small squares: its tasks that could start now. Others in the queue wait for an " +
        "earlier stage.",
    );
    const place = picturePlace(body, () => html`<p class="picture-key">${key}</p>`);
    /** @type {CanvasPicture<{job: number}>} */
    this.picture = new CanvasPicture(
      place,
      gettext("What each job holds now beside its equal share. Arrow keys go from job to job, Enter selects."),
      {
        scene: (/** @type {number} */ width, /** @type {number} */ height) => this.#scene(width, height),
        hit: (/** @type {number} */ _, /** @type {number} */ y) => {
          const found = this.#place();
          const each = found?.shown.find((one) => y >= found.y(one.job) && y < found.y(one.job) + found.row);
          return each ? { job: each.job } : null;
        },
        tell: (/** @type {{job: number}} */ { job }) => this.#tell(job),
        pick: (/** @type {{job: number}} */ { job }) => desk.selectJob(job),
        step: (/** @type {{job: number} | null} */ item, /** @type {number} */ _, /** @type {number} */ dy) =>
          this.graphs
            ? { job: Math.min(this.graphs.jobs.count - 1, Math.max(0, (item?.job ?? -1) + (dy || 1))) }
            : null,
        at: (/** @type {{job: number}} */ { job }) => [140, (this.#place()?.y(job) ?? 0) + 20],
      },
    );
  }

  /** @param {Graphs | null} graphs */
  show(graphs) {
    this.graphs = graphs;
    if (graphs) {
      this.ground = groundOf(graphs);
      this.weight = weightOf(this.desk.meta, graphs);
      this.started = Array.from(graphs.placements.start.keys())
        .filter((at) => graphs.placements.start[at] >= 0 && isFromLeftover(graphs, at))
        .sort((a, b) => graphs.placements.start[a] - graphs.placements.start[b]);
    }
    this.picture.draw();
  }

  #standing(t_ns = this.desk.t_ns) {
    const { graphs, ground } = this;
    return graphs && ground ? standingAt(graphs, ground, t_ns, this.weight) : [];
  }

  #place() {
    return this.graphs ? givenPlace(this.#standing(), this.picture.width, this.picture.height) : null;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #scene(width, height) {
    if (!this.graphs) return [];
    const { jobs } = this.graphs;
    const standings = this.#standing();
    return givenScene(standings, {
      width,
      height,
      hue: (job) => jobs.hue(job),
      gift: this.#gift(standings),
    });
  }

  /**
   * Return the jobs of the current moment, else the largest giver and the job of the last start on a given share.
   * @param {Standing[]} standings
   */
  #gift(standings) {
    if (!this.graphs) return null;
    const { stages, placements } = this.graphs;
    /** @param {number} at */
    const jobOf = (at) => stages.job[placements.stage[at]];
    const shown = this.desk.studio.moments?.shown;
    if (shown?.beside !== undefined) {
      const [to, from] = [shown.task, shown.beside].map((task) => placements.task.indexOf(task));
      return from >= 0 && to >= 0 ? { from: jobOf(from), to: jobOf(to) } : null;
    }
    if (shown) return null;
    const { t_ns } = this.desk;
    const since = t_ns - LASTS * Math.max(...placements.end);
    const last = this.started.filter((at) => placements.start[at] <= t_ns && placements.start[at] >= since).at(-1);
    if (last === undefined) return null;
    const giver = standings
      .filter((each) => each.gives && each.job !== jobOf(last))
      .sort((a, b) => b.gives - a.gives)[0];
    return giver ? { from: giver.job, to: jobOf(last) } : null;
  }

  /** @param {number} job */
  #tell(job) {
    const each = this.#standing()[job];
    const name = gettext("Job {job}", { job: whole(job) });
    if (each.state !== "here") return gettext("{name} is not here now.", { name });
    return gettext("{name} holds {part} of the datacenter; its share is {fair}. {words}.", {
      name,
      part: percent(each.holds),
      fair: percent(each.fair),
      words: wordsOf(each)[0],
    });
  }

  /**
   * Describe the jobs that give and those that take at an instant.
   * @param {number} t_ns
   */
  tells(t_ns) {
    if (!this.graphs) return "";
    const standings = this.#standing(t_ns).filter((each) => each.state === "here");
    /** @param {Standing[]} rows */
    const named = (rows) => rows.map((each) => whole(each.job)).join(", ");
    const givers = standings.filter((each) => each.gives);
    const takers = standings.filter((each) => each.holds - each.fair >= LEAST);
    if (!givers.length) return gettext("Now no job gives a part of its share away.");
    const gives = gettext("Now these jobs give a part of their share away: {jobs}. They end no later without it.", {
      jobs: named(givers),
    });
    if (!takers.length) return gettext("{gives} Nobody uses it yet.", { gives });
    return gettext("{gives} These jobs use more than their share: {jobs}.", { gives, jobs: named(takers) });
  }
}
