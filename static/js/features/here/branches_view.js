/** The branches that a viewer keeps, the choice of what stands beside, and numbers of both runs. */

import { measured, whole } from "../../kit/format.js";
import { targetOf } from "../../kit/dom.js";
import { percentiles } from "../../kit/histogram.js";
import { html, live, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { extraWords, failureWords } from "./failure_words.js";

/** @import { Picture } from "../../run/frames.js" */
/** @import { Branch, Branches } from "./branches.js" */
/** @import { ToldSetting } from "./settings_view.js" */
/** @import { Touchable } from "./touch.js" */

/** Return the name of a run beside: 0 is the run before. */
export const nameOfBranch = (/** @type {number} */ number) =>
  number ? gettext("Branch {number}", { number }) : gettext("Run before");

/**
 * Return what changed a branch, in words.
 * @param {Branch} branch
 * @param {ToldSetting[]} settings
 */
function branchWords({ failures, extras, at, touched }, settings) {
  const set = settings.flatMap(({ label, words, own }, place) =>
    at && at[place] !== own ? [gettext("{label}: {value}.", { label, value: words[at[place]] })] : [],
  );
  const { endNs } = touched.store;
  const more = extras.map((each) => extraWords(each, endNs));
  return [...set, ...failures.map((each) => failureWords(touched.meta, each, endNs)), ...more].join(" ");
}

/**
 * Show the branches and the choices.
 * @param {Branches} branches
 * @param {Touchable} run
 * @param {ToldSetting[]} settings
 */
export function branchesView(branches, run, settings) {
  const { kept, touch } = branches;
  if (!touch.isChanged && !kept.value.length) return nothing;
  return html`
    <div class="here-fields">${besideView(branches)}</div>
    ${branches.other.value ? numbersView(branches, run) : nothing}
    <ul class="here-touches" data-branches>${kept.value.map((each) => branchView(branches, each, settings))}</ul>
    <p>
      <button
        class="button"
        type="button"
        data-branch-keep
        ?disabled=${!touch.end.value || branches.isKept}
        @click=${() => branches.keep()}
        >${gettext("Keep this branch")}</button
      >
    </p>`;
}

/** Show the choice of the run that stands beside. */
function besideView(/** @type {Branches} */ { beside, kept }) {
  const numbers = [0, ...kept.value.map((each) => each.number)];
  const choose = (/** @type {Event} */ event) => {
    const { value } = targetOf(event);
    beside.value = value === "" ? null : Number(value);
  };
  const option = (/** @type {number} */ number) =>
    html`<option value=${number} .selected=${live(number === beside.value)}>${nameOfBranch(number)}</option>`;
  return html`<label class="here-field"
    ><span>${gettext("Side by side with")}</span
    ><select class="knob-select" data-beside @change=${choose}
      ><option value="" .selected=${live(beside.value === null)}>${gettext("nothing")}</option>${numbers.map(
        option,
      )}</select
  ></label>`;
}

/**
 * @param {Branches} branches
 * @param {Branch} branch
 * @param {ToldSetting[]} settings
 */
function branchView(branches, branch, settings) {
  const { number } = branch;
  const name = nameOfBranch(number);
  const words = branchWords(branch, settings);
  const isShown = branch.touched === branches.touch.shown.value;
  return html`<li
    ><span>${gettext("{name}: {words}", { name, words })}</span
    ><span class="here-branch"
      ><button
        class="link"
        type="button"
        data-branch-show=${number}
        aria-pressed=${String(isShown)}
        aria-label=${gettext("Show {name}", { name })}
        @click=${() => branches.take(number)}
        >${gettext("Show")}</button
      ><button
        class="link"
        type="button"
        data-branch-drop=${number}
        aria-label=${gettext("Remove {name}", { name })}
        @click=${() => branches.drop(number)}
        >${gettext("Remove")}</button
      ></span
  ></li>`;
}

/**
 * Return the rows of the table: what both runs have at the same instant.
 * @param {Picture | null} picture
 */
function numbersOf(picture) {
  const hist = picture?.hists.allocation_delay;
  const waits = percentiles(hist ?? null);
  const counted = (/** @type {string} */ name) => whole(picture?.counters[name] ?? 0);
  return [
    counted("tasks_started"),
    counted("tasks_done"),
    counted("tasks_waiting"),
    measured(waits.p50),
    measured(waits.p99),
  ];
}

/**
 * Show numbers of both runs at the viewer's instant.
 * @param {Branches} branches
 * @param {Touchable} run
 */
function numbersView({ other }, run) {
  const beside = other.value;
  if (!beside) return nothing;
  const labels = [
    gettext("Tasks started"),
    gettext("Tasks done"),
    gettext("Tasks waiting"),
    gettext("Wait, p50"),
    gettext("Wait, p99"),
  ];
  // The picture of a store is the same object at every instant, so its numbers are read first.
  const mine = numbersOf(run.picture());
  const its = numbersOf(beside.store.pictureAtTime(run.t_ns()));
  return html`<table class="here-numbers" data-beside-numbers>
    <thead
      ><tr
        ><th scope="col">${gettext("At this moment")}</th
        ><th scope="col">${nameOfBranch(beside.number)}</th
        ><th scope="col">${gettext("Changed run")}</th></tr
      ></thead
    >
    <tbody
      >${labels.map(
        (label, at) => html`<tr><th scope="row">${label}</th><td>${its[at]}</td><td>${mine[at]}</td></tr>`,
      )}</tbody
    >
  </table>`;
}
