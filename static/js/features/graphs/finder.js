/** Find a job by its number, or in a list that begins with the slowest jobs. */

import { duration, whole } from "../../kit/format.js";
import { targetOf } from "../../kit/dom.js";
import { computed, element, html, live, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 */

const MOST = 40;

export class JobFinder {
  /** The field's text while it has the focus; null otherwise, when it shows the selected job. */
  #typed = signal(/** @type {string | null} */ (null));
  /** The row selected by arrow keys; -1 for none. */
  #at = signal(-1);
  #longest = computed(() => (this.desk.graphs ? longestFirst(this.desk.graphs) : []));
  #found = computed(() => matching(this.#longest.value, this.#typed.value ?? ""));

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.element = element("div", "finder", () => this.#view());
  }

  #view() {
    const { graphs, selection } = this.desk;
    const typed = this.#typed.value;
    const open = typed !== null && graphs !== null;
    const found = this.#found.value;
    const active = open ? found[this.#at.value] : undefined;
    const shown = graphs && selection.job >= 0 ? nameOf(selection.job) : "";
    return html`<input
        class="finder-input"
        type="text"
        inputmode="numeric"
        role="combobox"
        aria-label=${gettext("Job")}
        aria-expanded=${String(open)}
        aria-controls="finder-list"
        aria-autocomplete="list"
        aria-activedescendant=${active === undefined ? nothing : `finder-${active}`}
        placeholder=${gettext("Job…")}
        autocomplete="off"
        data-tip=${gettext("Type a job's number or choose one from the list. The longest jobs come first.")}
        .value=${live(typed ?? shown)}
        @focus=${(/** @type {Event} */ event) => {
          this.#type(targetOf(event).value);
          targetOf(event).select();
        }}
        @input=${(/** @type {Event} */ event) => this.#type(targetOf(event).value)}
        @blur=${() => {
          this.#typed.value = null;
        }}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
      />
      <ul
        class="finder-list"
        id="finder-list"
        role="listbox"
        aria-label=${gettext("Jobs")}
        ?hidden=${!open}
        @pointerdown=${(/** @type {Event} */ event) => this.#press(event)}
      >
        ${open ? rowsView(graphs, found, active, typed) : nothing}
      </ul>`;
  }

  /** @param {string} words */
  #type(words) {
    this.#typed.value = words;
    this.#at.value = -1;
  }

  /**
   * Choose the pressed job. Otherwise the field would lose the focus first, which closes the list.
   * @param {Event} event
   */
  #press(event) {
    event.preventDefault();
    const job = targetOf(event).closest("[data-job]")?.dataset.job;
    if (job !== undefined) this.#choose(Number(job));
  }

  /** @param {number} job */
  #choose(job) {
    this.desk.selectJob(job);
    this.#input?.blur();
  }

  /** @returns {HTMLInputElement | null} */
  get #input() {
    return this.element.querySelector("input");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const found = this.#found.value;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) {
      this.#at.value = (this.#at.value + step + found.length) % found.length;
      document.getElementById(`finder-${found[this.#at.value]}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && found.length) {
      this.#choose(found[Math.max(0, this.#at.value)]);
    } else if (event.key === "Escape") {
      this.#input?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {number} job */
const nameOf = (job) => gettext("Job {job}", { job: whole(job) });

/** Return jobs from the slowest to the fastest; unfinished ones come first. @param {Graphs} graphs */
function longestFirst({ jobs }) {
  const took = (/** @type {number} */ job) => (jobs.end[job] < 0 ? Infinity : jobs.end[job] - jobs.arrival[job]);
  return Array.from({ length: jobs.count }, (_, job) => job).sort((a, b) => took(b) - took(a) || a - b);
}

/**
 * Return the jobs whose numbers begin with the typed digits; all jobs for a name in the field's own format.
 * @param {number[]} longest
 * @param {string} typed
 */
function matching(longest, typed) {
  const digits = digitsOf(typed);
  const found =
    digits && !typed.startsWith("Job")
      ? longest.filter((job) => String(job).startsWith(digits)).sort((a, b) => a - b)
      : longest;
  return found.slice(0, MOST);
}

const digitsOf = (/** @type {string} */ typed) => typed.replace(/\D/g, "");

/**
 * @param {Graphs} graphs
 * @param {number[]} found
 * @param {number | undefined} active
 * @param {string} typed
 */
function rowsView({ jobs }, found, active, typed) {
  if (!found.length)
    return html`<li class="finder-none">${gettext("There is no job {job}: jobs are numbered 0 to {last}.", {
      job: digitsOf(typed) || gettext("with this name"),
      last: whole(jobs.count - 1),
    })}</li>`;
  return found.map((job) => {
    const parts = { stages: whole(jobs.stages[job]), tasks: whole(jobs.tasks[job]) };
    const took = jobs.end[job] < 0 ? gettext("not ended") : duration(jobs.end[job] - jobs.arrival[job]);
    return html`<li role="option" id="finder-${job}" data-job=${job} aria-selected=${String(job === active)}
      ><span>${nameOf(job)}</span><span class="finder-fact">${gettext("{stages} st. · {tasks} tasks", parts)}</span
      ><span class="finder-fact">${took}</span></li
    >`;
  });
}
