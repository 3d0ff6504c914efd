/** Which way a task's unit takes in a round, asked by number or by a click. */

import { whole } from "../../kit/format.js";
import { fetchWay } from "../../run/why/networks.js";
import { whyTask } from "../../run/why/why_task.js";
import { h } from "../../kit/dom.js";
import { wayElement } from "../../run/why/way.js";
import { gettext } from "../../kit/words.js";

/** @import { FlowPicture } from "./flow.js" */

/**
 * Ask about the task whose number is typed.
 * @param {FlowPicture} flow
 */
export function askTyped(flow) {
  const task = Number.parseInt(flow.parts.task.value.replace(/\D/g, ""), 10);
  if (Number.isFinite(task)) askWay(flow, task);
  else tellWay(flow, h("p", {}, gettext("Type a task's number, or click one in the picture.")));
}

/**
 * The ways of a task in the round that is shown; or, `placed`, in the one that decided where it is, which is shown
 * then.
 * @param {FlowPicture} flow
 * @param {number} task
 */
export async function askWay(flow, task, placed = false) {
  if (!flow.network || !flow.run_) return;
  flow.parts.task.value = String(task);
  const { run_: run } = flow;
  const { round, t_s } = flow.network;
  tellWay(flow, h("p", { role: "status" }, gettext("Looking for the paths of task {task}…", { task: whole(task) })));
  try {
    const way = await fetchWay(
      flow.policy.side === "before" ? (flow.policy.before?.id ?? run.id) : run.id,
      placed ? { task, at_s: t_s } : { task, round },
    );
    if (flow.run_ !== run || flow.network?.round !== round) return;
    const stays = !placed && way.path.length > 0 && !way.next;
    const back =
      stays &&
      h(
        "button",
        { type: "button", class: "link", "data-placed": true, onclick: () => askWay(flow, task, true) },
        gettext("Which round placed it?"),
      );
    flow.way = way;
    if (way.round >= 1 && way.round !== round) {
      flow.follows = false;
      flow.goTo(way.round);
    }
    const all =
      flow.policy.side === "before"
        ? null
        : h(
            "button",
            { type: "button", class: "link", "data-decisions": true, onclick: () => whyTask(flow.desk.studio, task) },
            gettext("All its decisions"),
          );
    tellWay(
      flow,
      h("div", { class: "flow-way-said" }, wayElement(way), h("p", { class: "flow-links" }, back || null, all)),
    );
    flow.picture.draw();
  } catch (/** @type {any} */ error) {
    tellWay(flow, h("p", { role: "alert" }, flow.problem(error)));
  }
}

/**
 * The way of a task in the round that decided about it at an instant or later, and that round.
 * @param {FlowPicture} flow
 * @param {number} task
 * @param {number} at_s
 */
export async function showWay(flow, task, at_s) {
  if (!flow.run_) return;
  const { run_: run } = flow;
  flow.parts.task.value = String(task);
  flow.follows = false;
  try {
    const way = await fetchWay(run.id, { task, at_s });
    if (flow.run_ !== run || flow.follows) return;
    flow.way = way;
    tellWay(flow, wayElement(way));
    if (way.round >= 1) flow.goTo(way.round);
  } catch (/** @type {any} */ error) {
    tellWay(flow, h("p", { role: "alert" }, flow.problem(error)));
  }
}

/**
 * @param {FlowPicture} flow
 * @param {HTMLElement | null} element
 */
export function tellWay(flow, element) {
  flow.parts.ways.replaceChildren(...(element ? [element] : []));
  flow.parts.ways.hidden = !element;
}
