/** The queues as one bar to 100 %. */

import { problemText } from "../../experiment/problems.js";
import { isPartitioned, queuesOf, setAt } from "../../experiment/experiment.js";
import { ownerShares, withDeserved } from "../../run/owner_shares.js";
import { h } from "../../kit/dom.js";
import { shareBar } from "../../experiment/forms/share_bar.js";
import { useBar } from "./use_bar.js";
import { headButton } from "../../experiment/forms/knob_section.js";
import { gettext } from "../../kit/words.js";
import { effect, untracked } from "../../kit/view.js";

/**
 * @import { Meta, PreviewQueueUse } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Picture } from "../../run/frames.js"
 * @import { Studio } from "../store.js"
 * @import { Use } from "./use_bar.js"
 */

/**
 * Write a note and what stands behind it; where the line is cut, its tip has all of it.
 * @param {HTMLElement} note
 * @param {string} text
 * @param {...(string | Node)} more
 */
function say(note, text, ...more) {
  note.hidden = !text;
  note.replaceChildren(h("span", { "data-tip": text }, text), ...more);
}

export default {
  id: "queues",
  place: "left",
  title: gettext("Queues"),
  question: gettext("Whose jobs are they?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const bar = shareBar((/** @type {Experiment["queues"]} */ queues) => studio.edit("queues", queues));
    const draw = h("button", { class: "link", type: "button", "data-tip": BY_SHARE }, gettext("Assign jobs by share"));
    draw.addEventListener("click", () => studio.replace(setAt(studio.opened, "workload.queue_assignment", "by_share")));
    const note = h("p", { class: "queues-note", hidden: true });
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    headButton(body, "queues", gettext("Edit"), gettext("Add and remove queues, and set their shares"), () =>
      studio.openEditor("topology"),
    );
    const use = useBar();
    body.append(bar.element, use.element, note, problem);
    effect(() => {
      const { livePreview, meta, figures } = studio;
      const { value: _told } = livePreview.told;
      const previewed = livePreview.view("allocation_delay")?.shares;
      if (previewed)
        use.set(
          untracked(() => usesOf(studio.opened, previewed)),
          "Of what was used in the preview.",
        );
      else if (!livePreview.holding && figures) use.set(meta && usesAt(meta, figures));
    });
    effect(() => {
      const { experiment, chosen, readOnly } = studio;
      if (!experiment) return;
      bar.set(queuesOf(experiment), !chosen || isPartitioned(chosen));
      const unused = Boolean(chosen?.queue_note);
      bar.disable(readOnly || unused);
      bar.element.classList.toggle("is-unused", unused);
      const text = noteOn(experiment, chosen);
      say(note, text, ...(text === IN_TURN && !readOnly ? [" ", draw] : []));
    });
    effect(() => {
      const found = studio.problems.find((each) => each.path.startsWith("queues"));
      problem.hidden = !found;
      problem.textContent = found ? problemText(found) : "";
    });
  },
};

/**
 * What each queue used in a preview.
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
 * What each queue uses at an instant of the run; null where no layer of the map tells.
 * @param {Meta} meta
 * @param {Picture} picture
 * @returns {Use[] | null}
 */
function usesAt(meta, picture) {
  const owners = ownerShares(meta, picture);
  return (
    owners &&
    withDeserved(owners, meta.queues).map((/** @type {Use & {owner: number}} */ each) => ({
      ...each,
      name: meta.owners[each.owner],
      hue: each.owner,
    }))
  );
}

const BY_SHARE = gettext("A queue with a larger share then gets more jobs.");
const IN_TURN = gettext("Jobs go in turn.");

/**
 * What the bar does not do here, so that nobody drags it in vain.
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
