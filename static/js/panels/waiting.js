/** How long tasks wait: percentiles, histogram and distribution function, with the previous run as a ghost. */

import { measured } from "../lib/format.js";
import { PERCENTILES, percentiles, total } from "../lib/histogram.js";
import { h } from "../views/dom.js";
import { CdfView, HistogramView, sharedSpan } from "../views/charts.js";

const PERCENTILE_HELP = {
  p50: "Half of the tasks waited at most so long.", p90: "Nine in ten tasks waited at most so long.",
  p99: "All but one in a hundred tasks waited at most so long.", "p99.9": "All but one in a thousand tasks waited at most so long.",
};

export default {
  id: "waiting", place: "right", title: "Waiting", question: "How long until a task starts?",
  mount(body, studio) {
    const cells = PERCENTILES.map(([name]) => {
      const value = h("dd", { "data-percentile": name }, "–");
      const before = h("dd", { class: "before", hidden: true, "data-tip": "The run before, at the same instant." });
      return { name, value, before, element: h("div", { class: "percentile", "data-tip": PERCENTILE_HELP[name] }, h("dt", {}, name), value, before) };
    });
    const bars = h("div", { class: "chart chart-histogram", role: "img", "aria-label": "Histogram of waiting times" });
    const curve = h("div", { class: "chart chart-cdf", role: "img", "aria-label": "Share of tasks that waited at most so long" });
    const ghostNote = h("span", { class: "ghost-note", hidden: true }, "dashed: the run before");
    const empty = h("p", { class: "chart-empty" }, "Waits appear as soon as the first task starts.");
    body.classList.add("is-empty");
    body.append(h("dl", { class: "percentiles" }, cells.map((cell) => cell.element)),
      h("p", { class: "chart-title" }, "Tasks by wait"), bars, h("p", { class: "chart-title" }, "Started within", ghostNote), curve, empty);
    const histogram = new HistogramView(bars);
    const cdf = new CdfView(curve);
    let name = "allocation_delay";

    return {
      meta(meta) { name = meta.hists[0]?.name ?? name; },
      picture(picture) {
        const hist = picture.hists[name];
        const filled = hist && total(hist.counts) > 0 ? hist : null;
        const old = studio.ghostPicture()?.hists[name] || null;
        const values = percentiles(filled);
        const exact = studio.exactAtEnd()?.[`${name}_s`];
        const before = percentiles(old && total(old.counts) > 0 ? old : null);
        for (const cell of cells) {
          const ns = exact && typeof exact[cell.name] === "number" ? exact[cell.name] * 1e9 : values[cell.name];
          cell.value.textContent = measured(ns);
          cell.before.hidden = before[cell.name] === null;
          cell.before.textContent = measured(before[cell.name]);
        }
        const span = sharedSpan(filled, old);
        histogram.update(filled, values, span);
        cdf.update(filled, old, span);
        ghostNote.hidden = !old;
        empty.hidden = Boolean(filled);
        body.classList.toggle("is-empty", !filled);
      },
    };
  },
};
