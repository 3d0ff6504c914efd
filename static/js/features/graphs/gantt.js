/** Every task as a bar over time, in the row of its job or of its machine. */

import { boxOf, ganttHit, ganttMarks, ganttScene, ganttStep, rowOfPlacement } from "./gantt_scene.js";
import { GANTT_AXIS, GANTT_GUTTER, ganttPlace, ganttRows, rowTops } from "./gantt_place.js";
import { giftsOf, tellGifts } from "./gifts.js";
import { weightOf } from "./job_shares.js";
import { tellJob, tellTask } from "./job_sentences.js";
import { whole } from "../../kit/format.js";
import { clusterOf } from "../../run/sentences.js";
import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { html, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";

/**
 * @import { Desk } from "./desk.js"
 * @import { Frame, GanttItem, Model } from "./gantt_place.js"
 * @import { Gifts } from "./gifts.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/** @type {{name: "jobs" | "machines", label: string, help: string}[]} */
const ROWS = [
  {
    name: "jobs",
    label: gettext("Jobs"),
    help: gettext("A row for each job; the line below its tasks runs from its arrival to its end."),
  },
  { name: "machines", label: gettext("Machines"), help: gettext("A row for each machine that ran a task.") },
];

export default {
  id: "gantt",
  title: gettext("Gantt"),
  question: gettext("Which task ran when, and where?"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const view = new GanttView(body, desk);
    const { picture } = view;
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      moved: () => picture.drawMoving(),
      selected: () => view.selected(),
      tells: (/** @type {number} */ t_ns) => (view.gifts ? tellGifts(view.gifts, t_ns) : ""),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};

class GanttView {
  #by = signal(ROWS[0].name);
  #tall = signal(false);
  #key = signal("");

  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** The visible part of the chart: the time span, the scroll offset, and the tops of rows. */
    this.view = { span: [0, 1], scroll: 0, tops: new Float64Array(1), width: 1, height: 1 };
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {Model | null} */
    this.model = null;
    /** The shares that jobs give away, if any do. @type {Gifts | null} */
    this.gifts = null;
    /** @type {GanttItem | null} */
    this.over = null;
    const place = picturePlace(body, () => this.#toolsView());
    /** @type {CanvasPicture<GanttItem>} */
    this.picture = new CanvasPicture(
      place,
      gettext(
        "Tasks over time, a row for each job or machine. Arrow keys go from task to task, " +
          "plus and minus zoom, Enter selects.",
      ),
      this.#model(),
    );
  }

  #toolsView() {
    const rows = ROWS.map(
      ({ name, label, help }) => html`<button
        type="button"
        class="layer"
        aria-pressed=${String(name === this.#by.value)}
        data-rows=${name}
        data-tip=${help}
        @click=${() => this.#arrange(name)}
      >${label}</button>`,
    );
    return html`<div class="layers" role="group" aria-label=${gettext("Rows")}>${rows}</div>
      <div class="layers"
        ><button
          type="button"
          class="layer"
          aria-pressed=${String(this.#tall.value)}
          data-tip=${gettext("On: rows as tall as their tasks need, with scrolling. Off: all rows at once.")}
          @click=${() => this.#stretch()}
        >${gettext("Tall rows")}</button></div
      >
      <p class="picture-key">${this.#key.value}</p>`;
  }

  /** @param {"jobs" | "machines"} by */
  #arrange(by) {
    this.#by.value = by;
    if (this.graphs) this.#build(this.graphs);
  }

  #stretch() {
    this.#tall.value = !this.#tall.value;
    this.#layOut();
    this.picture.draw();
  }

  /** @param {Graphs | null} graphs */
  show(graphs) {
    this.graphs = graphs;
    this.model = null;
    this.gifts = null;
    this.over = null;
    if (!graphs) {
      this.picture.draw();
      return;
    }
    this.gifts = giftsOf(graphs, weightOf(this.desk.meta, graphs));
    const model = this.#build(graphs);
    this.view.span = [0, model.end];
    const given = this.gifts
      ? gettext("Dashed: the job gives a part of its share away. ◤: a task that runs on such a part.")
      : "";
    this.#key.value = [hueWords(graphs.jobs.by()), gettext("Shades: stages."), given].filter(Boolean).join(" ");
    if (this.desk.selection.at >= 0) this.#reveal(this.desk.selection.at);
  }

  selected() {
    if (this.model && this.desk.selection.at >= 0) this.#reveal(this.desk.selection.at);
    this.picture.draw();
  }

  #clamp() {
    const { model, view } = this;
    if (!model) return;
    const least = model.end * 1e-6;
    const length = Math.min(model.end, Math.max(least, view.span[1] - view.span[0]));
    const from = Math.min(Math.max(0, view.span[0]), model.end - length);
    view.span = [from, from + length];
    const most = Math.max(0, view.tops[view.tops.length - 1] - (view.height - GANTT_AXIS));
    view.scroll = Math.min(Math.max(0, view.scroll), most);
  }

  #layOut() {
    if (!this.model) return;
    this.view.tops = rowTops(this.model, this.view.height - GANTT_AXIS, this.#tall.value);
    this.#clamp();
  }

  /** @param {Graphs} graphs */
  #build(graphs) {
    const model = { ...ganttRows(graphs, this.#by.value), gifts: this.gifts };
    this.model = model;
    this.over = null;
    this.view.scroll = 0;
    this.#layOut();
    this.picture.draw();
    return model;
  }

  /**
   * Scroll a task into view.
   * @param {number} at
   */
  #reveal(at) {
    const { graphs, model, view } = this;
    if (!graphs || !model) return;
    const row = rowOfPlacement(graphs, model, at);
    if (row < 0) return;
    const space = view.height - GANTT_AXIS;
    if (view.tops[row] < view.scroll) view.scroll = view.tops[row];
    if (view.tops[row + 1] > view.scroll + space) view.scroll = view.tops[row + 1] - space;
    const [from, to] = view.span;
    const start = graphs.placements.start[at];
    if (start < from || start > to) view.span = [start - (to - from) / 4, start + ((to - from) * 3) / 4];
    this.#clamp();
  }

  /** @param {GanttItem} item */
  #tell(item) {
    const { desk, graphs, model } = this;
    if (!graphs || !model) return "";
    if (item.kind === "task") return tellTask(graphs, desk.meta, item.at);
    if (this.#by.value === "jobs") return tellJob(graphs, desk.meta, model.rows[item.row]);
    const machine = model.rows[item.row];
    return gettext("Machine {machine} of {cluster}: it ran {tasks} tasks, at most {most} at once.", {
      machine: whole(machine),
      cluster: clusterName(clusterOf(desk.meta, machine).name),
      tasks: whole(model.first[item.row + 1] - model.first[item.row]),
      most: whole(model.lanes[item.row]),
    });
  }

  /** @param {GanttItem} item */
  #pick(item) {
    const { desk, model } = this;
    if (!model) return;
    if (item.kind === "task") desk.selectTask(item.at);
    else if (this.#by.value === "jobs") desk.selectJob(model.rows[item.row]);
    else desk.studio.pin(model.rows[item.row]);
  }

  /**
   * @param {GanttItem | null} item
   * @param {number} dx
   * @param {number} dy
   * @returns {GanttItem | null}
   */
  #step(item, dx, dy) {
    const { desk, graphs, model } = this;
    if (!graphs || !model) return null;
    const at = ganttStep(graphs, model, item?.kind === "task" ? item.at : desk.selection.at, dx, dy);
    return at === null ? null : { kind: "task", at };
  }

  /**
   * @param {number} factor
   * @param {number} x
   */
  #zoom(factor, x) {
    const { model, view } = this;
    if (!model) return;
    if (x < GANTT_GUTTER) {
      // Over the row names, the wheel scrolls the rows.
      view.scroll -= Math.log(factor) * 500;
    } else {
      const time = ganttPlace(view).time(x);
      view.span = view.span.map((edge) => time + (edge - time) / factor);
    }
    this.#clamp();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  #pan(dx, dy) {
    const { model, view } = this;
    if (!model) return;
    const shift = (dx / (view.width - GANTT_GUTTER)) * (view.span[1] - view.span[0]);
    view.span = view.span.map((edge) => edge - shift);
    view.scroll -= dy;
    this.#clamp();
  }

  #fit() {
    if (!this.model) return;
    this.view.span = [0, this.model.end];
    this.view.scroll = 0;
    this.#clamp();
  }

  /** @returns {import("../../draw/scenes/canvas_picture.js").PictureModel<GanttItem>} */
  #model() {
    const { desk, view } = this;
    return {
      scene: () => {
        const { graphs, model } = this;
        return graphs && model ? ganttScene(graphs, model, view, { selected: desk.selection.job }) : [];
      },
      moving: () => {
        const { graphs, model, over } = this;
        const how = { t_ns: desk.t_ns, chosen: desk.selection.at, over };
        return graphs && model ? ganttMarks(graphs, model, view, how) : [];
      },
      hit: (/** @type {number} */ x, /** @type {number} */ y) =>
        this.graphs && this.model ? ganttHit(this.graphs, this.model, view, x, y) : null,
      tell: (/** @type {GanttItem} */ item) => this.#tell(item),
      pick: (/** @type {GanttItem} */ item) => this.#pick(item),
      step: (/** @type {GanttItem | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) =>
        this.#step(item, dx, dy),
      reveal: (item) => this.#reveal(/** @type {{at: number}} */ (item).at),
      at: (item) => {
        const { graphs, model } = this;
        const { at } = /** @type {{at: number}} */ (item);
        const box = graphs && model ? boxOf(graphs, model, view, at) : null;
        return box ? [box.x + box.w / 2, box.y + box.h] : null;
      },
      over: (/** @type {GanttItem | null} */ item) => {
        this.over = item;
        this.picture.drawMoving();
      },
      zoom: (/** @type {number} */ factor, /** @type {number} */ x) => this.#zoom(factor, x),
      pan: (/** @type {number} */ dx, /** @type {number} */ dy) => this.#pan(dx, dy),
      fit: () => this.#fit(),
      resized: (/** @type {number} */ width, /** @type {number} */ height) => {
        view.width = width;
        view.height = height;
        this.#layOut();
      },
    };
  }
}

/**
 * Explain the colors by what they represent.
 * @param {string} by
 */
function hueWords(by) {
  if (by === "length") return gettext("Color: short jobs blue, long jobs orange, as on the map.");
  return by === "job" ? gettext("Color: job, as on the map.") : gettext("Color: queue, as on the map.");
}
