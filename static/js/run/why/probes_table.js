/** Where the probes of a task's job went, how long each waited there, and which of them fetched the task. */

import { moment, whole } from "../../kit/format.js";
import { probeRows, tellCounts } from "./probe_rows.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Probes } from "./probe_rows.js" */

const SHOWN = 12;

/** `probes` as /explain gives them. */
export function probesTable(/** @type {Probes} */ probes) {
  const rows = probeRows(probes);
  const cut = rows.findIndex((row) => row.probe >= SHOWN);
  const shown = cut < 0 ? rows.length : cut;
  const expects = rows.some((row) => row.expected);
  const line = (/** @type {ReturnType<typeof probeRows>[number]} */ row) =>
    h(
      "tr",
      { class: row.won ? "is-won" : null },
      h("th", { scope: "row" }, `${row.first ? "" : "→ "}${whole(row.worker)}`),
      expects ? h("td", {}, row.expected) : null,
      h("td", {}, moment(row.came_s * 1e9)),
      h("td", { class: "probe-wait" }, bar(row.share), row.waited),
      h("td", {}, row.behind),
      h("td", { class: "probe-what" }, row.what, row.won ? h("b", {}, gettext(" ← this one")) : null),
    );
  const body = h("tbody", {}, rows.slice(0, shown).map(line));
  /** @type {HTMLElement | null} */
  const more =
    shown === rows.length
      ? null
      : h(
          "button",
          {
            type: "button",
            class: "link",
            onclick: () => {
              body.append(...rows.slice(shown).map(line));
              more?.remove();
            },
          },
          gettext("Show all"),
        );
  return h(
    "section",
    { class: "probes", "data-probes": "" },
    h("h3", {}, probes.of === "task" ? gettext("Where its probes were sent") : gettext("The job's probes")),
    h("p", { class: "probes-why" }, probes.why),
    h("p", { class: "dialog-note" }, tellCounts(probes)),
    h(
      "div",
      { class: "probes-scroll", tabindex: "0", role: "region", "aria-label": gettext("Probes") },
      h("table", {}, headOf(probes.of, expects), body),
    ),
    more,
    leftNote(probes),
  );
}

/** How many probes are shown, where not all are. */
function leftNote(/** @type {Probes} */ probes) {
  if (probes.total <= probes.rows.length) return null;
  const numbers = { rows: whole(probes.rows.length), total: whole(probes.total) };
  return h("p", { class: "dialog-note" }, gettext("Only the first {rows} of {total} are shown.", numbers));
}

function headOf(/** @type {string} */ of, /** @type {boolean} */ expects) {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      [
        gettext("Worker"),
        ...(expects ? [gettext("Expected wait")] : []),
        of === "task" ? gettext("At") : gettext("Came at"),
        gettext("Waited there"),
        gettext("Behind"),
        gettext("Then"),
      ].map((name) => h("th", { scope: "col" }, name)),
    ),
  );
}

function bar(/** @type {number} */ share) {
  const made = h("i", { class: "probe-bar", "aria-hidden": "true" });
  made.style.width = `${Math.round(share * 48)}px`;
  return h("span", { class: "probe-bar-place" }, made);
}
