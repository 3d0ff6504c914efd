/**
 * What was clicked on the map: every layer of the machine, in words, and its last tasks; or sums over a cluster or an owner
 * that is followed. Below, why a task is where it is, by its number.
 */

import { percent, whole } from "../lib/format.js";
import { groupState, nameOf } from "../lib/places.js";
import { describeMachine, hatchLayer, machineRows } from "../lib/sentences.js";
import { decisionsAt } from "../net/api.js";
import { whyTask } from "../pages/interventions.js";
import { h } from "../views/dom.js";

const LAST_TASKS = 4;

function groupRows(meta, picture, target) {
  const state = groupState(meta, picture, target);
  const rows = [{ label: "Machines", value: whole(state.machines) }, { label: "In use", value: whole(state.busy) }, { label: "Mean load", value: percent(state.load) }];
  if (hatchLayer(meta)) rows.push({ label: "Lent", value: whole(state.lent) });
  if (state.failed) rows.push({ label: "Failed", value: whole(state.failed) });
  if (state.draining) rows.push({ label: "Draining", value: whole(state.draining) });
  return rows;
}

export default {
  id: "inspector", place: "right", title: "Inspector", question: "Click a machine to pin it here.",
  mount(body, studio) {
    const sentence = h("p", { class: "inspector-sentence" });
    const rows = h("dl", { class: "inspector-rows" });
    const unpin = h("button", { class: "link", type: "button", hidden: true }, "unpin");
    unpin.addEventListener("click", () => studio.pin(-1));
    const last = h("p", { class: "inspector-last", hidden: true });
    const number = h("input", { class: "inspector-task", type: "number", min: "0", step: "1", placeholder: "number", required: true, "aria-label": "Task" });
    const ask = h("button", { class: "button button-small", type: "submit" }, "Why there?");
    const form = h("form", { class: "inspector-ask", "data-tip": "What was decided about a task, and where its job's probes went, if it has some. Once the run is computed." }, h("span", {}, "Task"), number, ask);
    form.addEventListener("submit", (event) => { event.preventDefault(); whyTask(studio, Number(number.value)); });
    body.append(sentence, rows, last, unpin, form);
    let target = null;
    let asked = "";
    /** The tasks that were decided on a machine last, to ask about; looked up anew where the viewer stops. */
    const tellLast = async () => {
      const run = studio.session?.run;
      const machine = target?.kind === "machine" ? target.machine : -1;
      const at_s = Math.round(studio.stage.player.t_ns / 1e6) / 1e3;
      const wanted = run?.state === "done" && machine >= 0 ? `${run.id} ${machine} ${studio.stage.player.playing ? "" : at_s}` : "";
      if (wanted === asked || (wanted && studio.stage.player.playing && asked.startsWith(`${run.id} ${machine} `))) return;
      asked = wanted;
      if (!wanted) { last.hidden = true; return; }
      try {
        const found = await decisionsAt(run.id, machine, at_s);
        if (asked !== wanted) return;
        const tasks = [...new Set(found.rows.map((each) => each.task))].filter((task) => task >= 0).slice(0, LAST_TASKS);
        last.hidden = !tasks.length;
        last.replaceChildren(...(tasks.length ? ["Last tasks here: ", ...tasks.map((task) => h("button", { class: "link", type: "button", "data-task": String(task), onclick: () => whyTask(studio, task) }, whole(task)))] : []));
      } catch { last.hidden = true; }
    };
    const draw = (picture) => {
      unpin.hidden = !target;
      tellLast();
      body.closest(".panel").classList.toggle("is-empty", !target);
      if (!target || !studio.meta || !picture?.layers) { sentence.textContent = ""; rows.replaceChildren(); return; }
      const one = target.kind === "machine";
      sentence.textContent = one ? describeMachine(studio.meta, picture, target.machine) : `${nameOf(studio.meta, target)}:`;
      const shown = one ? machineRows(studio.meta, picture, target.machine) : groupRows(studio.meta, picture, target);
      rows.replaceChildren(...shown.map((row) => h("div", { "data-tip": row.help }, h("dt", {}, row.label), h("dd", {}, row.value))));
    };
    const take = (next) => { target = next; draw(studio.picture); };
    draw(null);
    return {
      pin(machine) { take(machine < 0 ? null : { kind: "machine", machine }); },
      follow: take,
      state(session) {
        if (session !== studio.session) return;
        const { summary } = session.store;
        ask.disabled = session.run.state !== "done";
        if (summary?.tasks) number.max = String(summary.tasks.total - 1);
      },
      picture: draw,
      meta(meta) { if (target?.kind === "cluster" && !meta.clusters.some((each) => each.name === target.name)) take(null); },
    };
  },
};
