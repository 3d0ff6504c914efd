/** Every task as a bar over time, in the row of its job or of its machine. */

import {
  boxOf,
  GANTT_AXIS,
  GANTT_GUTTER,
  ganttHit,
  ganttMarks,
  ganttPlace,
  ganttRows,
  ganttScene,
  ganttStep,
  rowOfPlacement,
  rowTops,
} from "./gantt_scene.js";
import { isFromLeftover } from "./job_graphs.js";
import { tellJob, tellTask } from "./job_sentences.js";
import { whole } from "../../kit/format.js";
import { clusterOf } from "../../run/sentences.js";
import { CanvasPicture } from "../../kit/canvas_picture.js";
import { childrenOf, h } from "../../kit/dom.js";

export default {
  id: "gantt",
  title: "Gantt",
  question: "Which task ran when, and where?",
  mount(body, desk) {
    const view = { span: [0, 1], scroll: 0, tops: new Float64Array(1), width: 1, height: 1 };
    let graphs = null;
    let model = null;
    let by = "jobs";
    let tall = false;
    let over = null;

    const choice = (name, label, help) =>
      h(
        "button",
        {
          type: "button",
          class: "layer",
          "data-rows": name,
          "data-tip": help,
          onclick: () => {
            by = name;
            build();
          },
        },
        label,
      );
    const rows = h(
      "div",
      { class: "layers", role: "group", "aria-label": "Rows" },
      choice("jobs", "Jobs", "A row for each job; the line below its tasks runs from its arrival to its end."),
      choice("machines", "Machines", "A row for each machine that ran a task."),
    );
    const taller = h(
      "button",
      {
        type: "button",
        class: "layer",
        "aria-pressed": "false",
        "data-tip": "Rows as tall as their tasks need, to scroll; or all rows at once.",
        onclick: () => {
          tall = !tall;
          taller.setAttribute("aria-pressed", String(tall));
          layOut();
          picture.draw();
        },
      },
      "Tall rows",
    );
    const key = h("p", { class: "picture-key" });
    const place = h("div", { class: "picture-place" });
    body.append(h("div", { class: "picture-tools" }, rows, h("div", { class: "layers" }, taller), key), place);

    const clamp = () => {
      const least = model.end * 1e-6;
      const length = Math.min(model.end, Math.max(least, view.span[1] - view.span[0]));
      const from = Math.min(Math.max(0, view.span[0]), model.end - length);
      view.span = [from, from + length];
      view.scroll = Math.min(
        Math.max(0, view.scroll),
        Math.max(0, view.tops[view.tops.length - 1] - (view.height - GANTT_AXIS)),
      );
    };
    const layOut = () => {
      if (!model) return;
      view.tops = rowTops(model, view.height - GANTT_AXIS, tall);
      clamp();
    };
    const build = () => {
      if (!graphs) return;
      model = ganttRows(graphs, by);
      for (const each of childrenOf(rows)) each.setAttribute("aria-pressed", String(each.dataset.rows === by));
      over = null;
      view.scroll = 0;
      layOut();
      picture.draw();
    };
    const reveal = (at) => {
      const row = rowOfPlacement(graphs, model, at);
      if (row < 0) return;
      const space = view.height - GANTT_AXIS;
      if (view.tops[row] < view.scroll) view.scroll = view.tops[row];
      if (view.tops[row + 1] > view.scroll + space) view.scroll = view.tops[row + 1] - space;
      const [from, to] = view.span;
      const start = graphs.placements.start[at];
      if (start < from || start > to) view.span = [start - (to - from) / 4, start + ((to - from) * 3) / 4];
      clamp();
    };

    const picture = new CanvasPicture(
      place,
      "Tasks over time, a row for each job or machine. Arrow keys go from task to task, plus and minus zoom, " +
        "Enter selects.",
      {
        scene: () => (model ? ganttScene(graphs, model, view, { selected: desk.selection.job }) : []),
        moving: () =>
          model ? ganttMarks(graphs, model, view, { t_ns: desk.t_ns, chosen: desk.selection.at, over }) : [],
        hit: (x, y) => (model ? ganttHit(graphs, model, view, x, y) : null),
        tell(item) {
          if (item.kind === "task") return tellTask(graphs, desk.meta, item.at);
          if (by === "jobs") return tellJob(graphs, desk.meta, model.rows[item.row]);
          const machine = model.rows[item.row];
          return (
            `Machine ${whole(machine)} of ${clusterOf(desk.meta, machine).name}: it ran ` +
            `${whole(model.first[item.row + 1] - model.first[item.row])} tasks, at most ` +
            `${whole(model.lanes[item.row])} at once.`
          );
        },
        pick(item) {
          if (item.kind === "task") desk.selectTask(item.at);
          else if (by === "jobs") desk.selectJob(model.rows[item.row]);
          else desk.studio.pin(model.rows[item.row]);
        },
        step(item, dx, dy) {
          if (!model) return null;
          const at = ganttStep(graphs, model, item?.kind === "task" ? item.at : desk.selection.at, dx, dy);
          return at === null ? null : { kind: "task", at };
        },
        reveal: (item) => reveal(item.at),
        at(item) {
          const box = boxOf(graphs, model, view, item.at);
          return box ? [box.x + box.w / 2, box.y + box.h] : null;
        },
        over(item) {
          over = item;
          picture.drawMoving();
        },
        zoom(factor, x) {
          if (!model) return;
          // Beside the names of rows the wheel goes through the rows.
          if (x < GANTT_GUTTER) {
            view.scroll -= Math.log(factor) * 500;
            clamp();
            return;
          }
          const time = ganttPlace(view).time(x);
          view.span = view.span.map((edge) => time + (edge - time) / factor);
          clamp();
        },
        pan(dx, dy) {
          if (!model) return;
          const shift = (dx / (view.width - GANTT_GUTTER)) * (view.span[1] - view.span[0]);
          view.span = view.span.map((edge) => edge - shift);
          view.scroll -= dy;
          clamp();
        },
        fit() {
          if (model) {
            view.span = [0, model.end];
            view.scroll = 0;
            clamp();
          }
        },
        resized(width, height) {
          view.width = width;
          view.height = height;
          layOut();
        },
      },
    );

    return {
      graphs(next) {
        graphs = next;
        model = null;
        over = null;
        if (!graphs) {
          picture.draw();
          return;
        }
        build();
        view.span = [0, model.end];
        const leftover = graphs.placements.reason.some((_, at) => isFromLeftover(graphs, at));
        key.textContent =
          "Hue: queue. Strength tells stages of a job apart." + (leftover ? " ◤ started from leftover." : "");
        if (desk.selection.at >= 0) reveal(desk.selection.at);
      },
      moved() {
        picture.drawMoving();
      },
      selected() {
        if (model && desk.selection.at >= 0) reveal(desk.selection.at);
        picture.draw();
      },
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};
