/** The page of a study: its progress, its picture, its numbers. */

import { problemText } from "../experiment/problems.js";
import { FINAL, rowsOf, stateWords, STATISTICS } from "../run/study/study.js";
import { cutoffsWords, findingWords, fittedWords, idleWords } from "../features/studies/finding.js";
import { changeWords, sureWords } from "../features/studies/study_changes.js";
import { FigureView } from "../draw/charts/figure_view.js";
import { ApiError, isAway } from "../contract/api.js";
import { changeStudy, openRun, studyResults, StudySocket } from "../run/study/study_socket.js";
import { find } from "../kit/dom.js";
import { html, render } from "../kit/view.js";
import { wireGlossary } from "../kit/glossary.js";
import { wireTips } from "../kit/tips.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";
import { ClusterStudy } from "../features/studies/cluster_study.js";
import { studyTable } from "../features/studies/study_table.js";
import { SHOWN, studyFields, unitFields, UNITS } from "../features/studies/study_fields.js";

/**
 * @import { StudyProgress } from "../contract/contract"
 * @import { Results, Study } from "../run/study/study.js"
 */

const AGAIN_MS = 4000;
/** Groups of the other metrics, by the beginning of their server names. @type {[string, RegExp][]} */
const GROUPS = [
  [gettext("Queueing delay and its parts"), /^(allocation_delay_s|delay_components_s)\./],
  [gettext("Short and long jobs of the work, under every scheduler"), /^by_work_class\./],
  [gettext("Jobs"), /^(job_|by_class\.|graphs\.)/],
  [gettext("Queues and their shares"), /^fairness\./],
  [gettext("Queues, priorities and machines"), /^(by_queue|by_priority|room)\./],
  [gettext("Counters of the schedulers"), /^counters\./],
  [gettext("Other measures"), /^/],
];
const USUAL = [
  "allocation_delay_s.mean",
  "allocation_delay_s.p50",
  "allocation_delay_s.p90",
  "allocation_delay_s.p99",
  "allocation_delay_s.p99.9",
  "allocation_delay_s.max",
  "job_completion_s.mean",
  "job_completion_s.p50",
  "job_completion_s.p99",
  "job_delay_s.mean",
  "job_delay_s.p99",
  "makespan_s",
  "utilisation.cpus",
  "fairness.jain_mean",
  "fairness.entitled_jain",
  "fairness.entitled_worst",
];

class StudyPage {
  constructor(/** @type {Study} */ study) {
    this.study = study;
    const query = new URLSearchParams(window.location.search);
    const statistic = query.get("statistic") ?? "";
    const show = query.get("show") ?? "";
    const unitOf = (/** @type {string} */ name) => (UNITS[query.get(name) ?? ""] ? (query.get(name) ?? "") : "");
    this.chosen = {
      metric: query.get("metric") ?? "allocation_delay_s.p99",
      statistic: STATISTICS[statistic] ? statistic : "mean",
      against: Number(query.get("against")) || 0,
    };
    /** @type {HTMLSelectElement} */
    this.metric = find("metric");
    /** The figure's options. */
    this.drawn = {
      shown: Number(query.get("scheduler")) || 0,
      show: SHOWN[show] ? show : "values",
      x: Number(query.get("x")) === 1 ? 1 : 0,
      lines: query.get("lines") === "true",
      seeds: query.get("seeds") === "true",
      unit: unitOf("unit"),
      x_unit: unitOf("x_unit"),
    };
    /** @type {Results | null} */
    this.results = null;
    /** @type {Set<number>} */
    this.opened = new Set();
    this.asking = false;
    this.stale = false;
    studyFields(this);
    this.cluster = new ClusterStudy(study);
    this.#buttons();
    this.figure = new FigureView({
      source: `/studies/${study.id}/figure`,
      publish: `/studies/${study.id}/figure`,
      sheet: `/studies/${study.id}/sheet.html`,
      params: this.params(),
      later: true,
      name: `study-${study.id}`,
      pick: (cell) => this.open(/** @type {number} */ (cell)),
      empty: () =>
        FINAL.has(this.study.state)
          ? gettext("No run of this study finished, so there is nothing to show.")
          : gettext("The first runs are in progress. Values appear here as runs end."),
    });
    find("picture").append(this.figure.element);
    this.#progress(study);
    this.load();
    if (!FINAL.has(study.state))
      this.socket = new StudySocket(study.socket_url, {
        told: (news) => this.#told(news),
        link: (up) => {
          find("link").hidden = up;
        },
      });
  }

  get isHeat() {
    return this.study.plan.axes.length === 2;
  }

  #told(/** @type {StudyProgress} */ news) {
    const before = this.study;
    this.study = { ...before, ...news };
    this.#progress(this.study);
    if (news.done !== before.done || news.state !== before.state) this.load();
  }

  /** Fetch the newest results, one request at a time. */
  async load() {
    if (this.asking) {
      this.stale = true;
      return;
    }
    this.asking = true;
    this.stale = false;
    try {
      this.results = await studyResults(this.study.id, this.chosen);
      this.#say("");
    } catch (error) {
      clearTimeout(this.again);
      if (isAway(error)) this.again = setTimeout(() => this.load(), AGAIN_MS);
      this.#say(
        error instanceof ApiError && error.problems.length
          ? error.problems.map(problemText).join(" ")
          : /** @type {Error} */ (error).message,
      );
    }
    this.asking = false;
    this.#draw();
    if (this.stale) this.load();
  }

  #say(/** @type {string} */ words, quiet = false) {
    const said = find("said");
    said.textContent = words;
    said.classList.toggle("is-quiet", quiet);
    said.hidden = !words;
  }

  #progress(/** @type {Study} */ study) {
    find("state").textContent = stateWords(study);
    document.body.dataset.studyState = study.state;
    const bar = /** @type {HTMLElement} */ (find("progress"));
    /** @type {HTMLProgressElement} */ (bar).value = study.progress;
    bar.hidden = FINAL.has(study.state);
    const own = study.mine && !FINAL.has(study.state);
    find("pause").hidden = !own || study.state !== "running";
    find("resume").hidden = !own || study.state !== "paused";
    find("cancel").hidden = !own;
    const error = find("failure");
    error.hidden = !study.error;
    if (study.error)
      error.textContent = gettext("Run {run}: {message}", { run: study.error.run, message: study.error.message });
  }

  #buttons() {
    for (const what of ["pause", "resume", "cancel"])
      find(what).addEventListener("click", async () => {
        try {
          this.#told(await changeStudy(this.study, what));
        } catch (error) {
          this.#say(/** @type {Error} */ (error).message);
        }
      });
  }

  /** Return the figure's parameters. */
  params() {
    return { ...this.chosen, ...this.drawn };
  }

  /** Return the metrics as options, by their server names. */
  metricOptions(/** @type {string[]} */ names) {
    return names.map((name) => {
      const label = this.results?.labels[name] ?? gettext("Fetching…");
      return html`<option value=${name}>${label}</option>`;
    });
  }

  /** List the metrics, the usual ones first. They are known once a run is complete. */
  #metrics() {
    const names = this.results?.metrics ?? [];
    if (!this.results || this.metric.dataset.count === String(names.length)) return;
    this.metric.dataset.count = String(names.length);
    if (!names.length) {
      render(this.metricOptions([this.chosen.metric]), this.metric);
      return;
    }
    const usual = USUAL.filter((name) => names.includes(name));
    const group = (/** @type {string} */ label, /** @type {string[]} */ members) =>
      html`<optgroup label=${label}>${this.metricOptions(members)}</optgroup>`;
    const others = new Map(GROUPS.map(([label]) => [label, /** @type {string[]} */ ([])]));
    for (const name of names.filter((/** @type {string} */ each) => !usual.includes(each))) {
      const [label] = GROUPS.find(([, begins]) => begins.test(name)) ?? GROUPS[GROUPS.length - 1];
      others.get(label)?.push(name);
    }
    const shown = [...others].filter(([, members]) => members.length);
    render(
      [group(gettext("Main results"), usual), ...shown.map(([label, members]) => group(label, members))],
      this.metric,
    );
    this.metric.value = this.chosen.metric;
  }

  address() {
    const query = new URLSearchParams({ metric: this.chosen.metric });
    if (this.chosen.statistic !== "mean") query.set("statistic", this.chosen.statistic);
    if (this.chosen.against) query.set("against", String(this.chosen.against));
    const { shown, show, ...flags } = this.drawn;
    if (shown) query.set("scheduler", String(shown));
    if (show !== "values") query.set("show", show);
    for (const [name, value] of Object.entries(flags)) if (value) query.set(name, String(value));
    window.history.replaceState(null, "", `${window.location.pathname}?${query}`);
  }

  #draw() {
    this.#metrics();
    const { results } = this;
    find("method").textContent =
      results && rowsOf(results).length
        ? [
            this.isHeat ? gettext("The table has the {method}.", { method: results.method }) : "",
            `${sureWords(results)}.`,
            results.definition ?? "",
            results.seeds_change ?? "",
            this.study.schedulers.length > 1
              ? gettext(
                  "Schedulers are compared seed by seed: a ratio is the geometric mean of the ratios under each " +
                    "seed, so it may differ from the ratio of two means.",
                )
              : "",
            FINAL.has(this.study.state)
              ? ""
              : this.study.state === "paused"
                ? gettext("The study is paused: results may still change.")
                : gettext("The study is still running: results may change until it ends."),
          ]
            .filter(Boolean)
            .join(" ")
        : "";
    unitFields(this);
    studyTable(this);
    if (results) this.cluster.update(results);
    this.figure.show(this.params());
  }

  /** Open the first seed's run of a cell in the studio. */
  async open(/** @type {number} */ cell) {
    this.#say(gettext("Opening this run in the studio…"), true);
    try {
      const made = await openRun(this.study.id, cell);
      window.location.href = `/studio/${made.id}`;
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** Return the finding in one or two sentences: about schedulers, or about a parameter. */
  summary() {
    const { study, results } = this;
    if (!results) return "";
    const alone = study.schedulers.length === 1;
    const changes = study.plan.axes.length === 1 && FINAL.has(study.state) ? changeWords(study, results) : "";
    const idle = idleWords(study);
    if (study.plan.axes.length && alone) return [idle, changes, cutoffsWords(study, results)].filter(Boolean).join(" ");
    const cutoffs = cutoffsWords(study, results);
    const own = [findingWords(study, results), changes, idle, cutoffs].filter(Boolean);
    const found = own.length ? [...own, fittedWords(study)].filter(Boolean).join(" ") : "";
    return found && !FINAL.has(study.state) ? gettext("So far: {found}", { found }) : found;
  }
}

wireTheme();
wirePageKeys("study");
wireTips();
wireGlossary();
const boot = bootData();
if (boot.study) new StudyPage(boot.study);
