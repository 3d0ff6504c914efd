/**
 * Pictures of a trace's statistics, a fit over them where there is one; each says what is under the pointer or the
 * keys.
 */

import { Plot } from "../editors/plot.js";
import { measured, percent, short, three, whole } from "../../kit/format.js";
import { burstWords, logSpan, shareUpTo, stepsOf } from "./traces.js";
import { h } from "../../kit/dom.js";
import { svg } from "../../experiment/thumbnails.js";

const seconds = (value) => measured(value * 1e9);
const count = (value) => (value < 10 ? three(value) : short(Math.round(value)));
/**
 * @typedef {[name: string, title: string, about: string, axis: (value: number) => string, words?: (x: number, share:
 * number) => string]} Row
 */

/** @type {Row[]} */
const DISTRIBUTIONS = [
  [
    "tasks_per_job",
    "Tasks per job",
    "Share of jobs with at most so many tasks.",
    short,
    (x, share) => `${percent(share)} of the jobs have at most ${three(x)} tasks`,
  ],
  [
    "duration_s",
    "Task duration",
    "Share of tasks that run at most so long.",
    seconds,
    (x, share) => `${percent(share)} of the tasks run at most ${seconds(x)}`,
  ],
  [
    "gap_s",
    "Gaps between jobs",
    "Share of gaps between arrivals that are at most so long.",
    seconds,
    (x, share) => `${percent(share)} of the gaps are at most ${seconds(x)}`,
  ],
];
/** @type {Row[]} */
const GRAPHS = [
  [
    "stages_per_job",
    "Stages per graph",
    "Share of the jobs that are graphs with at most so many stages.",
    short,
    (x, share) => `${percent(share)} of the graphs have at most ${three(x)} stages`,
  ],
  [
    "critical_path_s",
    "Critical path",
    "Share of graphs whose longest chain of tasks takes at most so long.",
    seconds,
    (x, share) => `${percent(share)} of the graphs could end within ${seconds(x)} of their arrival`,
  ],
  ["depth", "Depth", "", short],
  ["tasks_per_stage", "Tasks per stage", "", short],
];
const COLUMNS = ["p50", "p90", "p95", "p99", "p99.9"];
const IDLE = "Point at the picture, or focus it and press ← →.";

/** {element, show(statistics, fit or null)}. */
export function traceFigures() {
  const counts = h("dl", { class: "trace-counts" });
  const legend = h(
    "p",
    { class: "trace-legend", hidden: true },
    key("plot-line"),
    "the trace",
    key("plot-drawn"),
    "one draw of what was fitted to it",
  );
  const plots = [...DISTRIBUTIONS, ...GRAPHS.slice(0, 2)].map(([name, title, about, axis, words]) => {
    const plot = new Plot({
      label: `${title}. ${about} Arrow keys read values.`,
      axis,
      unit: percent,
      sentence: (x, data) =>
        `${words(x, shareUpTo(data.own.cdf, x))}` +
        `${data.fit ? `; of those drawn, ${percent(shareUpTo(data.fit.cdf, x))}` : ""}.`,
    });
    return { name, plot, element: figure(title, about, plot) };
  });
  /** @type {[string, string, string, (value: number) => string][]} */
  const timed = [
    [
      "running",
      "Tasks that run at a time",
      "If every task started as it arrived: what the trace asks for, whatever the machines.",
      (value) => `${count(value)} tasks run`,
    ],
    [
      "tasks",
      "Arrivals",
      "Tasks that arrive in each of 240 equal stretches of time.",
      (value) => `${whole(value)} tasks arrive`,
    ],
  ];
  const over = timed.map(([name, title, about, words]) => {
    const plot = new Plot({
      label: `${title} over time. Arrow keys read values.`,
      log: false,
      axis: seconds,
      unit: count,
      height: 120,
      sentence: (x, data) =>
        `${seconds(x)} after the first arrival ${words(slotAt(data.own, x, name))}` +
        `${data.fit ? `; of those drawn ${words(slotAt(data.fit, x, name))}` : ""}.`,
    });
    return { name, plot, element: figure(title, about, plot, true) };
  });
  const table = h("tbody");
  const bursts = h("p", { class: "trace-words" });
  const windows = h("tbody");
  const element = h(
    "div",
    {},
    counts,
    legend,
    h(
      "div",
      { class: "trace-figures" },
      over[0].element,
      ...plots.slice(0, 3).map((each) => each.element),
      burstFigure(windows),
      ...plots.slice(3).map((each) => each.element),
      over[1].element,
    ),
    h(
      "div",
      { class: "trace-table-place", tabindex: "0", role: "region", "aria-label": "Percentiles" },
      h(
        "table",
        { class: "trace-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Distribution"),
            ["mean", "CV", ...COLUMNS, "max"].map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        table,
      ),
    ),
    bursts,
  );
  return {
    element,
    show(own, fit) {
      legend.hidden = !fit;
      counts.replaceChildren(...countsOf(own, fit));
      for (const { name, plot, element: place } of plots) {
        const [mine, drawn] = [
          own.distributions[name] ?? own.graphs?.distributions[name],
          fit?.distributions[name] ?? null,
        ];
        place.hidden = !mine;
        if (mine)
          plot.set({
            own: mine,
            fit: drawn,
            span: logSpan(mine, drawn),
            most: 1,
            series: [
              curve(mine, drawn, mine, "plot-line"),
              ...(drawn ? [curve(mine, drawn, drawn, "plot-drawn")] : []),
            ],
          });
      }
      for (const { name, plot } of over) plot.set(overTime(name, own.over_time, fit?.over_time ?? null));
      table.replaceChildren(
        ...DISTRIBUTIONS.flatMap(([name, title, , axis]) =>
          rowsOf(title, axis, own.distributions[name], fit?.distributions[name]),
        ),
        ...GRAPHS.flatMap(([name, title, , axis]) => rowsOf(title, axis, own.graphs?.distributions[name], null)),
      );
      bursts.textContent = burstWords(own.burstiness);
      windows.replaceChildren(
        ...own.burstiness.windows.map((each, index) => windowRow(each, fit?.burstiness.windows[index])),
      );
    },
  };
}

function key(className) {
  return svg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, svg("path", { class: className, d: "M0 4H24" }));
}

function figure(title, about, plot, wide = false) {
  const read = h("p", { class: "trace-read is-idle", "aria-hidden": "true" }, IDLE);
  // What the pointer and the arrow keys tell, in sight of both.
  new MutationObserver(() => {
    const text = plot.drawing.dataset.tip ?? "";
    read.textContent = text || IDLE;
    read.classList.toggle("is-idle", !text);
  }).observe(plot.drawing, { attributes: true, attributeFilter: ["data-tip"] });
  return h(
    "figure",
    { class: wide ? "trace-figure is-wide" : "trace-figure", "data-figure": title },
    h("h2", {}, title),
    h("figcaption", {}, about),
    plot.element,
    read,
  );
}

function burstFigure(windows) {
  return h(
    "figure",
    { class: "trace-figure", "data-figure": "Burstiness" },
    h("h2", {}, "Burstiness"),
    h(
      "figcaption",
      {},
      "Jobs that arrive in windows of a length: variance over mean (1: as by chance), and the busiest window " +
        "over the mean.",
    ),
    h(
      "table",
      { class: "trace-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Window", "Variance / mean", "Peak / mean"].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      windows,
    ),
  );
}

function windowRow(own, fit) {
  const both = (of) => [three(own[of]), ...(fit ? [h("span", { class: "of-fit" }, ` / ${three(fit[of])}`)] : [])];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, seconds(own.length_s)),
    h("td", {}, both("dispersion")),
    h("td", {}, both("peak_to_mean")),
  );
}

function curve(own, drawn, which, className) {
  return { ...stepsOf(which, logSpan(own, drawn)), kind: "steps", className };
}

function slotAt(over, x, name) {
  return over[name][Math.min(over[name].length - 1, Math.max(0, Math.floor(x / over.slot_s)))] ?? 0;
}

function overTime(name, own, fit) {
  const lines = [[own, "plot-line"], ...(fit ? [[fit, "plot-drawn"]] : [])];
  const most = Math.max(...lines.flatMap(([of]) => of[name]), 1e-9);
  const end = Math.max(...lines.map(([of]) => of.slot_s * of[name].length));
  return {
    own,
    fit,
    span: [0, end],
    most,
    series: lines.map(([of, className]) => ({
      x: of[name].map((_, index) => index * of.slot_s),
      y: of[name],
      kind: className === "plot-line" && !fit ? "area" : "line",
      className: className === "plot-line" && !fit ? "plot-area plot-line-over" : className,
    })),
  };
}

function countsOf(own, fit) {
  /** @type {[string, string, (value: number) => string][]} */
  const facts = [
    ["Jobs", "jobs", whole],
    ["Tasks", "tasks", short],
    ["From first to last", "span_s", seconds],
    ["Work", "work_s", (value) => `${short(value / 3600)} task-h`],
    ["Run at a time, mean", "mean_concurrency", count],
  ];
  const jobs = (of) => percent(of.long.jobs);
  const taskSeconds = (of) => percent(of.long.task_seconds);
  const one = (title, value, drawn) =>
    h(
      "div",
      {},
      h("dt", {}, title),
      h("dd", {}, value, ...(drawn ? [h("span", { class: "of-fit" }, `drawn: ${drawn}`)] : [])),
    );
  return [
    ...facts.map(([title, name, show]) => one(title, show(own[name]), fit && show(fit[name]))),
    one(`Long jobs (from ${seconds(own.cutoff_s)})`, jobs(own), fit && jobs(fit)),
    one("Task-seconds in them", taskSeconds(own), fit && taskSeconds(fit)),
    ...graphCounts(own.graphs, one),
  ];
}

/** Statistics that were measured before graphs were read have none. */
function graphCounts(graphs, one) {
  if (!graphs) return [];
  return [
    one("Jobs that are graphs", whole(graphs.jobs)),
    one("Stages in them", short(graphs.stages)),
    one("Edges between stages", short(graphs.edges)),
    one("Run at a time in a graph, mean", count(graphs.parallelism)),
  ];
}

function rowsOf(title, show, own, fit) {
  if (!own) return [];
  const cells = (of) =>
    [show(of.mean), three(of.cv), ...COLUMNS.map((name) => show(of.percentiles[name])), show(of.max)].map((text) =>
      h("td", {}, text),
    );
  return [
    h("tr", {}, h("th", { scope: "row" }, title), cells(own)),
    ...(fit ? [h("tr", { class: "of-fit" }, h("th", { scope: "row" }, "drawn"), cells(fit))] : []),
  ];
}
