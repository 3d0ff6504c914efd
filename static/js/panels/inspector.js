/** What was clicked on the map: every layer of the machine, in words. */

import { describeMachine, machineRows } from "../lib/sentences.js";
import { h } from "../views/dom.js";

export default {
  id: "inspector", place: "right", title: "Inspector", question: "Click a machine to pin it here.",
  mount(body, studio) {
    const sentence = h("p", { class: "inspector-sentence" });
    const rows = h("dl", { class: "inspector-rows" });
    const unpin = h("button", { class: "link", type: "button", hidden: true }, "unpin");
    unpin.addEventListener("click", () => studio.pin(-1));
    body.append(sentence, rows, unpin);
    let machine = -1;
    const draw = (picture) => {
      unpin.hidden = machine < 0;
      body.closest(".panel").classList.toggle("is-empty", machine < 0);
      if (machine < 0 || !studio.meta || !picture?.layers) { sentence.textContent = ""; rows.replaceChildren(); return; }
      sentence.textContent = describeMachine(studio.meta, picture, machine);
      rows.replaceChildren(...machineRows(studio.meta, picture, machine).map((row) => h("div", { "data-tip": row.help }, h("dt", {}, row.label), h("dd", {}, row.value))));
    };
    draw(null);
    return { pin(next) { machine = next; draw(studio.picture); }, picture: draw };
  },
};
