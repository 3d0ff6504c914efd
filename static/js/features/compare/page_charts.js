/** The charts of runs side by side: fractions of started tasks, and a series over time. */

import { clock } from "../../kit/format.js";
import { cdfPlace, cdfScene, playheadScene, tellCdf, tellTime, timePlace, timeScene } from "./compared_scene.js";
import { zoomSpan } from "../../kit/scales.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { find } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { ComparePage } from "./side_column.js" */

/** Create the chart of the fraction of tasks started within a time. */
export function cdfChart(/** @type {ComparePage} */ page) {
  return new CanvasPicture(
    find("cdf"),
    gettext(
      "Share of tasks that started within a given time of their arrival, for each run. " +
        "Left and right arrows move along it.",
    ),
    {
      scene: (width, height) => cdfScene(page.hists ?? [], { width, height, over: page.overNs }),
      hit: (x) => {
        const place = cdfPlace(page.hists ?? [], page.cdf.width, page.cdf.height);
        return x < place.left || x > place.right ? null : { ns: place.ns(x) };
      },
      tell: ({ ns }) => tellCdf(page.hists ?? [], page.names, ns),
      over: (item) => {
        page.overNs = item?.ns ?? null;
        page.cdf?.draw();
      },
      pick: () => {},
      step: (item, dx) => {
        const place = cdfPlace(page.hists ?? [], page.cdf.width, page.cdf.height);
        return {
          ns: Math.min(place.high, Math.max(place.low, (item?.ns ?? Math.sqrt(place.low * place.high)) * 1.25 ** dx)),
        };
      },
      at: ({ ns }) => {
        const place = cdfPlace(page.hists ?? [], page.cdf.width, page.cdf.height);
        return [place.x(ns), place.top + 20];
      },
    },
  );
}

/** Create the chart of the chosen series over time, with the playhead. */
export function timeChart(/** @type {ComparePage} */ page) {
  const { player } = page;
  const span = () => page.span ?? [0, page.end];
  const lines = () =>
    page.columns.map((column) => (page.series ? (column.store.series[page.series.name] ?? null) : null));
  const seek = (/** @type {number} */ ns) => {
    player.pause();
    player.seek(ns);
  };
  return new CanvasPicture(
    find("time"),
    gettext("Timelines of the runs. Click or press Enter to go to an instant. The wheel zooms, the arrow keys move."),
    {
      scene: (width, height) =>
        page.series ? timeScene(lines(), { span: span(), unit: page.series.unit, width, height }) : [],
      moving: (width, height) => playheadScene(player.t_ns, span(), width, height),
      hit: (x) => {
        const place = timePlace(span(), 1, page.time.width, page.time.height);
        return x < place.left || x > place.right ? null : { ns: Math.max(0, place.ns(x)) };
      },
      tell: ({ ns }) =>
        page.series
          ? tellTime(lines(), page.names, page.series.label, page.series.unit, ns, page.end)
          : clock(ns, page.end),
      pick: ({ ns }) => seek(ns),
      step: (item, dx) => {
        const ns = Math.min(page.end, Math.max(0, (item?.ns ?? player.t_ns) + (dx * (span()[1] - span()[0])) / 40));
        seek(ns);
        return { ns };
      },
      at: ({ ns }) => [timePlace(span(), 1, page.time.width, page.time.height).x(ns), 30],
      pan: (dx) => {
        const place = timePlace(span(), 1, page.time.width, page.time.height);
        seek(player.t_ns + (dx / place.inner) * (span()[1] - span()[0]));
      },
      zoom: (factor, x) => {
        const made = zoomSpan(
          span(),
          timePlace(span(), 1, page.time.width, page.time.height).ns(x),
          1 / factor,
          page.end,
        );
        page.span = made[0] === 0 && made[1] === page.end ? null : made;
        page.time.draw();
      },
      fit: () => {
        page.span = null;
      },
    },
  );
}
