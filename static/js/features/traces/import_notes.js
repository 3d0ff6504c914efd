/** The notes of an import in the reader's language: the library writes them in English, with numbers in them. */

import { gettext } from "../../kit/words.js";

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
    (count) => gettext("{count} nodes are down or draining; they count as machines.", { count }),
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

/** Return true for a note that an import writes. */
export const isImportNote = (/** @type {string} */ note) => NOTES.some(([pattern]) => pattern.test(note));
