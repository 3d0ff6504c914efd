/** One job as a graph: its stages as boxes with their progress at the current instant. */

import { BOX, fitting, graphPlan, graphScene, graphStep, stageAt } from "./graph_scene.js";
import { tellStage } from "./job_sentences.js";
import { whole } from "../../kit/format.js";
import { CanvasPicture, picturePlace } from "../../draw/scenes/canvas_picture.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Desk } from "./desk.js"
 * @import { GraphPlan } from "./graph_scene.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/** @typedef {{kind: "stage", stage: number}} StageItem */

export default {
  id: "graph",
  title: gettext("Graph"),
  question: gettext("How far is each stage, and what does it wait for?"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const view = new GraphView(body, desk);
    return {
      graphs: (/** @type {Graphs | null} */ next) => view.show(next),
      moved() {
        if (!view.plan) return;
        view.picture.draw();
        view.picture.retell();
      },
      selected() {
        view.take();
        view.picture.draw();
      },
      scene: () => ({
        marks: view.picture.scene(),
        width: view.picture.width,
        height: view.picture.height,
        about: gettext("job {job}", { job: whole(Math.max(0, view.job)) }),
      }),
    };
  },
};

class GraphView {
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {GraphPlan | null} */
    this.plan = null;
    this.job = -1;
    this.camera = { scale: 1, x: 0, y: 0 };
    this.over = -1;
    this.free = false; // true after the viewer moved the camera
    const key = gettext("Double line: barrier. Thick arrow: critical path. Bar: tasks done; striped: running tasks.");
    const place = picturePlace(body, () => html`<p class="picture-key">${key}</p>`);
    /** @type {CanvasPicture<StageItem>} */
    this.picture = new CanvasPicture(
      place,
      gettext("The stages of a job. Arrow keys follow the graph, plus and minus zoom, Enter selects."),
      this.#model(),
    );
  }

  /** @param {Graphs | null} graphs */
  show(graphs) {
    this.graphs = graphs;
    this.plan = null;
    this.job = -1;
    this.take();
    this.picture.draw();
  }

  /** Show the selected job. */
  take() {
    const { graphs } = this;
    const wanted = graphs ? Math.max(0, this.desk.selection.job) : -1;
    if (wanted === this.job && this.plan) return;
    this.job = wanted;
    this.plan = graphs && wanted >= 0 && graphs.jobs.count ? graphPlan(graphs, wanted) : null;
    this.over = -1;
    this.#fit();
  }

  #fit() {
    this.free = false;
    const { plan, picture } = this;
    if (plan && picture?.width) this.camera = fitting(plan, picture.width, picture.height);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  #move(dx, dy) {
    this.camera = { ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy };
  }

  /**
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  #zoom(factor, x, y) {
    const { camera } = this;
    const scale = Math.min(3, Math.max(0.02, camera.scale * factor));
    const by = scale / camera.scale;
    this.camera = { scale, x: x - (x - camera.x) * by, y: y - (y - camera.y) * by };
    this.free = true;
  }

  /**
   * Return the bottom of a stage's box.
   * @param {{stage: number}} options
   */
  #foot({ stage }) {
    const { plan, camera } = this;
    if (!plan) return [0, 0];
    const local = stage - plan.first;
    return [(plan.x[local] + BOX.w / 2) * camera.scale + camera.x, (plan.y[local] + BOX.h) * camera.scale + camera.y];
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #scene(width, height) {
    const { desk, graphs, plan, camera, over } = this;
    if (!plan || !graphs) return [];
    return graphScene(graphs, plan, camera, { t_ns: desk.t_ns, width, height, chosen: desk.selection.stage, over });
  }

  /**
   * @param {StageItem | null} item
   * @param {number} dx
   * @param {number} dy
   * @returns {StageItem | null}
   */
  #step(item, dx, dy) {
    const { desk, plan } = this;
    if (!plan) return null;
    const from = item?.stage ?? (desk.selection.stage >= plan.first ? desk.selection.stage : -1);
    return { kind: "stage", stage: graphStep(plan, from, dx, dy) };
  }

  /** @returns {import("../../draw/scenes/canvas_picture.js").PictureModel<StageItem>} */
  #model() {
    return {
      scene: (/** @type {number} */ width, /** @type {number} */ height) => this.#scene(width, height),
      hit: (/** @type {number} */ x, /** @type {number} */ y) => {
        const stage = this.plan ? stageAt(this.plan, this.camera, x, y) : -1;
        return stage < 0 ? null : { kind: "stage", stage };
      },
      tell: (/** @type {StageItem} */ item) => (this.graphs ? tellStage(this.graphs, item.stage, this.desk.t_ns) : ""),
      pick: (/** @type {StageItem} */ item) => this.desk.selectStage(item.stage),
      step: (/** @type {StageItem | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) =>
        this.#step(item, dx, dy),
      at: (/** @type {StageItem} */ item) => this.#foot(item),
      reveal: (/** @type {StageItem} */ item) => {
        const [x, y] = this.#foot(item);
        /**
         * @param {number} at
         * @param {number} most
         */
        const away = (at, most) => (at < 60 ? 60 - at : at > most - 60 ? most - 60 - at : 0);
        this.#move(away(x, this.picture.width), away(y, this.picture.height));
      },
      over: (/** @type {StageItem | null} */ item) => {
        this.over = item?.stage ?? -1;
        this.picture.draw();
      },
      zoom: (/** @type {number} */ factor, /** @type {number} */ x, /** @type {number} */ y) =>
        this.#zoom(factor, x, y),
      pan: (/** @type {number} */ dx, /** @type {number} */ dy) => {
        this.#move(dx, dy);
        this.free = true;
      },
      fit: () => this.#fit(),
      resized: () => {
        if (!this.free) this.#fit();
      },
    };
  }
}
