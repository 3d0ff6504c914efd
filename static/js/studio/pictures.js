/**
 * Pictures of jobs that are graphs, of networks, of pipelines and of messages. Their modules come when a run has such; a run that
 * has only messages to show, or a reason why not, gets the tab for them, and the modules when somebody looks.
 */

import { h } from "../kit/dom.js";

const needed = (meta) => meta.graphs || meta.network || meta.scheduler?.family === "pipeline";

export function wireGraphs(studio) {
  let asked = null;
  let light = null;

  const load = async () => {
    asked ??= import("../features/graphs/desk.js");
    const { Desk } = await asked;
    dim();
    studio.desk ??= new Desk(studio, studio.view);
    return studio.desk;
  };

  /** Without the light tabs: there is nothing to show, or the desk has its own. */
  const dim = () => {
    light?.remove();
    light = null;
    if (!studio.desk) document.body.classList.remove("has-pictures");
  };

  const shine = () => {
    if (light) return;
    const open = () => studio.showPicture("messages");
    const tab = (title, chosen, act) =>
      h(
        "button",
        {
          type: "button",
          class: "tab",
          role: "tab",
          id: `tab-${title.toLowerCase()}`,
          "aria-selected": String(chosen),
          tabindex: chosen ? "0" : "-1",
          onclick: act,
        },
        title,
      );
    light = h(
      "div",
      {
        class: "picture-tabs",
        role: "tablist",
        "aria-label": "Pictures",
        onkeydown: (event) => {
          if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
            event.preventDefault();
            event.stopPropagation();
            open();
          }
        },
      },
      tab("Machines", true, null),
      tab("Messages", false, open),
    );
    document.querySelector(".centre").prepend(light);
    document.body.classList.add("has-pictures");
  };

  /** Open a picture by its name; `task`: a board with only the messages about it. */
  studio.showPicture = async (id, task = null) => {
    const { meta } = studio;
    const fresh = !studio.desk;
    const desk = await load();
    if (fresh && studio.meta === meta) desk.describe(meta);
    if (task === null) desk.show(id);
    else desk.messagesOf(task);
    document.getElementById(`tab-${id}`)?.focus();
  };

  studio.panels.push({
    async meta(meta) {
      const told = meta.messages || meta.no_messages;
      if (!needed(meta) && !studio.desk && !(told && studio.view.picture === "messages")) {
        if (told) shine();
        else dim();
        return;
      }
      await load();
      if (studio.meta === meta) studio.desk.describe(meta);
    },
    experiment: () => studio.desk?.listed(),
    problems: (problems) => studio.desk?.problems(problems),
    state: (session) => studio.desk?.state(session),
  });
}
