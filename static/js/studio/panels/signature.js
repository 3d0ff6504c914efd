/**
 * The studio's view of an open scheduler signature: its idea in two sentences, the number to watch beside its
 * neighbor's, the setting to change, and a moment to look at.
 */

import { factor, measured, percent, three, withUnit } from "../../kit/format.js";
import { getAt, knobsFromSchema } from "../../experiment/experiment.js";
import { figureOf } from "../../run/figures_told.js";
import { WATCHED_SECONDS, WHOLE_RUN_SECONDS } from "../../run/player.js";
import { levelNow } from "../../kit/level_now.js";
import { pricesOf, tasksToAsk } from "../../draw/work/prices.js";
import { capital, gettext } from "../../kit/words.js";
import { bareName } from "../../kit/names.js";
import { panelOf } from "../panel.js";
import { computed, effect, html, nothing, show, watch } from "../../kit/view.js";

/**
 * @import { Summary } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Signature } from "../../run/figures_told.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../store.js"
 */

/** At the level Watch, playback starts after this fraction of the run. */
const BUSY_FROM = 0.1;

/**
 * Format a number with its unit: `s`, `%` of a fraction of 1, or a word for what is counted.
 * @param {unknown} value
 * @param {string} unit
 */
export function figureText(value, unit) {
  if (typeof value !== "number") return "–";
  if (unit === "%") return percent(value);
  return unit === "s" ? measured(value * 1e9) : `${three(value)} ${unit}`.trim();
}

/** Return the signature that the address opened while its scheduler is the chosen one; else null. */
export function openSignature(/** @type {Studio} */ studio) {
  const { signature } = studio.boot;
  return signature && studio.experiment.value?.scheduler?.name === signature.name ? signature : null;
}

export default {
  id: "signature",
  place: "right",
  title: gettext("The idea"),
  question: gettext("What does this scheduler do?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const summary = computed(() => {
      studio.news.value;
      studio.figures.value;
      return studio.wholeRun();
    });
    const told = computed(() => {
      studio.news.value;
      studio.instructive.value;
      studio.meta.value;
      const signature = openSignature(studio);
      return signature && toldView(studio, signature, summary.value ?? null);
    });
    // Once shown, the line keeps its space, so that nothing moves under the pointer. An initially open picture has its
    // space from the start.
    let kept = false;
    show(body, () => {
      studio.figures.value;
      const signature = openSignature(studio);
      const words = signature ? nowWords(studio) : "";
      kept = Boolean(signature && (kept || words || signature.opens.view === "given"));
      if (!signature || !told.value) return nothing;
      return html`<div class="signature-says" data-signature-says data-says="claim:signature">
          ${ideaView(signature)}
        </div>
        ${nowView(studio, words, kept)} ${told.value}`;
    });
    effect(() => {
      const open = Boolean(openSignature(studio));
      panel.hidden = !open;
      document.body.classList.toggle("has-signature", open);
    });
    watch(
      () => studio.figures.value,
      (figures) => figures && beginWatching(studio, studio.session.value),
    );
    watch(
      () => [studio.figures.value, studio.instructive.value],
      () => studio.figures.value && askPrices(studio),
    );
    watch(
      () => [studio.news.value, studio.level.value],
      () => {
        pace(studio);
        if (studio.news.value) beginWatching(studio, studio.news.value.session);
      },
    );
  },
};

/** Play slowly at the level Watch while a signature is open. @returns {boolean} true if both apply */
function pace(/** @type {Studio} */ studio) {
  const watched = Boolean(openSignature(studio)) && levelNow() === "watch";
  studio.stage.player.lasts = watched ? WATCHED_SECONDS : WHOLE_RUN_SECONDS;
  return watched;
}

/** The run with a skipped beginning. */
let begunOf = "";

/** Start when machines are busy, because an empty datacenter shows nothing. */
function beginWatching(/** @type {Studio} */ studio, /** @type {RunSession | null} */ session) {
  const { player } = studio.stage;
  const { view } = studio;
  if (begunOf || session?.run.state !== "done" || !player.store.complete || !player.store.count) return;
  begunOf = session.run.id;
  if (!pace(studio) || view.t_s !== null || view.moment || studio.moments?.shown) return;
  const at = BUSY_FROM * (player.store.story?.endNs ?? player.store.endNs);
  if (player.t_ns < at) studio.stage.seek(at, true);
}

/** Return what the scheduler does, why a task waits, and the effect. */
function ideaView(/** @type {Signature} */ { says, waits, neighbour }) {
  const [idea, effect] = says;
  const { label: name, short } = neighbour;
  return html`<p class="story-line">${idea}</p>
    <p class="story-label">${gettext("Why a task waits")}</p>
    <p class="story-line">${waits}</p>
    <p class="story-label">${gettext("The effect (checked by tests)")}</p>
    <p class="story-line">${effect}</p>
    ${short ? html`<p class="story-line">${gettext("{name}: {idea}.", { name, idea: short })}</p>` : nothing}`;
}

/** Describe what moves in the open picture now; "" if the map or a moment's card already does. */
function nowWords(/** @type {Studio} */ studio) {
  const scene = studio.stage.tasks?.scene;
  if (scene?.track?.choices || scene?.prices?.length || studio.moments?.shown) return "";
  return studio.desk.value?.tells() ?? "";
}

/** Return the line about what moves now. It may keep its space while empty. */
const nowView = (/** @type {Studio} */ { desk }, /** @type {string} */ words, /** @type {boolean} */ hasRoom) =>
  html`<p
    class="story-line signature-now"
    data-says=${`picture:${desk.value?.open?.id ?? "jobs"}`}
    data-at=${desk.value?.t_ns ?? nothing}
    data-signature-now
    ?hidden=${!hasRoom}
    .style=${words ? "" : "visibility: hidden"}
  >${words}</p>`;

/**
 * Return the number to watch, the neighbor's beside it, the moment to go to, and the setting to change.
 * @param {Studio} studio
 * @param {Signature} signature
 * @param {Partial<Summary> | null} summary
 */
function toldView(studio, signature, summary) {
  const known = summary?.scheduler === signature.name ? summary : null;
  const { label, unit } = signature.number;
  const number = figureText(known && figureOf(signature.number, known), unit);
  const beside = besideWords(signature, known);
  return html`<div>
      <p class="story-label">${label}</p>
      <p class="story-number" data-signature-number data-says="run:signature">${number}</p>
      <p class="signature-beside" data-says="run:neighbor" ?hidden=${!beside}>${beside}</p>
    </div>
    ${momentView(studio, signature)} ${turnView(studio, signature)}`;
}

/** The track of the run for which prices were requested, and of which tasks. */
const asked = { of: /** @type {object | null} */ (null), tasks: new Set() };

/**
 * Request what each machine cost the moments' tasks and some others, if a solver places tasks; show the prices when
 * they arrive.
 */
async function askPrices(/** @type {Studio} */ studio) {
  const run = studio.session.value?.run;
  const scene = studio.stage.tasks?.scene;
  if (!openSignature(studio) || !studio.meta.value?.network || run?.state !== "done") return;
  if (!scene?.track || !scene.leaving) return;
  if (asked.of !== scene.track) Object.assign(asked, { of: scene.track, tasks: new Set() });
  const { moments, of } = studio.instructive.value;
  /** @type {[number, number][]} */
  const told =
    of === run.id ? moments.filter((each) => each.task >= 0).map((each) => [each.task, each.t_ns / 1e9]) : [];
  const wanted = [...told, ...tasksToAsk(scene.track, scene.leaving)].filter(([task]) => !asked.tasks.has(task));
  for (const [task] of wanted) asked.tasks.add(task);
  const { fetchWay } = await import("../../run/why/networks.js");
  for (const [task, at_s] of wanted) {
    const way = await fetchWay(run.id, { task, at_s }).catch(() => null);
    if (studio.session.value?.run.id !== run.id) return;
    const prices = way && pricesOf(way);
    if (prices) scene.prices = [...scene.prices, prices].sort((one, other) => one.t_ns - other.t_ns);
  }
}

/**
 * Return the neighbor's number on the same workload, as recorded with the signature. After a change of the settings,
 * both schedulers' recorded numbers stay, and the new number appears beside them.
 * @param {Signature} signature
 * @param {Partial<Summary> | null} summary
 */
function besideWords({ recorded, compared, neighbour, number }, summary) {
  if (!recorded) return "";
  const [own, other] = recorded.compared.map((value) => figureText(value, compared.unit));
  const [mine, theirs] = recorded.compared;
  const ratio = mine && theirs ? timesWords(mine / theirs) : "";
  const values = { label: compared.label, own, name: neighbour.label, value: other, ratio };
  if (summary && summary.experiment_digest !== recorded.digest)
    return gettext("Before the change: {label} {own}; {name}: {value}", values);
  if (compared.label === number.label)
    return gettext("{name}, same workload: {value}{ratio}", { ...values, name: capital(values.name) });
  return gettext("{label}: {own}; {name}, same workload: {value}{ratio}", values);
}

/** Return the ratio of the two numbers as a number above 1, and which of the two is larger. */
function timesWords(/** @type {number} */ ratio) {
  return ratio < 1
    ? gettext(" ({times} times as much)", { times: factor(1 / ratio) })
    : gettext(" (here {times} times as much)", { times: factor(ratio) });
}

/** Return the button that goes to the signature's moment. It is hidden if the run has no such moment. */
function momentView(/** @type {Studio} */ studio, /** @type {Signature} */ { opens }) {
  const { moments, of } = studio.instructive.value;
  const run = studio.session.value?.run;
  const known = run?.state === "done" && of === run.id;
  const found = known ? moments.find((each) => each.kind === opens.moment) : undefined;
  const then = moments.find((each) => each.kind === opens.then);
  const moment = found?.label ?? (opens.label || "…");
  // The button has its space before the moment is known, so that nothing moves under the pointer.
  return html`<button
    type="button"
    class="button"
    data-signature-moment
    ?hidden=${!opens.moment || (known && !found)}
    .style=${found ? "" : "visibility: hidden"}
    @click=${() => found && studio.moments.show(found, then ? [then] : [])}
  >
    ${gettext("Show me: {moment}", { moment })}
  </button>`;
}

/** Return an element's own text, without that of its children. */
function ownText(/** @type {Element} */ element) {
  return [...element.childNodes].find((each) => each instanceof Text && each.data.trim())?.textContent;
}

/**
 * Return the last word of a path that no control names, and the name of its queue.
 * @param {string} path
 * @param {Experiment} experiment
 */
function plain(path, experiment) {
  const what = (path.split(".").at(-1) ?? path).replaceAll("_", " ");
  const of = /^queues\[(\d+)\]/.exec(path);
  const queue = of && experiment.queues?.[Number(of[1])]?.name;
  return queue ? gettext("{what} of queue {queue}", { what, queue: bareName(queue) }) : what;
}

/**
 * Return the unit to show after a value; the label contains words for what is counted.
 * @param {string} path
 * @param {{unit?: string} | undefined} spec
 */
function unitOf(path, spec) {
  const unit = spec?.unit ?? (path.endsWith("_s") ? "s" : path.endsWith("share") ? "share" : "");
  return unit === "share" || unit.length <= 2 ? unit : "";
}

/** Return the setting to change: a button that changes it and changes it back, and the effect. */
function turnView(/** @type {Studio} */ studio, /** @type {Signature} */ signature) {
  const { path, from, to, says } = signature.turn;
  const turned = getAt(studio.experiment.value, path) === to;
  const declared = knobsFromSchema(studio.chosen.value?.params_schema ?? studio.chosen.value?.params ?? {});
  const spec = declared.find((each) => each.path === path);
  const control = document.querySelector(`.left-knobs .knob[data-path="${path}"] .knob-label`);
  const label = spec?.label ?? (control && ownText(control)) ?? plain(path, studio.opened.value);
  const unit = unitOf(path, spec);
  const text = (/** @type {unknown} */ value) => spec?.options?.[String(value)]?.label ?? withUnit(value, unit);
  const words = turned
    ? gettext("Back: {label} {value}", { label, value: text(from) })
    : gettext("Try: {label} {from} → {to}", { label, from: text(from), to: text(to) });
  return html`<div class="signature-turn">
    <button
      type="button"
      class="button"
      data-signature-turn
      ?disabled=${studio.readOnly.value}
      @click=${() => studio.edit(path, turned ? from : to)}
    >
      ${words}
    </button>
    <p class="story-line" data-says="claim:turn">${says}</p>
  </div>`;
}
