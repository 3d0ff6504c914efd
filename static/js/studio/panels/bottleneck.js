/** Where waiting time goes, so far and in the end: a sentence, a chart over time, a bar by queue and class, curves. */

import { h, svg } from "../../kit/dom.js";
import { axisSeconds, measured, percent } from "../../kit/format.js";
import { DELAY_PARTS } from "../../run/why/delay_bar.js";
import { bottleneckWords, stuckWords, waitCurves, waitRows } from "../../run/bottleneck.js";
import { fullPart, waitsNow } from "../../run/bottleneck_now.js";
import { roleBytes } from "../../run/roles.js";
import { overOfDensity, overOfTrack, soFar } from "../../draw/charts/waits_over.js";
import { gettext } from "../../kit/words.js";
import { mostOf, stackOf, waitsChart } from "./waits_chart.js";
import { queueName } from "../../kit/names.js";
import { panelOf } from "../panel.js";
import { effect } from "../../kit/view.js";

/**
 * @import { Meta, Summary } from "../../contract/contract"
 * @import { Over } from "../../draw/charts/waits_over.js"
 * @import { Picture } from "../../run/frames.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../store.js"
 */

/** @typedef {ReturnType<typeof waitRows>[number]} WaitRow */

const WIDE = 240;
const TALL = 80;
/** Smaller parts of the waiting time are not named at Watch. */
const NAMED = 0.05;

function nameOf(/** @type {WaitRow} */ row) {
  if (row.kind === "all") return gettext("All tasks");
  if (row.kind === "queue") return queueName(row.name);
  return row.name === "short" ? gettext("Short jobs") : gettext("Long jobs");
}

/** What is known of a run's waits over time: the same object as long as nothing more is known. */
class OverTime {
  /** @type {import("../../contract/contract").Track | import("../../contract/contract").Density | null} */
  of = null;
  /** @type {Over | null} */
  over = null;

  /** @param {import("../../run/frames.js").FrameStore | undefined} store @param {any} meta */
  take(store, meta) {
    const track = !meta?.work || store?.track?.left_out ? null : (store?.track ?? null);
    const density = track ? null : (store?.density ?? null);
    if ((track ?? density) === this.of) return this.over;
    this.of = track ?? density;
    this.over = track ? overOfTrack(track, meta.queues) : density && overOfDensity(density);
    return this.over;
  }
}

/** The parts of a bar. */
function piecesOf(/** @type {WaitRow} */ row) {
  return row.shares.map((share, at) => {
    const piece = h("i", { class: `delay-${at}`, "data-tip": `${DELAY_PARTS[at][1]}: ${percent(share)}` });
    piece.style.flexGrow = String(share);
    piece.hidden = share < 0.002;
    return piece;
  });
}

/**
 * A row: whose, where the time went as a bar, over time where that is known, the mean wait.
 * @param {WaitRow} row
 * @param {number} number
 * @param {Over | null} over
 */
function barRow(row, number, over) {
  const label = h("span", { class: "bottleneck-name" }, nameOf(row));
  if (row.kind !== "all") label.prepend(h("i", { class: `curve-key curve-${number}`, "aria-hidden": "true" }));
  const group = row.kind !== "all" && over?.groups.find((each) => each.kind === row.kind && each.name === row.name);
  return h(
    "div",
    { class: "bottleneck-row", "data-group": row.name || row.kind },
    label,
    h("div", { class: "delay-bar", "aria-hidden": "true" }, piecesOf(row)),
    h("span", { class: "bottleneck-mean" }, measured(row.mean_s * 1e9)),
    group ? h("div", { class: "bottleneck-small" }, stackOf(group, Math.max(1, mostOf(group)), 24)) : "",
  );
}

/**
 * The bar of all tasks with the names of its larger parts, and the one sentence: for who only watches.
 * @param {WaitRow} row
 * @param {string} words
 */
function briefOf(row, words) {
  const parts = row.shares
    .map((share, at) => ({ share, at }))
    .filter(({ share }) => share >= NAMED)
    .map(({ share, at }) =>
      h("span", {}, h("i", { class: `delay-${at}`, "aria-hidden": "true" }), `${DELAY_PARTS[at][1]} ${percent(share)}`),
    );
  return [
    h("p", { class: "story-label" }, gettext("Where does waiting time go?")),
    h("div", { class: "delay-bar", "aria-hidden": "true" }, piecesOf(row)),
    h("p", { class: "bottleneck-key" }, parts),
    h("p", { class: "story-line" }, words),
  ];
}

/** The part of the tasks of each group that had started within so long. */
function curvesOf(/** @type {NonNullable<ReturnType<typeof waitCurves>>} */ found) {
  const lines = found.curves.map((curve, number) =>
    svg("polyline", {
      class: `curve-line curve-${number + 1}`,
      points: curve.points.map(([x, y]) => `${(x * WIDE).toFixed(1)},${((1 - y) * TALL).toFixed(1)}`).join(" "),
    }),
  );
  const label = gettext("Share of each group's tasks that started within a given wait");
  return h(
    "div",
    { class: "bottleneck-curves" },
    h("p", { class: "chart-title" }, gettext("Started within, by group")),
    svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": label }, ...lines),
    h("p", { class: "bottleneck-axis" }, h("span", {}, axisSeconds(found.low)), h("span", {}, axisSeconds(found.high))),
  );
}

const key = () =>
  h(
    "p",
    { class: "bottleneck-key" },
    DELAY_PARTS.map(([, label, help], at) =>
      h("span", { "data-tip": help }, h("i", { class: `delay-${at}`, "aria-hidden": "true" }), label),
    ),
  );

/** The box that names what waits for ever; `tell` takes its heading and its groups. */
function stuckBox() {
  const element = h("div", { class: "bottleneck-stuck", role: "alert", "data-stuck": true, hidden: true });
  return {
    element,
    tell([heading, ...groups] = /** @type {string[]} */ ([])) {
      element.hidden = !heading;
      element.replaceChildren(
        ...(heading ? [h("strong", {}, heading), ...groups.map((each) => h("p", {}, each))] : []),
      );
    },
  };
}

/** A sentence with numbers, and what they count. */
const sentence = (/** @type {string} */ name, /** @type {string} */ counts) =>
  h("p", { class: "bottleneck-says", role: "status", [name]: true, "data-says": counts });

/**
 * Who waits now, and where: as many as the picture that is drawn counts.
 * @param {Over | null} over
 * @param {Meta | null} meta
 * @param {Picture | null} picture
 */
function nowWords(over, meta, picture) {
  const full = fullPart(meta && roleBytes(meta, picture, "load"));
  return waitsNow(over, picture?.t_ns ?? 0, picture?.counters.tasks_waiting ?? 0, full);
}

/** The bar and the sentence that the left column shows where the panel is not. */
function briefBox() {
  const brief = h("section", { class: "waits-brief", "data-waits-brief": true, "data-says": "run:waits" });
  document.querySelector(".left-knobs")?.append(brief);
  return brief;
}

export default {
  id: "bottleneck",
  place: "right",
  title: gettext("Bottleneck"),
  question: gettext("Where does waiting time go?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const says = sentence("data-bottleneck", "run:waits");
    const now = sentence("data-bottleneck-now", "waiting");
    const rest = h(
      "div",
      { "data-says": "run:waits" },
      h("div", { class: "skeleton" }),
      h("div", { class: "skeleton" }),
    );
    const stuck = stuckBox();
    body.append(stuck.element, says, now, rest);
    const panel = panelOf(body);
    panel.classList.add("is-expected");
    const brief = briefBox();
    const overTime = new OverTime();
    /** @type {RunSession | Partial<Summary> | null} */
    let shown = null;
    /** @type {Over | null} */
    let drawn = null;

    const update = () => {
      const { session, meta, figures: picture, news: _changed } = studio;
      const over = overTime.take(session?.store, meta);
      now.textContent = nowWords(over, meta, picture);
      const summary = session?.store.summary ?? (over && soFar(over));
      // Its room is kept while a run is on its way: what stands below does not move when it arrives.
      const waiting = stuckWords(session?.store.summary);
      panel.hidden = Boolean(session?.final) && !waitRows(summary).length && !waiting.length;
      brief.hidden = panel.hidden;
      if (session?.store.summary ? summary === shown && over === drawn : over === drawn && shown === session) return;
      shown = session?.store.summary ?? session;
      drawn = over;
      stuck.tell(waiting);
      // A run that is stuck opens on what waits.
      if (waiting.length) panel.scrollIntoView({ block: "nearest" });
      const rows = waitRows(summary);
      for (const part of [panel, brief]) part.classList.toggle("is-expected", !rows.length);
      if (waiting.length) rest.replaceChildren();
      if (!rows.length) return;
      says.textContent = bottleneckWords(summary, meta?.work?.keeper);
      brief.replaceChildren(...briefOf(rows[0], says.textContent));
      const curves = waitCurves(rows);
      const numbers = new Map(curves?.curves.map((curve, at) => [`${curve.kind} ${curve.name}`, at + 1]) ?? []);
      rest.replaceChildren(
        ...(over ? [waitsChart(over)] : []),
        h(
          "p",
          { class: "chart-title" },
          session?.store.summary
            ? gettext("Mean wait and its parts, whole run")
            : gettext("Mean wait and its parts, so far"),
        ),
        ...rows.map((row) => barRow(row, numbers.get(`${row.kind} ${row.name}`) ?? 0, over)),
        key(),
        ...(curves ? [curvesOf(curves)] : []),
      );
    };
    effect(update);
  },
};
