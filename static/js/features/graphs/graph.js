/** One job as a graph: its stages as boxes with their progress at the viewer's instant. */

import { BOX, fitting, graphPlan, graphScene, graphStep, stageAt } from "./graph_scene.js";
import { tellStage } from "./job_sentences.js";
import { whole } from "../../kit/format.js";
import { CanvasPicture } from "../../kit/canvas_picture.js";
import { h } from "../../kit/dom.js";

export default {
  id: "graph",
  title: "Graph",
  question: "How far is each stage, and what does it wait for?",
  mount(body, desk) {
    let graphs = null;
    let plan = null;
    let job = -1;
    let camera = { scale: 1, x: 0, y: 0 };
    let over = -1;
    let free = false; // whether the viewer has moved the camera

    const key = h("p", { class: "picture-key" }, "‖ barrier · thick: critical path · bar: done, striped: running");
    const place = h("div", { class: "picture-place" });
    body.append(h("div", { class: "picture-tools" }, key), place);

    const fit = () => {
      free = false;
      if (plan && picture.width) camera = fitting(plan, picture.width, picture.height);
    };
    const take = () => {
      const wanted = graphs ? Math.max(0, desk.selection.job) : -1;
      if (wanted === job && plan) return;
      job = wanted;
      plan = job >= 0 && graphs.jobs.count ? graphPlan(graphs, job) : null;
      over = -1;
      fit();
    };
    const picture = new CanvasPicture(
      place,
      "The stages of a job. Arrow keys follow the graph, plus and minus zoom, Enter selects.",
      {
        scene: (width, height) =>
          plan
            ? graphScene(graphs, plan, camera, { t_ns: desk.t_ns, width, height, chosen: desk.selection.stage, over })
            : [],
        hit(x, y) {
          const stage = plan ? stageAt(plan, camera, x, y) : -1;
          return stage < 0 ? null : { kind: "stage", stage };
        },
        tell: (item) => tellStage(graphs, item.stage, desk.t_ns),
        pick: (item) => desk.selectStage(item.stage),
        step: (item, dx, dy) =>
          plan
            ? {
                kind: "stage",
                stage: graphStep(
                  plan,
                  item?.stage ?? (desk.selection.stage >= plan.first ? desk.selection.stage : -1),
                  dx,
                  dy,
                ),
              }
            : null,
        at({ stage }) {
          const local = stage - plan.first;
          return [
            (plan.x[local] + BOX.w / 2) * camera.scale + camera.x,
            (plan.y[local] + BOX.h) * camera.scale + camera.y,
          ];
        },
        reveal(item) {
          const [x, y] = this.at(item);
          const away = (at, most) => (at < 60 ? 60 - at : at > most - 60 ? most - 60 - at : 0);
          camera = { ...camera, x: camera.x + away(x, picture.width), y: camera.y + away(y, picture.height) };
        },
        over(item) {
          over = item?.stage ?? -1;
          picture.draw();
        },
        zoom(factor, x, y) {
          const scale = Math.min(3, Math.max(0.02, camera.scale * factor));
          const by = scale / camera.scale;
          camera = { scale, x: x - (x - camera.x) * by, y: y - (y - camera.y) * by };
          free = true;
        },
        pan(dx, dy) {
          camera = { ...camera, x: camera.x + dx, y: camera.y + dy };
          free = true;
        },
        fit,
        resized() {
          if (!free) fit();
        },
      },
    );

    return {
      graphs(next) {
        graphs = next;
        plan = null;
        job = -1;
        take();
        picture.draw();
      },
      moved() {
        if (plan) {
          picture.draw();
          picture.retell();
        }
      },
      selected() {
        take();
        picture.draw();
      },
      scene: () => ({
        marks: picture.scene(),
        width: picture.width,
        height: picture.height,
        about: `job ${whole(Math.max(0, job))}`,
      }),
    };
  },
};
