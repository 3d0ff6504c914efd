/** Who is next: what each job or queue holds of the counted quantity, compared with its fair share. */

import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { duration, percent, whole } from "../../kit/format.js";
import { queueName } from "../../kit/names.js";
import { html, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { choiceAt, fitsGround } from "./fits_now.js";
import { fitsPlace, fitsScene, partsOf } from "./fits_scene.js";
import { resourcesByUse, weightOf } from "./job_shares.js";
import { measureOf } from "./measures.js";
import { turnsAt, turnsGround } from "./turns_now.js";
import { turnWords, turnsPlace, turnsScene } from "./turns_scene.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Graphs } from "./job_graphs.js"
 * @import { FitsGround } from "./fits_now.js"
 * @import { Measure } from "./measures.js"
 * @import { Ground } from "./turns_now.js"
 */

/** Machines count as free if tasks hold less than this fraction of every resource. */
const BUSY = 0.8;

/**
 * @typedef {object} TurnsDesk  what the picture needs of the page around it
 * @property {Meta} meta  of the run on screen
 * @property {number} t_ns  the instant on screen
 * @property {number} moment  the task of the moment on screen; -1 for none
 * @property {(job: number) => void} selectJob
 */

/**
 * @typedef {{graphs: Graphs, measure: Measure, weight: (job: number) => number, ground: Ground, fits: FitsGround |
 *   null}} Known  facts that do not change over a run; `fits` if the best fit for a machine's room goes first
 */

export default {
  id: "turns",
  title: gettext("Who is next"),
  question: gettext("Who holds how much now, and whose task starts next?"),
  needs: (/** @type {Meta} */ meta) => measureOf(meta) !== null,
  /**
   * @param {HTMLElement} body
   * @param {TurnsDesk} desk
   */
  mount(body, desk) {
    const view = new TurnsView(body, desk);
    const { picture } = view;
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      moved: () => picture.draw(),
      tells: (/** @type {number} */ t_ns) => view.tells(t_ns),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class TurnsView {
  /**
   * @param {HTMLElement} body
   * @param {TurnsDesk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** @type {Known | null} */
    this.known = null;
    /** True if machines are free although tasks wait. */
    this.room = false;
    /** True if jobs have different weights. */
    this.weighed = false;
    this.key = signal("");
    const place = picturePlace(body, () => html`<p class="picture-key">${this.key.value}</p>`);
    this.picture = new CanvasPicture(
      place,
      gettext("What each job or queue holds now beside its fair share. Arrow keys go from row to row, Enter selects."),
      {
        scene: (/** @type {number} */ width, /** @type {number} */ height) => {
          const { known } = this;
          const turns = this.#turns();
          if (known?.measure.fits) return fitsScene(this.#choice(), this.#fitsHow(known, width, height));
          return known ? turnsScene(turns, this.#how(known, width, height)) : [];
        },
        hit: (/** @type {number} */ x, /** @type {number} */ y) => {
          if (this.known?.measure.fits) return this.#pieceAt(x);
          const { turns, place: found } = this.#placed();
          const turn = turns.find((one) => y >= found.y(one) && y < found.y(one) + found.row);
          return turn ? { number: turn.number } : null;
        },
        tell: (/** @type {{number: number}} */ { number }) => this.#tell(number),
        pick: (/** @type {{number: number}} */ { number }) => {
          if (this.known?.measure.of === "jobs") desk.selectJob(number);
        },
        step: (/** @type {{number: number} | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) => {
          if (this.known?.measure.fits) return this.#pieceBeside(item, dx || dy || 1);
          const { turns } = this.#placed();
          const at = turns.findIndex((one) => one.number === item?.number) + (dy || 1);
          return turns.length ? { number: turns[Math.min(turns.length - 1, Math.max(0, at))].number } : null;
        },
        at: (/** @type {{number: number}} */ { number }) => {
          const piece = this.known?.measure.fits ? this.#pieces().findIndex((each) => each.job === number) : -1;
          if (piece >= 0) {
            const pieces = fitsPlace(this.picture, this.#pieces().length);
            return [pieces.x(piece) + pieces.side / 2, pieces.y + pieces.side / 2];
          }
          const { turns, place: found } = this.#placed();
          const turn = turns.find((one) => one.number === number);
          return [140, turn ? found.y(turn) + found.row / 2 : 0];
        },
      },
    );
  }

  /** @param {Graphs | null} graphs */
  show(graphs) {
    const { meta } = this.desk;
    const measure = graphs ? measureOf(meta) : null;
    this.known =
      graphs && measure
        ? {
            graphs,
            measure,
            weight: weightOf(meta, graphs),
            ground: turnsGround(graphs, measure, meta),
            fits: measure.fits ? fitsGround(graphs, meta) : null,
          }
        : null;
    if (this.known) this.key.value = keyWords(this.known);
    this.picture.draw();
  }

  #turns(t_ns = this.desk.t_ns) {
    const { queues } = this.desk.meta;
    if (!this.known) return [];
    const { graphs, ground, measure, weight } = this.known;
    const turns = turnsAt(graphs, ground, measure, t_ns, { queues, weight });
    const taken = (turns[0]?.parts ?? []).map((_, resource) =>
      turns.reduce((sum, one) => sum + one.parts[resource], 0),
    );
    this.room = Math.max(0, ...taken) < BUSY;
    this.weighed = turns.some(({ fair }) => Math.abs(fair - turns[0].fair) > 1e-9);
    return turns;
  }

  #placed() {
    const { width, height } = this.picture;
    const turns = this.#turns();
    const place = turnsPlace(turns, { width, height, lanes: this.known?.ground.lanes ?? 1 });
    return { turns: place.kept, place };
  }

  /**
   * @param {Known} known
   * @param {number} width
   * @param {number} height
   */
  #how({ graphs, measure, ground }, width, height) {
    const { room, weighed } = this;
    const { lanes, counts, shown, most, wait_ns } = ground;
    const byQueue = measure.of === "queues";
    /** @param {number} number */
    const hue = (number) => (byQueue ? number % 8 : graphs.jobs.hue(number));
    /** @param {number} number */
    const name = (number) => this.#name(number);
    return { width, height, lanes, counts, shown, most, wait_ns, room, weighed, measure, hue, name };
  }

  // -- where the best fit goes first ---------------------------------------------------------------------------------

  /** The choice that is shown at an instant. */
  #choice(t_ns = this.desk.t_ns) {
    const { known } = this;
    if (!known?.fits) return null;
    return choiceAt(known.graphs, known.fits, t_ns, this.desk.moment);
  }

  #pieces() {
    return this.#choice()?.candidates ?? [];
  }

  /**
   * @param {Known} known
   * @param {number} width
   * @param {number} height
   */
  #fitsHow({ graphs }, width, height) {
    const shown = resourcesByUse(graphs)
      .slice(0, 2)
      .sort((a, b) => a - b);
    const name = (/** @type {number} */ number) => this.#name(number);
    return { width, height, shown, demand: graphs.stages.demand, hue: graphs.jobs.hue, name };
  }

  /** The job of the piece at a place across. @param {number} x */
  #pieceAt(x) {
    const pieces = this.#pieces();
    const place = fitsPlace(this.picture, pieces.length);
    const at = pieces.findIndex((_, number) => x >= place.x(number) && x < place.x(number + 1));
    return at >= 0 && at < place.shown ? { number: pieces[at].job } : null;
  }

  /** @param {{number: number} | null} item @param {number} by */
  #pieceBeside(item, by) {
    const pieces = this.#pieces();
    const at = pieces.findIndex(({ job }) => job === item?.number) + by;
    return pieces.length ? { number: pieces[Math.min(pieces.length - 1, Math.max(0, at))].job } : null;
  }

  /** What a choice was, and why. @param {number} t_ns */
  #tellsChoice(t_ns) {
    const choice = this.#choice(t_ns);
    if (!choice) return "";
    const [best] = choice.candidates;
    const values = {
      time: duration(choice.t_ns),
      machine: whole(choice.machine),
      name: this.#name(best.job),
      task: whole(this.known?.graphs.placements.task[choice.at] ?? -1),
      ...partsOf(best),
    };
    if (choice.candidates.length === 1)
      return gettext("At {time}, task {task} of {name} started on machine {machine}: no other task could.", values);
    return gettext(
      "At {time}, task {task} of {name} started on machine {machine}, with the best score: {score}. Its fit counts " +
        "{fit}, less {work} for the work that its job has left.",
      values,
    );
  }

  /** @param {number} number */
  #name(number) {
    if (this.known?.measure.of === "queues") return queueName(this.desk.meta.queues[number].name);
    return gettext("job {job}", { job: whole(number) });
  }

  /** @param {number} number */
  #tell(number) {
    const piece = this.#pieces().find(({ job }) => job === number);
    if (piece)
      return gettext("{name}: fit {fit}, less {work} for the work that it has left. Its score is {score}.", {
        name: this.#name(number),
        ...partsOf(piece),
      });
    const turns = this.#turns();
    const turn = turns.find((one) => one.number === number);
    if (!turn || !this.known) return "";
    const how = this.#how(this.known, 1, 1);
    return gettext("{name} holds {part}; its share is {fair}. {words}.", {
      name: this.#name(number),
      part: this.#amount(turn.holds),
      fair: this.#amount(turn.fair),
      words: turnWords(
        turn,
        how,
        turns.find((one) => one.next),
      )[0],
    });
  }

  /** @param {number} part */
  #amount(part) {
    const { counts, most } = this.known?.ground ?? { counts: "dominant", most: 1 };
    if (counts === "tasks") return gettext("{count} tasks", { count: whole(Math.round(part * most)) });
    return percent(Math.round(1000 * part) / 1000);
  }

  /**
   * Describe who is next at an instant.
   * @param {number} t_ns
   */
  tells(t_ns) {
    if (!this.known) return "";
    if (this.known.measure.fits) return this.#tellsChoice(t_ns);
    const turns = this.#turns(t_ns);
    const first = turns.find((turn) => turn.next);
    if (!first) return gettext("No task waits now.");
    if (first.skipped >= 0)
      return gettext(
        "At {time}, {name} is next, but no machine with its data has room. It lets others go first, " +
          "for {most} at most.",
        { name: this.#name(first.number), most: duration(this.known.ground.wait_ns), time: duration(t_ns) },
      );
    const others = turns.filter((turn) => turn.waits && !turn.next);
    const most = others.sort((a, b) => b.holds / b.fair - a.holds / a.fair)[0];
    const values = {
      name: this.#name(first.number),
      part: this.#amount(first.holds),
      fair: this.#amount(first.fair),
      time: duration(t_ns),
    };
    if (!most) return gettext("Only tasks of {name} wait now.", values);
    if (this.known.measure.of === "queues")
      return gettext(
        "At {time}, {name} is next: of its share of {fair}, it uses {part}. {other} has {own} and uses {more}.",
        {
          ...values,
          other: this.#name(most.number),
          own: this.#amount(most.fair),
          more: this.#amount(most.holds),
        },
      );
    return gettext("At {time}, {name} is next: it holds {part}. Tasks of {other} wait longer: it holds {more}.", {
      ...values,
      other: this.#name(most.number),
      more: this.#amount(most.holds),
    });
  }
}

/** Return a resource's usual name. @param {string} name */
function resourceName(name) {
  /** @type {Record<string, string>} */
  const known = { cpus: gettext("CPUs"), memory_gb: gettext("memory"), gpus: gettext("GPUs") };
  return known[name] ?? name;
}

/**
 * Explain the bars.
 * @param {Known} known
 */
function keyWords({ graphs, ground, measure }) {
  const { counts, shown } = ground;
  if (measure.fits) return fitsWords(graphs);
  const [upper, lower] = shown.map((each) => resourceName(graphs.resources[each]));
  const values = { upper, lower };
  if (counts === "tasks" && ground.wait_ns)
    return gettext(
      "Bar: its running tasks. Square: a task that waits. Clock: how long the job lets others go first, until a " +
        "machine with its data has room.",
    );
  if (counts === "tasks") return gettext("Bar: its running tasks. Square: a task of it that waits.");
  if (!lower) return gettext("Bar: its part of all {upper}. Square: a task of it that waits.", values);
  return counts === "dominant"
    ? gettext(
        "Upper bar: its part of all {upper}. Lower bar: {lower}. The longer one counts and has its full color. " +
          "Square: a task that waits.",
        values,
      )
    : gettext(
        "Upper bar: its part of all {upper}, which counts. Pale lower bar: {lower}, which does not. " +
          "Square: a task that waits.",
        values,
      );
}

/** What squares, pieces and numbers are where the best fit goes first. @param {Graphs} graphs */
function fitsWords(graphs) {
  const [across, up] = resourcesByUse(graphs)
    .slice(0, 2)
    .sort((a, b) => a - b);
  return gettext(
    "Square: the machine, {across} across and {up} up. Gray: taken. Colored: one task. Below: its part of all " +
      "candidates' alignment is the fit; less its job's part of the work that they have left, it is the score.",
    { across: resourceName(graphs.resources[across]), up: resourceName(graphs.resources[up ?? across]) },
  );
}
