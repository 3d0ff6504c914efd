/** The machines as the run's own policy scored them for a task: each term of the score, each rejection. */

import { decimals, whole } from "../../kit/format.js";
import { element, html, nothing } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @typedef {{text: string, value: number | null}} Term
 * @typedef {{machine: number, score: number | null, terms: Term[]}} JudgedMachine
 * @typedef {object} KindOfMachine  numbers of machines of one size
 * @property {string} kind
 * @property {number} machines
 * @property {number} usable
 * @property {number} no_room
 * @property {number} unsuited  without a constraint that the task asks for
 * @property {number} filtered
 * @property {number} out_of_service
 * @typedef {object} PolicyDecision  the server's answer; numbers without a value are null
 * @property {number} task
 * @property {number | null} t_s
 * @property {number | null} machine  the task's machine
 * @property {string | null} reason  the name of the decision's reason
 * @property {number} earlier  other tasks that got a machine earlier in the same event
 * @property {"truth" | "stale" | "sample"} news  what the schedulers know of the machines
 * @property {{word: string, unit: string, value: number | null}[]} words
 * @property {JudgedMachine[]} candidates
 * @property {KindOfMachine[]} turned_away
 */

/** Reasons of decisions that follow the score. */
const BY_SCORE = new Set(["chosen", "sent"]);

function number(/** @type {number | null} */ value) {
  if (value === null) return gettext("no value");
  if (value === 0) return "0"; // a term may be -0
  return Math.abs(value) < 0.001 ? String(Number(value.toPrecision(3))) : decimals(value);
}

/** @param {PolicyDecision} found */
export function policyTable(found) {
  const made = element(
    "section",
    "probes",
    () => html`
      <h3>${gettext("Why there?")}</h3>
      <p class="dialog-note">${aboutView(found)} ${newsView(found.news)}</p>
      ${found.candidates.length ? candidatesView(found) : nothing} ${turnedAwayView(found.turned_away)}
      ${found.words.length ? wordsView(found.words) : nothing}
    `,
  );
  made.dataset.policyDecision = String(found.machine ?? "");
  return made;
}

/** @param {PolicyDecision} found */
function aboutView({ machine, reason, earlier, candidates }) {
  if (machine === null)
    return candidates.length
      ? gettext("The task has no machine yet. These are the machines that the policy may use at that instant.")
      : gettext("The task has no machine yet, and at that instant there is none that the policy may use.");
  const before = gettext("These are the machines as they stood before the event in which the task got its machine.");
  if (reason && !BY_SCORE.has(reason))
    return `${before} ${gettext("The score did not choose this machine; what was decided says why it got the task.")}`;
  if (!earlier) return before;
  const others = ngettext(
    "In the same event {count} other task got a machine before it.",
    "In the same event {count} other tasks got machines before it.",
    earlier,
    { count: whole(earlier) },
  );
  return `${before} ${others}`;
}

/** Return a note if the schedulers do not see the current state. */
function newsView(/** @type {PolicyDecision["news"]} */ news) {
  if (news === "stale") return gettext("They are shown as the scheduler's stale copy had them.");
  if (news === "sample") return gettext("The scheduler asked a random sample of them; the table judges all.");
  return "";
}

/** @param {PolicyDecision} found */
function candidatesView({ candidates, machine }) {
  const terms = candidates[0].terms.length > 1 ? candidates[0].terms : [];
  const rowView = (/** @type {JudgedMachine} */ one) => html`
    <tr class=${one.machine === machine ? "is-won" : ""} ?data-won=${one.machine === machine}>
      <th scope="row">${whole(one.machine)}</th>
      <td>${number(one.score)}</td>
      ${terms.length ? one.terms.map((term) => html`<td>${number(term.value)}</td>`) : nothing}
    </tr>
  `;
  return html`
    <div class="probes-scroll" tabindex="0" role="region" aria-label=${gettext("Machines by score")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${gettext("Machine")}</th>
            <th scope="col">${gettext("Score")}</th>
            ${terms.map((term) => html`<th scope="col"><code>${term.text}</code></th>`)}
          </tr>
        </thead>
        <tbody>${candidates.map(rowView)}</tbody>
      </table>
    </div>
  `;
}

/** What becomes of machines, with the head of its column. The first is always shown, the others where they occur. */
const verdicts = () =>
  /** @type {const} */ ([
    ["usable", gettext("May be used")],
    ["no_room", gettext("No room")],
    ["unsuited", gettext("Lack a constraint")],
    ["filtered", gettext("Refused by the filter")],
    ["out_of_service", gettext("Out of service")],
  ]);

/** @param {KindOfMachine[]} kinds */
function turnedAwayView(kinds) {
  const shown = verdicts().filter(([name]) => name === "usable" || kinds.some((kind) => kind[name]));
  if (shown.length === 1) return nothing;
  const rowView = (/** @type {KindOfMachine} */ kind) => html`
    <tr>
      <th scope="row">${kind.kind}</th>
      ${shown.map(([name]) => html`<td>${whole(kind[name])}</td>`)}
    </tr>
  `;
  return html`
    <div class="probes-scroll" tabindex="0" role="region" aria-label=${gettext("Machines that were turned away")}>
      <table data-turned-away>
        <thead>
          <tr>
            <th scope="col">${gettext("Kind of machine")}</th>
            ${shown.map(([, head]) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>${kinds.map(rowView)}</tbody>
      </table>
    </div>
  `;
}

/** @param {PolicyDecision["words"]} words */
function wordsView(words) {
  return html`
    <details class="policy-words">
      <summary>${gettext("The policy's words, for the first machine")}</summary>
      <ul>
        ${words.map((one) => html`<li><code>${one.word}</code> ${number(one.value)} ${one.unit}</li>`)}
      </ul>
    </details>
  `;
}
