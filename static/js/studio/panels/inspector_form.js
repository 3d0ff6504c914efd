/** The field for a task's number, and what may be done with what the inspector shows. */

import { whyTask } from "../../run/why/why_task.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Inspector } from "./inspector.js" */

/** A task by its number: shown, or asked about. */
export function inspectorForm(/** @type {Inspector} */ inspector) {
  inspector.parts.number = h("input", {
    class: "inspector-task",
    type: "number",
    min: "0",
    step: "1",
    placeholder: gettext("number"),
    required: true,
    "aria-label": gettext("Task"),
  });
  const show = () => {
    if (inspector.parts.number.reportValidity())
      inspector.take({ kind: "task", task: Number(inspector.parts.number.value) });
  };
  inspector.parts.show = h(
    "button",
    { class: "button button-small", type: "button", "data-show-task": "", onclick: show },
    gettext("Show"),
  );
  inspector.parts.ask = h("button", { class: "button button-small", type: "submit" }, gettext("Explain this task"));
  const form = h(
    "form",
    {
      class: "inspector-ask",
      "data-tip": gettext(
        "Shows a task's history, the decisions about it and its job's probes, if any. Available when the run is " +
          "computed.",
      ),
    },
    h("span", {}, gettext("Task")),
    inspector.parts.number,
    inspector.parts.show,
    inspector.parts.ask,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whyTask(inspector.studio, Number(inspector.parts.number.value));
  });
  return form;
}

/** What may be done with what is shown. */
export function inspectorTools(/** @type {Inspector} */ inspector) {
  const { studio } = inspector;
  const link = (/** @type {string} */ words, /** @type {() => void} */ onclick) =>
    h("button", { class: "link", type: "button", hidden: true, onclick }, words);
  inspector.parts.why = h(
    "button",
    {
      class: "button button-small",
      type: "button",
      "data-why-task": "",
      hidden: true,
      onclick: () => whyTask(studio, inspector.target?.task, studio.stage.player.t_ns / 1e9),
    },
    gettext("Why now?"),
  );
  inspector.parts.job = link(gettext("Its job"), () => inspector.take({ kind: "job", job: inspector.jobOfTask }));
  inspector.parts.messages = link(gettext("Its messages"), () =>
    studio.pictures.open("messages", inspector.target?.task),
  );
  inspector.parts.part = link(gettext("Its partition"), () => inspector.take(inspector.partition()));
  inspector.parts.unpin = link(gettext("Unpin"), () => studio.pin(-1));
  return h(
    "div",
    { class: "inspector-tools" },
    inspector.parts.why,
    inspector.parts.job,
    inspector.parts.messages,
    inspector.parts.part,
    inspector.parts.unpin,
  );
}
