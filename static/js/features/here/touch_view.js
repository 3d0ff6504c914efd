/** The controls of touching a run: the target, the button, the touches so far, and the changed run's result. */

import { bareName } from "../../kit/names.js";
import { targetOf } from "../../kit/dom.js";
import { nameOf, rackOf, rackStarts } from "../../run/places.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { branchesView } from "./branches_view.js";
import { countedWords } from "./check.js";
import { extraWords, failureWords } from "./failure_words.js";
import { partOf, touchTime } from "./failures.js";
import { travelView } from "./travel_view.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { End } from "../../engine/here.js" */
/** @import { Reached } from "../../engine/touch.js" */
/** @import { ToldSetting } from "./settings_view.js" */
/** @import { Touch, Touchable } from "./touch.js" */

/**
 * What the view needs besides the changes: the run if it can be changed, the settings of its page, what the page does
 * not show of the changed run, its ways on from it, and the digest that the server got for it ("" before).
 * @typedef {{run: Touchable | null, settings: ToldSetting[], note: string, ways: unknown,
 *   opened?: {digest: string, server: string} | null}} Around
 */

/** Where the number of a run's tasks is not known yet; what the run does not have is refused. */
const MOST_TASKS = 10_000_000;

/** Return what a tap on a machine reaches. @returns {Reached} */
export function reachedFrom(/** @type {Meta} */ meta, /** @type {string} */ reach, /** @type {number} */ machine) {
  if (reach === "rack") return { rack: rackOf(rackStarts(meta), machine) };
  if (reach === "machine" || reach === "task") return { machine };
  const cluster = meta.clusters.findLast((each) => each.first <= machine);
  return { cluster: cluster?.name ?? meta.clusters[0].name };
}

/** @returns {number} the first machine of a target */
function firstOf(/** @type {Meta} */ meta, /** @type {Reached} */ target) {
  if ("task" in target) return 0;
  if ("machine" in target) return target.machine;
  if ("rack" in target) return rackStarts(meta)[target.rack];
  return meta.clusters.find((each) => each.name === target.cluster)?.first ?? 0;
}

/** Show the choice between a failure and a drain. */
function kindView(/** @type {Touch} */ touch) {
  const kinds = [
    ["fail", gettext("fail")],
    ["drain", gettext("drain: nothing new starts")],
  ];
  const choose = (/** @type {Event} */ event) => {
    touch.kind.value = /** @type {"fail" | "drain"} */ (targetOf(event).value);
  };
  return html`<label class="here-field"
    ><span>${gettext("A tap makes it")}</span
    ><select class="knob-select" data-touch-kind @change=${choose}
      >${kinds.map(
        ([value, label]) => html`<option value=${value} .selected=${touch.kind.value === value}>${label}</option>`,
      )}</select
  ></label>`;
}

/** Show the choice between machine, rack, cluster and task. */
function reachView(/** @type {Touch} */ touch, /** @type {Meta} */ meta) {
  const names = [
    ["machine", gettext("Machine")],
    ["rack", gettext("Rack")],
    ["cluster", gettext("Cluster")],
    ["task", gettext("Task")],
  ];
  const choose = (/** @type {string} */ chosen) => {
    const reach = /** @type {"machine" | "rack" | "cluster" | "task"} */ (chosen);
    const machine = firstOf(meta, touch.target.value);
    touch.target.value = reach === "task" ? { task: 0 } : reachedFrom(meta, reach, machine);
    touch.reach.value = reach;
  };
  return html`<label class="here-field"
    ><span>${gettext("A tap reaches")}</span
    ><select
      class="knob-select"
      data-touch-reach
      @change=${(/** @type {Event} */ event) => choose(targetOf(event).value)}
      >${names.map(
        ([value, label]) => html`<option value=${value} .selected=${touch.reach.value === value}>${label}</option>`,
      )}</select
  ></label>`;
}

/**
 * Return what the field of a target's number says, and the target of another number.
 * @param {Exclude<Reached, {cluster: string}>} target
 * @param {Meta} meta
 * @param {number} tasks
 * @returns {{label: string, value: number, most: number, made: (number: number) => Reached}}
 */
function numbered(target, meta, tasks) {
  if ("task" in target)
    return { label: gettext("Task"), value: target.task, most: tasks - 1, made: (task) => ({ task }) };
  if ("rack" in target) {
    const most = rackStarts(meta).length - 1;
    return { label: gettext("Rack"), value: target.rack, most, made: (rack) => ({ rack }) };
  }
  const most = meta.machines - 1;
  return { label: gettext("Machine"), value: target.machine, most, made: (machine) => ({ machine }) };
}

/**
 * Show the target of the button and the key.
 * @param {Touch} touch
 * @param {Meta} meta
 * @param {number} tasks  of the run
 */
function targetView(touch, meta, tasks) {
  const target = touch.target.value;
  const set = (/** @type {Reached} */ next) => {
    touch.target.value = next;
  };
  if ("cluster" in target)
    return html`<label class="here-field"
      ><span>${gettext("Cluster")}</span
      ><select
        class="knob-select"
        data-touch-target
        @change=${(/** @type {Event} */ event) => set({ cluster: targetOf(event).value })}
        >${meta.clusters.map(
          ({ name }) => html`<option value=${name} .selected=${name === target.cluster}>${bareName(name)}</option>`,
        )}</select
    ></label>`;
  const { label, value, most, made } = numbered(target, meta, tasks);
  const read = (/** @type {Event} */ event) => {
    const number = Math.min(most, Math.max(0, Math.round(Number(targetOf(event).value) || 0)));
    targetOf(event).value = String(number);
    set(made(number));
  };
  return html`<label class="here-field"
    ><span>${label}</span
    ><input
      class="knob-number"
      type="number"
      inputmode="numeric"
      data-touch-target
      min="0"
      max=${most}
      .value=${String(value)}
      @change=${read}
  /></label>`;
}

function touchesView(/** @type {Touch} */ touch, /** @type {Touchable} */ run) {
  const { endNs } = run.store;
  const failures = touch.failures.value.map((each, place) =>
    touchedView(failureWords(run.meta, each, endNs), () => touch.remove(place)),
  );
  const extras = touch.extras.value.map((each, place) => touchedView(extraWords(each, endNs), () => touch.undo(place)));
  return html`<ul class="here-touches" data-touches>${failures}${extras}</ul>`;
}

/** Show one touch, and the button that takes it back. */
const touchedView = (/** @type {string} */ words, /** @type {() => void} */ takeBack) =>
  html`<li
    ><span>${words}</span
    ><button
      class="link"
      type="button"
      data-touch-remove
      aria-label=${gettext("Take back: {touch}", { touch: words })}
      @click=${takeBack}
      >${gettext("Take back")}</button
  ></li>`;

/** Show buttons for what else can happen now, such as a burst. */
function offersView(/** @type {Touch} */ touch, /** @type {Touchable} */ run) {
  const offers = run.offers?.(touchTime(run.t_ns())) ?? [];
  if (!offers.length) return nothing;
  const chosen = offers.find((offer) => offer.id === touch.offer.value) ?? offers[0];
  const choose = (/** @type {Event} */ event) => {
    touch.offer.value = targetOf(event).value;
  };
  return html`
    <div class="here-fields"
      ><label class="here-field"
        ><span>${gettext("Something else")}</span
        ><select class="knob-select" data-touch-offer @change=${choose}
          >${offers.map(
            ({ id, label }) => html`<option value=${id} .selected=${id === chosen.id}>${label}</option>`,
          )}</select
      ></label></div>
    <p
      ><button class="button" type="button" data-touch-happen @click=${() => touch.happen(chosen)}
        >${gettext("Let it happen now")}</button
      ></p>
    <p class="here-wait">${gettext("{help} The server sends what this page needs for it.", { help: chosen.help })}</p>`;
}

/** Show the changed run, if there is one: its touches, its result, the ways on, and the branches that stay. */
export function changedView(/** @type {Touch} */ touch, /** @type {Around} */ around) {
  const { run, settings } = around;
  if (!run) return nothing;
  return html`
    ${touch.failures.value.length + touch.extras.value.length ? touchesView(touch, run) : nothing}
    ${touch.isChanged ? resultView(touch, around) : nothing} ${branchesView(touch.branches, run, settings)}
    ${whyView(touch)}`;
}

/** Show the changed run's result, and the ways on. */
function resultView(/** @type {Touch} */ touch, /** @type {Around} */ around) {
  const end = touch.end.value;
  return html`
    <p role="status" data-touch-state=${end ? "done" : "works"}
      >${
        end
          ? gettext(
              "Computed in this page: {counted}. The map, the timeline, the waits and the counters show this run.",
              { counted: countedWords(end) },
            )
          : gettext("Simulating…")
      }</p
    >
    ${
      end
        ? html`<dl class="here-digests">
            <dt>${gettext("This page")}</dt>
            <dd><code data-touch-digest>${end.digest}</code></dd>
          </dl>`
        : nothing
    }
    ${end?.cited ? citedView(end) : nothing}
    <p class="here-wait">${around.note}</p>
    <p class="here-buttons">
      <button class="button" type="button" data-touch-back @click=${() => touch.reset()}
        >${gettext("Back to the run before")}</button
      >
      ${around.ways}
    </p>`;
}

/** Show whether the library got the same result when the file was made. */
function citedView(/** @type {End} */ { digest, cited }) {
  const same = digest === cited;
  const [looks, result] = same ? ["here-same", "same"] : ["here-different", "different"];
  return html`<p class=${looks} role="status" data-touch-cited=${result}
    >${
      same
        ? gettext("The server got the same result with these settings.")
        : gettext("The server got a different result with these settings.")
    }</p
  >`;
}

/** Show whether the server got the result of the run that the viewer opened as an experiment. */
function openedView(/** @type {{digest: string, server: string}} */ { digest, server }) {
  if (!server)
    return html`<p role="status" data-touched="waits">${gettext("The server simulates the touched run.")}</p>`;
  const same = digest === server;
  const [looks, result] = same ? ["here-same", "same"] : ["here-different", "different"];
  return html`<p class=${looks} role="status" data-touched=${result}
    >${
      same
        ? gettext("The server got the same result as this page for the touched run.")
        : gettext("The server got a different result than this page for the touched run.")
    }</p
  >`;
}

/**
 * Show the controls.
 * @param {Touch} touch
 * @param {Around} around
 */
export function touchView(touch, around) {
  const { run, opened } = around;
  const on = touch.on.value;
  const toggle = html`<p>
    <button
      class="button"
      type="button"
      data-touch-on
      aria-pressed=${String(on)}
      ?disabled=${!run}
      @click=${() => touch.toggle()}
      >${on ? gettext("Stop touching") : gettext("Touch it")}</button
    >
  </p>`;
  const now = run && on ? pressView(touch, run) : nothing;
  return html`
    ${opened ? openedView(opened) : nothing} ${toggle} ${now} ${run ? changedView(touch, around) : whyView(touch)}
    ${travelView(touch.travel, run)}`;
}

/** Show why the page could not simulate the changed run. */
const whyView = (/** @type {Touch} */ touch) =>
  touch.why.value
    ? html`<p class="here-different" role="alert" data-touch-state="failed"
        >${gettext("Not simulated in this page: {why}", { why: touch.why.value })}</p
      >`
    : nothing;

/** Return what the button does now. */
function actWords(/** @type {Touch} */ touch, /** @type {string} */ name, /** @type {number} */ t_ns) {
  if ("task" in touch.target.value) return gettext("{name} is stopped now", { name });
  if (touch.returns(t_ns)) return gettext("{name} returns now", { name });
  return touch.kind.value === "drain" ? gettext("{name} drains now", { name }) : gettext("{name} fails now", { name });
}

/** Show what a tap does, and the button that does the same. */
function pressView(/** @type {Touch} */ touch, /** @type {Touchable} */ run) {
  const name = nameOf(run.meta, partOf(touch.target.value));
  const stops = touch.reach.value === "task";
  return html`
    <p
      >${
        stops
          ? gettext(
              "Tap a machine on the map, or press Enter there: the task that has run longest there is stopped now. " +
                "It loses its work and waits again; the machine stays in service. This page simulates the change.",
            )
          : gettext(
              "Tap a machine on the map, or press Enter there: it fails or drains now. Tap it again: it returns. " +
                "This page simulates the change.",
            )
      }</p
    >
    <div class="here-fields"
      >${stops ? nothing : kindView(touch)} ${reachView(touch, run.meta)}
      ${targetView(touch, run.meta, run.store.summary?.tasks?.total ?? MOST_TASKS)}</div
    >
    <p>
      <button class="button" type="button" data-touch-now data-tip=${gettext("Key T")} @click=${() => touch.press()}
        >${actWords(touch, name, run.t_ns())}</button
      >
    </p>
    ${offersView(touch, run)}`;
}
