/**
 * What the studio says where a scheduler's signature is open: its idea in two sentences, the one number to watch beside
 * its neighbor's, the setting to turn, and a moment to look at.
 */

import { measured, percent, three, withUnit } from "../../kit/format.js";
import { getAt, knobsFromSchema } from "../../experiment/experiment.js";
import { figureOf } from "../../run/figures_told.js";
import { h } from "../../kit/dom.js";
import { WATCHED_SECONDS, WHOLE_RUN_SECONDS } from "../../run/player.js";
import { levelNow } from "../../kit/level_now.js";
import { pricesOf, tasksToAsk } from "../../draw/work/prices.js";
import { capital, gettext } from "../../kit/words.js";
import { bareName } from "../../kit/names.js";
import { panelOf } from "../panel.js";
import { effect, watch } from "../../kit/view.js";

/**
 * @import { Summary } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Signature } from "../../run/figures_told.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../store.js"
 */

/** So much of a run has passed when somebody begins to watch it. */
const BUSY_FROM = 0.1;

/**
 * A figure with its unit: `s`, `%` of a fraction of 1, or a word for what is counted.
 * @param {any} value
 * @param {string} unit
 */
export function figureText(value, unit) {
  if (typeof value !== "number") return "–";
  if (unit === "%") return percent(value);
  return unit === "s" ? measured(value * 1e9) : `${three(value)} ${unit}`.trim();
}

/** The signature that the address opened, as long as its scheduler is the chosen one; else null. */
export function openSignature(/** @type {Studio} */ studio) {
  const { signature } = studio.boot;
  return signature && studio.experiment?.scheduler?.name === signature.name ? signature : null;
}

export default {
  id: "signature",
  place: "right",
  title: gettext("The idea"),
  question: gettext("What does this scheduler do?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const says = h("div", { class: "signature-says", "data-signature-says": true });
    const now = h("p", { class: "story-line signature-now", "data-signature-now": true, hidden: true });
    const label = h("p", { class: "story-label" });
    const number = h("p", { class: "story-number", "data-signature-number": true }, "–");
    const beside = h("p", { class: "signature-beside", hidden: true });
    const show = h("button", { type: "button", class: "button", hidden: true, "data-signature-moment": true });
    const turn = turnPart(studio);
    body.append(says, now, h("div", {}, label, number, beside), show, turn.element);
    panel.hidden = true;

    const tell = () => {
      const signature = openSignature(studio);
      panel.hidden = !signature;
      document.body.classList.toggle("has-signature", Boolean(signature));
      if (!signature) return;
      const summary = studio.session?.store.summary;
      const known = summary?.scheduler === signature.name ? summary : null;
      label.textContent = signature.number.label;
      number.textContent = figureText(known && figureOf(signature.number, known), signature.number.unit);
      besideIn(beside, signature, known);
      turn.tell(signature);
      // Its place is kept from the start where the open picture will tell what goes on.
      if (now.hidden && signature.opens.view === "given") [now.hidden, now.style.visibility] = [false, "hidden"];
      momentIn(show, studio, signature);
    };
    /** @type {Partial<Summary> | null | undefined} */
    let known = null;
    const grown = () => {
      tellNow(now, studio);
      askPrices(studio);
      beginWatching(studio, studio.session);
      const summary = studio.session?.store.summary;
      if (summary === known) return;
      known = summary;
      tell();
    };
    watch(
      () => studio.figures,
      (figures) => figures && grown(),
    );
    effect(() => {
      const { news: _changed, instructive: _known, meta: _run } = studio;
      const signature = openSignature(studio);
      if (signature && !says.childElementCount) says.append(...ideaOf(signature));
      tell();
    });
    watch(
      () => [studio.news, studio.level],
      () => {
        pace(studio);
        if (studio.news) beginWatching(studio, studio.news.session);
      },
    );
  },
};

/** Who only watches sees the run slowly. @returns {boolean} whether somebody does */
function pace(/** @type {Studio} */ studio) {
  const watched = Boolean(openSignature(studio)) && levelNow() === "watch";
  studio.stage.player.lasts = watched ? WATCHED_SECONDS : WHOLE_RUN_SECONDS;
  return watched;
}

/** The run whose beginning was passed over. */
let begunOf = "";

/** Begin where machines are busy: an empty datacenter shows nothing. */
function beginWatching(/** @type {Studio} */ studio, /** @type {RunSession | null} */ session) {
  const { player } = studio.stage;
  const { view } = studio;
  if (begunOf || session?.run.state !== "done" || !player.store.complete || !player.store.count) return;
  begunOf = session.run.id;
  if (!pace(studio) || view.t_s !== null || view.moment || studio.moments?.shown) return;
  const at = BUSY_FROM * (player.store.story?.endNs ?? player.store.endNs);
  if (player.t_ns < at) studio.stage.seek(at, true);
}

/** What the scheduler does, why a task waits, and what comes of it. */
function ideaOf(/** @type {Signature} */ { says, waits, neighbour }) {
  const [idea, effect] = says;
  const line = (/** @type {string} */ text) => h("p", { class: "story-line" }, text);
  return [
    line(idea),
    h("p", { class: "story-label" }, gettext("Why a task waits")),
    line(waits),
    h("p", { class: "story-label" }, gettext("The effect (checked by tests)")),
    line(effect),
    // Whoever the sentence compares with is introduced.
    ...(neighbour.short ? [line(gettext("{name}: {idea}.", { name: neighbour.label, idea: neighbour.short }))] : []),
  ];
}

/** What goes on at the instant, where more is known of it than the picture: the last choice among machines. */
function tellNow(/** @type {HTMLElement} */ element, /** @type {Studio} */ studio) {
  const signature = openSignature(studio);
  const track = signature && studio.stage.tasks?.scene.track;
  const prices = signature ? (studio.stage.tasks?.scene.prices ?? []) : [];
  // A choice between machines is told on the map, and a moment by its card.
  const told = track?.choices || prices.length || studio.moments?.shown;
  const text = signature && !told ? (studio.desk?.tells() ?? "") : "";
  // Once shown it keeps its place: what stands below must not move under the pointer.
  if (!signature || text) element.hidden = !text;
  element.style.visibility = text ? "" : "hidden";
  if (element.textContent !== text) element.textContent = text;
}

/** The track of the run whose prices were asked for. @type {object | null} */
let askedOf = null;

/** Ask what each machine cost some tasks, where a solver places tasks: drawn and told as soon as it is known. */
async function askPrices(/** @type {Studio} */ studio) {
  const run = studio.session?.run;
  const scene = studio.stage.tasks?.scene;
  if (!openSignature(studio) || !studio.meta?.network || run?.state !== "done") return;
  if (!scene?.track || !scene.leaving || askedOf === scene.track) return;
  askedOf = scene.track;
  const { fetchWay } = await import("../../run/why/networks.js");
  for (const [task, at_s] of tasksToAsk(scene.track, scene.leaving)) {
    const way = await fetchWay(run.id, { task, at_s }).catch(() => null);
    if (studio.session?.run.id !== run.id) return;
    const prices = way && pricesOf(way);
    if (prices) scene.prices = [...scene.prices, prices].sort((one, other) => one.t_ns - other.t_ns);
  }
}

/**
 * The neighbor's number on the same work, which was recorded for the signature as it is. After a change both numbers of
 * before stay, so that the new one stands beside them.
 * @param {HTMLElement} element
 * @param {Signature} signature
 * @param {Partial<Summary> | null} summary
 */
function besideIn(element, signature, summary) {
  const { recorded, compared, neighbour } = signature;
  element.hidden = !recorded;
  if (!recorded) {
    element.textContent = "";
    return;
  }
  const [own, other] = recorded.compared.map((value) => figureText(value, compared.unit));
  const [mine, theirs] = recorded.compared;
  const ratio = mine && theirs ? timesWords(mine / theirs) : "";
  const values = { label: compared.label, own, name: neighbour.label, value: other, ratio };
  if (summary && summary.experiment_digest !== recorded.digest)
    element.textContent = gettext("Before the change: {label} {own}; {name}: {value}", values);
  else if (compared.label === signature.number.label)
    element.textContent = gettext("{name}, same workload: {value}{ratio}", {
      ...values,
      name: capital(values.name),
    });
  else element.textContent = gettext("{label}: {own}; {name}, same workload: {value}{ratio}", values);
}

/** How many times as large the other number is, or ours: never a small fraction. */
function timesWords(/** @type {number} */ ratio) {
  return ratio < 1
    ? gettext(" ({times} times as much)", { times: three(1 / ratio) })
    : gettext(" (here {times} times as much)", { times: three(ratio) });
}

/**
 * Go to the moment that the signature begins at, where the run has such a one.
 * @param {HTMLButtonElement} button
 * @param {Signature} signature
 */
function momentIn(button, /** @type {Studio} */ studio, signature) {
  const found = studio.instructive.moments.find((each) => each.kind === signature.opens.moment);
  const run = studio.session?.run;
  const known = run?.state === "done" && studio.instructive.of === run.id;
  button.hidden = !signature.opens.moment || (known && !found);
  // Its place is kept until the moment is known: what stands below must not move under the pointer.
  button.style.visibility = known && found ? "" : "hidden";
  if (!known || !found) {
    button.textContent ||= gettext("Show me: {moment}", { moment: signature.opens.label || "…" });
    return;
  }
  button.textContent = gettext("Show me: {moment}", { moment: found.label });
  const then = studio.instructive.moments.find((each) => each.kind === signature.opens.then);
  button.onclick = () => studio.moments.show(found, then ? [then] : []);
}

/**
 * The last word of a path, where no control names it, and whose it is.
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
 * The unit to say after a value: words for what is counted are left to the label.
 * @param {string} path
 * @param {{unit?: string} | undefined} spec
 */
function unitOf(path, spec) {
  const unit = spec?.unit ?? (path.endsWith("_s") ? "s" : path.endsWith("share") ? "share" : "");
  return unit === "share" || unit.length <= 2 ? unit : "";
}

/** The setting to turn: what it changes, and a button that turns it and turns it back. */
function turnPart(/** @type {Studio} */ studio) {
  const what = h("p", { class: "story-line" });
  const button = h("button", { type: "button", class: "button", "data-signature-turn": true });
  const element = h("div", { class: "signature-turn" }, button, what);
  return {
    element,
    tell(/** @type {Signature} */ signature) {
      const { path, from, to, says } = signature.turn;
      const turned = getAt(studio.experiment, path) === to;
      const declared = knobsFromSchema(studio.chosen?.params_schema ?? studio.chosen?.params ?? {});
      const spec = declared.find((each) => each.path === path);
      const control = document.querySelector(`.left-knobs .knob[data-path="${path}"] .knob-label`);
      const label = spec?.label ?? control?.firstChild?.textContent ?? plain(path, studio.opened);
      const unit = unitOf(path, spec);
      const text = (/** @type {any} */ value) => spec?.options?.[String(value)]?.label ?? withUnit(value, unit);
      what.textContent = says;
      button.textContent = turned
        ? gettext("Back: {label} {value}", { label, value: text(from) })
        : gettext("Try: {label} {from} → {to}", { label, from: text(from), to: text(to) });
      button.disabled = studio.readOnly;
      button.onclick = () => studio.edit(path, turned ? from : to);
    },
  };
}
