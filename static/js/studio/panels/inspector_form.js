/** The inspector's field for a task's number, and its buttons for the part on screen. */

import { whyTask } from "../../run/why/why_task.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { Inspector } from "./inspector.js" */

const FORM_HELP = gettext(
  "Shows a task's history, the decisions about it and its job's probes, if any. Available when the run is computed.",
);

/** Return the number of the task on screen; null if the inspector shows another part or none. */
export function shownTask(/** @type {import("../../run/places.js").Target | null} */ target) {
  return target?.kind === "task" ? /** @type {number} */ (target.task) : null;
}

/**
 * Return the task that the form asks for: the typed one, else the task on screen.
 * @param {string} typed
 * @param {number | null} shown
 */
export function askedTask(typed, shown) {
  return typed.trim() === "" && shown !== null ? shown : Number(typed);
}

/** Return true if the run on screen is complete; the studio's news report every change of its state. */
function isDone(/** @type {Inspector} */ { studio }) {
  const session = studio.session.value;
  studio.news.value;
  return session?.run.state === "done";
}

/** Return the field for a task's number, which can be shown or explained. */
export function formView(/** @type {Inspector} */ inspector) {
  const { studio } = inspector;
  const busy = Boolean(studio.session.value) && !isDone(inspector);
  const tasks = studio.session.value?.store.summary?.tasks;
  const shown = shownTask(studio.shown.value);
  const field = (/** @type {Event} */ { currentTarget }) => {
    const form = /** @type {HTMLElement} */ (currentTarget).closest("form");
    return /** @type {HTMLInputElement} */ (form?.querySelector("input"));
  };
  const showTask = (/** @type {Event} */ event) => {
    const number = field(event);
    if (number.reportValidity()) inspector.take({ kind: "task", task: askedTask(number.value, shown) });
  };
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    whyTask(studio, askedTask(field(event).value, shown));
  };
  return html`<form class="inspector-ask" data-tip=${FORM_HELP} @submit=${ask}>
    <span>${gettext("Task")}</span>
    <input
      class="inspector-task"
      type="number"
      min="0"
      max=${tasks ? tasks.total - 1 : nothing}
      step="1"
      placeholder=${shown ?? gettext("number")}
      ?required=${shown === null}
      aria-label=${gettext("Task")}
    />
    <button class="button button-small" type="button" data-show-task ?disabled=${busy} @click=${showTask}>
      ${gettext("Show")}
    </button>
    <button class="button button-small" type="submit" data-explain-task ?disabled=${busy}>
      ${gettext("Explain this task")}
    </button>
  </form>`;
}

/** Return the buttons for the part on screen. */
export function toolsView(/** @type {Inspector} */ inspector) {
  const { studio } = inspector;
  const target = studio.shown.value;
  const meta = studio.meta.value;
  const job = inspector.state.job.value;
  const task = target?.kind === "task" ? target.task : null;
  const link = (/** @type {string} */ words, /** @type {boolean} */ offered, /** @type {() => void} */ act) =>
    html`<button class="link" type="button" ?hidden=${!offered} @click=${act}>${words}</button>`;
  const why = () => task !== null && whyTask(studio, task, studio.stage.player.t_ns / 1e9);
  return html`<div class="inspector-tools">
    <button
      class="button button-small"
      type="button"
      data-why-task
      ?hidden=${task === null || !isDone(inspector)}
      @click=${why}
    >
      ${gettext("Why now?")}
    </button>
    <button
      class="button button-small"
      type="button"
      data-stop-task
      data-tip=${gettext(
        "This page simulates it: the task loses its work and waits again. " + "Nothing changes if it does not run now.",
      )}
      ?hidden=${task === null || !studio.touching?.run()}
      @click=${() => task !== null && studio.touching.stopNow(task)}
    >
      ${gettext("Stop it now")}
    </button>
    ${link(gettext("Its job"), task !== null && job >= 0, () => inspector.take({ kind: "job", job }))}
    ${link(gettext("Its messages"), task !== null && Boolean(meta?.messages), () =>
      studio.pictures.open("messages", task),
    )}
    ${link(gettext("Its partition"), target?.kind === "machine" && Boolean(meta?.owners.length), () =>
      inspector.take(inspector.partition()),
    )}
    ${link(gettext("Unpin"), Boolean(target), () => studio.pin(-1))}
  </div>`;
}
