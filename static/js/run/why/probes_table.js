/** A table of the probes of a task's job: where each went, how long it waited there, and which one fetched the task. */

import { moment, whole } from "../../kit/format.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { probeRows, tellCounts } from "./probe_rows.js";

/** @import { Probes } from "./probe_rows.js" */

const SHOWN = 12;

/** @param {Probes} probes */
export function probesTable(probes) {
  const rows = probeRows(probes);
  const cut = rows.findIndex((row) => row.probe >= SHOWN);
  const shown = signal(cut < 0 ? rows.length : cut);
  const expects = rows.some((row) => row.expected);
  const showAll = () => {
    shown.value = rows.length;
  };
  const made = element(
    "section",
    "probes",
    () => html`
      <h3>${probes.of === "task" ? gettext("Where its probes were sent") : gettext("The job's probes")}</h3>
      <p class="probes-why">${probes.why}</p>
      <p class="dialog-note">${tellCounts(probes)}</p>
      <div class="probes-scroll" tabindex="0" role="region" aria-label=${gettext("Probes")}>
        <table>
          ${headView(probes.of, expects)}
          <tbody>${rows.slice(0, shown.value).map((row) => rowView(row, expects))}</tbody>
        </table>
      </div>
      ${
        shown.value < rows.length
          ? html`<button type="button" class="link" @click=${showAll}>${gettext("Show all")}</button>`
          : nothing
      }
      ${leftNote(probes)}
    `,
  );
  made.dataset.probes = "";
  return made;
}

/**
 * @param {ReturnType<typeof probeRows>[number]} row
 * @param {boolean} expects  true if some probe's expected wait is known
 */
function rowView(row, expects) {
  return html`
    <tr class=${row.won ? "is-won" : ""}>
      <th scope="row">${row.first ? "" : "→ "}${whole(row.worker)}</th>
      ${expects ? html`<td>${row.expected}</td>` : nothing}
      <td>${moment(row.came_s * 1e9)}</td>
      <td class="probe-wait"
        ><span class="probe-bar-place">${barView(row.share)}</span
        >${row.waited}</td
      >
      <td>${row.behind}</td>
      <td class="probe-what">${row.what}${row.won ? html`<b>${gettext(" ← this one")}</b>` : nothing}</td>
    </tr>
  `;
}

const barView = (/** @type {number} */ share) =>
  html`<i class="probe-bar" aria-hidden="true" .style=${`width: ${Math.round(share * 48)}px`}></i>`;

/**
 * Return a note on how many probes are shown, if not all are.
 * @param {Probes} probes
 */
function leftNote(probes) {
  if (probes.total <= probes.rows.length) return nothing;
  const numbers = { rows: whole(probes.rows.length), total: whole(probes.total) };
  return html`<p class="dialog-note">${gettext("Only the first {rows} of {total} are shown.", numbers)}</p>`;
}

/**
 * @param {Probes["of"]} of
 * @param {boolean} expects
 */
function headView(of, expects) {
  const names = [
    gettext("Worker"),
    ...(expects ? [gettext("Expected wait")] : []),
    of === "task" ? gettext("At") : gettext("Came at"),
    gettext("Waited there"),
    gettext("Behind"),
    gettext("Then"),
  ];
  return html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`;
}
