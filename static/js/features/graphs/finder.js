/** Finding a job: by its number, or in a list of those that took longest. */

import { duration, whole } from "../../kit/format.js";
import { h, targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 */

const MOST = 40;

export class JobFinder {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {number[]} */
    this.longest = [];
    /** @type {number[]} */
    this.found = [];
    this.input = h("input", {
      class: "finder-input",
      type: "text",
      inputmode: "numeric",
      role: "combobox",
      "aria-label": gettext("Job"),
      "aria-expanded": "false",
      "aria-controls": "finder-list",
      "aria-autocomplete": "list",
      placeholder: gettext("Job…"),
      autocomplete: "off",
      "data-tip": gettext("Type a job's number or choose one from the list. The longest jobs come first."),
    });
    this.list = h("ul", {
      class: "finder-list",
      id: "finder-list",
      role: "listbox",
      "aria-label": gettext("Jobs"),
      hidden: true,
    });
    this.element = h("div", { class: "finder" }, this.input, this.list);
    this.at = -1;
    this.input.addEventListener("focus", () => this.#open());
    this.input.addEventListener("input", () => this.#open());
    this.input.addEventListener("blur", () => this.#close());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    // Before the field loses the focus, which would close the list.
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const job = targetOf(event).closest("[data-job]")?.dataset.job;
      if (job !== undefined) this.#choose(Number(job));
    });
  }

  /** @param {Graphs} graphs */
  take(graphs) {
    this.graphs = graphs;
    /** @param {number} job */
    const took = (job) => (graphs.jobs.end[job] < 0 ? Infinity : graphs.jobs.end[job] - graphs.jobs.arrival[job]);
    this.longest = Array.from({ length: graphs.jobs.count }, (_, job) => job).sort(
      (a, b) => took(b) - took(a) || a - b,
    );
  }

  /** @param {number} job */
  show(job) {
    if (document.activeElement !== this.input)
      this.input.value = job >= 0 ? gettext("Job {job}", { job: whole(job) }) : "";
  }

  #open() {
    if (!this.graphs) return;
    if (this.list.hidden) this.input.select();
    const digits = this.input.value.replace(/\D/g, "");
    const typed = this.input.value.trim() !== "" && !this.input.value.startsWith("Job");
    const found =
      typed && digits
        ? this.longest.filter((job) => String(job).startsWith(digits)).sort((a, b) => a - b)
        : this.longest;
    this.found = found.slice(0, MOST);
    this.at = -1;
    const { jobs } = this.graphs;
    this.list.replaceChildren(
      ...(this.found.length
        ? this.found.map((job) =>
            h(
              "li",
              { role: "option", id: `finder-${job}`, "data-job": job, "aria-selected": "false" },
              h("span", {}, gettext("Job {job}", { job: whole(job) })),
              h(
                "span",
                { class: "finder-fact" },
                gettext("{stages} st. · {tasks} tasks", {
                  stages: whole(jobs.stages[job]),
                  tasks: whole(jobs.tasks[job]),
                }),
              ),
              h(
                "span",
                { class: "finder-fact" },
                jobs.end[job] < 0 ? gettext("not ended") : duration(jobs.end[job] - jobs.arrival[job]),
              ),
            ),
          )
        : [
            h(
              "li",
              { class: "finder-none" },
              gettext("There is no job {job}: jobs are numbered 0 to {last}.", {
                job: digits || gettext("with this name"),
                last: whole(jobs.count - 1),
              }),
            ),
          ]),
    );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
  }

  #close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.show(this.desk.selection.job);
  }

  /** @param {number} job */
  #choose(job) {
    this.desk.selectJob(job);
    this.input.value = gettext("Job {job}", { job: whole(job) });
    this.input.blur();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found?.length) {
      this.at = (this.at + step + this.found.length) % this.found.length;
      [...this.list.children].forEach((each, place) => each.setAttribute("aria-selected", String(place === this.at)));
      this.list.children[this.at].scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", `finder-${this.found[this.at]}`);
    } else if (event.key === "Enter" && this.found?.length) {
      this.#choose(this.found[Math.max(0, this.at)]);
    } else if (event.key === "Escape") {
      this.input.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
