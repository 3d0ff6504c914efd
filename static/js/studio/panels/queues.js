/** The queues as one bar of 100 %. */

import { problemText } from "../../experiment/problems.js";
import { isPartitioned, queuesOf, setAt } from "../../experiment/experiment.js";
import { ownerShares, withDeserved } from "../../run/owner_shares.js";
import { onTheme } from "../../kit/dom.js";
import { shareBar } from "../../experiment/forms/share_bar.js";
import { useView } from "./use_bar.js";
import { headButton } from "../../experiment/forms/knob_section.js";
import { gettext } from "../../kit/words.js";
import { computed, effect, html, nothing, show, signal, untracked } from "../../kit/view.js";

/**
 * @import { Meta, PreviewQueueUse } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Picture } from "../../run/frames.js"
 * @import { Studio } from "../store.js"
 * @import { Use } from "./use_bar.js"
 */

export default {
  id: "queues",
  place: "left",
  title: gettext("Queues"),
  question: gettext("Whose jobs are they?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const bar = shareBar((/** @type {Experiment["queues"]} */ queues) => studio.edit("queues", queues));
    headButton(body, "queues", gettext("Edit"), gettext("Add and remove queues, and set their shares"), () =>
      studio.openEditor("topology"),
    );
    const use = signal(/** @type {{rows: Use[] | null, caption?: string}} */ ({ rows: null }));
    onTheme(() => {
      use.value = { ...use.value };
    });
    const note = computed(() => {
      const experiment = studio.experiment.value;
      const chosen = studio.chosen.value;
      const readOnly = studio.readOnly.value;
      return experiment ? noteView(noteOn(experiment, chosen), readOnly ? null : () => assignByShare(studio)) : nothing;
    });
    show(body, () => {
      const found = studio.problems.value.find((each) => each.path.startsWith("queues"));
      return html`${bar.element} ${useView(use.value.rows, use.value.caption)} ${note.value}
        <p class="knob-problem" role="alert" ?hidden=${!found}>${found ? problemText(found) : ""}</p>`;
    });
    effect(() => {
      const { livePreview } = studio;
      const meta = studio.meta.value;
      const figures = studio.figures.value;
      const { value: _told } = livePreview.told;
      const previewed = livePreview.view("allocation_delay")?.shares;
      if (previewed)
        use.value = {
          rows: untracked(() => usesOf(studio.opened.value, previewed)),
          caption: gettext("Of what was used in the preview."),
        };
      else if (!livePreview.holding && figures) use.value = { rows: meta && usesAt(meta, figures) };
    });
    effect(() => {
      const experiment = studio.experiment.value;
      const chosen = studio.chosen.value;
      const readOnly = studio.readOnly.value;
      if (!experiment) return;
      bar.set(queuesOf(experiment), !chosen || isPartitioned(chosen));
      const unused = Boolean(chosen?.queue_note);
      bar.disable(readOnly || unused);
      bar.element.classList.toggle("is-unused", unused);
    });
  },
};

function assignByShare(/** @type {Studio} */ studio) {
  studio.replace(setAt(studio.opened.value, "workload.queue_assignment", "by_share"));
}

/**
 * Return a note on what the bar does not affect, with a button that changes it if possible. The tooltip has the whole
 * text, because the panel may cut the line.
 * @param {string} text
 * @param {(() => void) | null} change
 */
function noteView(text, change) {
  const button = html`<button class="link" type="button" data-by-share data-tip=${BY_SHARE} @click=${change}>
    ${gettext("Assign jobs by share")}
  </button>`;
  return html`<p class="queues-note" ?hidden=${!text}>
    <span data-tip=${text}>${text}</span> ${text === IN_TURN && change ? button : nothing}
  </p>`;
}

/**
 * Return each queue's use in a preview.
 * @param {Experiment} experiment
 * @param {PreviewQueueUse[]} shares
 * @returns {Use[]}
 */
function usesOf(experiment, shares) {
  const queues = queuesOf(experiment);
  return shares.map((each, place) => ({
    name: each.queue,
    hue: queues[place]?.global_master ?? place,
    deserved: each.deserved,
    used: each.used,
    borrowed: 0,
    lent: 0,
  }));
}

/**
 * Return each queue's use at an instant of the run; null without a suitable layer.
 * @param {Meta} meta
 * @param {Picture} picture
 * @returns {Use[] | null}
 */
function usesAt(meta, picture) {
  const owners = ownerShares(meta, picture);
  return (
    owners &&
    withDeserved(owners, meta.queues).map((each) => ({
      ...each,
      name: meta.owners[each.owner],
      hue: each.owner,
    }))
  );
}

const BY_SHARE = gettext("A queue with a larger share then gets more jobs.");
const IN_TURN = gettext("Jobs go in turn.");

/**
 * Explain what the bar does not affect, so that users do not drag it in vain.
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
function noteOn(experiment, scheduler) {
  if (scheduler?.queue_note) return scheduler.queue_note;
  const rule = experiment.workload?.queue_assignment ?? "round_robin";
  if (rule === "by_share" || (experiment.topology?.global_masters ?? 1) < 2) return "";
  if (rule === "round_robin") return IN_TURN;
  return rule === "column"
    ? gettext("Each job names its queue; shares do not change this.")
    : gettext("A hash assigns jobs to queues; shares do not change this.");
}
