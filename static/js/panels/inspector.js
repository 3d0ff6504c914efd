/** What was clicked on the map: every layer of the machine, in words; or sums over a cluster or an owner that is followed. */

import { percent, whole } from "../lib/format.js";
import { groupState, nameOf } from "../lib/places.js";
import { describeMachine, hatchLayer, machineRows } from "../lib/sentences.js";
import { h } from "../views/dom.js";

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
    body.append(sentence, rows, unpin);
    let target = null;
    const draw = (picture) => {
      unpin.hidden = !target;
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
      picture: draw,
      meta(meta) { if (target?.kind === "cluster" && !meta.clusters.some((each) => each.name === target.name)) take(null); },
    };
  },
};
