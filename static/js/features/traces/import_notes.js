/** The notes of an import in the reader's language: the library writes them in English, with numbers in them. */

import { gettext, measureName, ngettext } from "../../kit/words.js";

/** @type {[pattern: RegExp, words: (...found: string[]) => string][]} */
const NOTES = [
  [
    /^([\d,]+) namespaces with few tasks share the queue '(.*)'\.$/,
    (count, queue) => gettext("{count} namespaces with few tasks share the queue '{queue}'.", { count, queue }),
  ],
  [
    /^Shares of queues: ([\d,]+) from quotas, the others by what their tasks ask for\.$/,
    (count) => gettext("Shares of queues: {count} from quotas, the others by what their tasks ask for.", { count }),
  ],
  [
    /^Shares of queues are by what their tasks ask for\.$/,
    () => gettext("Shares of queues are by what their tasks ask for."),
  ],
  [
    /^Durations of the kind (.+) are drawn from those of ([\d,]+) that have ended\.$/,
    (kind, count) =>
      gettext("Durations of the kind {kind} are drawn from those of {count} that have ended.", { kind, count }),
  ],
  [
    /^Durations of the kind (.+) are drawn: log-normal with a median of ([\d,]+) s\. This is an/,
    (kind, median) =>
      gettext(
        "Durations of the kind {kind} are drawn: log-normal with a median of {median} s. This is an assumption; " +
          "change it in the durations of the workload.",
        { kind, median },
      ),
  ],
  [
    /^([\d,]+) zones are more than (\d+); all machines are in one cluster\.$/,
    (count, most) => gettext("{count} zones are more than {most}; all machines are in one cluster.", { count, most }),
  ],
  [
    /^([\d,]+) steps belong to their jobs and are no tasks of their own\.$/,
    (count) => gettext("{count} steps belong to their jobs and are no tasks of their own.", { count }),
  ],
  [
    /^([\d,]+) jobs are left out by their state: (\w+)\.$/,
    (count, state) => gettext("{count} jobs are left out by their state: {state}.", { count, state }),
  ],
  [
    /^A job of n nodes is n tasks\. They start together under the scheduler slurm\.$/,
    () => gettext("A job of n nodes is n tasks. They start together under the scheduler slurm."),
  ],
  [
    /^([\d,]+) jobs depend on others\. Only the scheduler slurm obeys that\.$/,
    (count) => gettext("{count} jobs depend on others. Only the scheduler slurm obeys that.", { count }),
  ],
  [
    /^([\d,]+) nodes are down or draining; they count as machines\.$/,
    (count) =>
      ngettext(
        "{count} node is down or draining; it counts as a machine.",
        "{count} nodes are down or draining; they count as machines.",
        Number(count.replaceAll(",", "")),
        { count },
      ),
  ],
  [
    /^([\d,]+) pods had ended before the first look; they tell how long pods of their kind run\.$/,
    (count) =>
      gettext("{count} pods had ended before the first look; they tell how long pods of their kind run.", { count }),
  ],
  [
    /^([\d,]+) pods run on nodes that the files do not have; they wait at time 0\.$/,
    (count) => gettext("{count} pods run on nodes that the files do not have; they wait at time 0.", { count }),
  ],
  [
    /^([\d,]+) pods have the end that the files tell\.$/,
    (count) => gettext("{count} pods have the end that the files tell.", { count }),
  ],
  [
    /^([\d,]+) jobs name no queue; they are in the queue '(.*)'\.$/,
    (count, queue) => gettext("{count} jobs name no queue; they are in the queue '{queue}'.", { count, queue }),
  ],
  [
    /^The queues of the trace are not used: ([\d,]+) are more than ([\d,]+)\.$/,
    (count, most) => gettext("The queues of the trace are not used: {count} are more than {most}.", { count, most }),
  ],
  [
    /^The queues of the trace are not used: '(.*)' is no name of 1 to 64 printable characters\.$/,
    (name) =>
      gettext("The queues of the trace are not used: '{name}' is no name of 1 to 64 printable characters.", { name }),
  ],
  [
    /^([\d,]+) pods end when an event says so\.$/,
    (count) => gettext("{count} pods end when an event says so.", { count }),
  ],
  [
    /^([\d,]+) pods are gone at the next look; each end is drawn evenly between the two\.$/,
    (count) => gettext("{count} pods are gone at the next look; each end is drawn evenly between the two.", { count }),
  ],
];

/**
 * Return a note in the reader's language; a note of another kind stays unchanged.
 * @param {string} note
 */
export function noteWords(note) {
  for (const [pattern, words] of NOTES) {
    const found = pattern.exec(note);
    if (found) return words(...found.slice(1));
  }
  return note;
}

/** Why readers leave rows out, as the library says it. */
export const KINDS = () => [
  gettext("a value that is not what its column says"),
  gettext("no time of arrival"),
  gettext("no duration"),
  gettext("no number of tasks"),
  gettext("no name of a job"),
  gettext("no time of submission"),
  gettext("no run time"),
  gettext("no runtime"),
  gettext("no number of processors"),
  gettext("no workflow"),
  gettext("a part of a job that another line summarizes"),
  gettext("a job that is not j_ and a number"),
  gettext("a status other than Terminated"),
  gettext("no start or end within the trace"),
  gettext("no number of instances"),
  gettext("a number of CPUs out of bounds"),
  gettext("no job or task, or a number that is too large"),
  gettext("no time within the trace (before its start or after its end)"),
  gettext("an event of no known type"),
  gettext("tasks left out that never finish here"),
  gettext("tasks left out whose start is not here"),
  gettext("tasks left out whose submission is not here"),
];
const NOT_COLUMNS = /^not (\d+) columns$/;

/**
 * Return in the reader's language why rows were left out; a reason of another kind stays unchanged.
 * @param {string} kind
 */
export function kindWords(kind) {
  const found = NOT_COLUMNS.exec(kind);
  return found ? gettext("not {columns} columns", { columns: found[1] }) : measureName(kind);
}

/** Return true for a note that an import writes. */
export const isImportNote = (/** @type {string} */ note) => NOTES.some(([pattern]) => pattern.test(note));
