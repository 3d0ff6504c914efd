/** Run a finished run again in this page, and say whether its result is the same. */

import { canSimulate, simulateHere } from "../../engine/here.js";
import { whole } from "../../kit/format.js";
import { html, nothing, signal } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * What a check needs: the packed start and the module of a run, and the script of the thread.
 * @typedef {{start: ArrayBuffer, module: ArrayBuffer}} Parts
 * @typedef {{script: string, type?: WorkerType, parts: () => Promise<Parts>}} Source
 * @typedef {import("../../engine/here.js").End} End
 * @typedef {{state: "ready"} | {state: "works", progress: number} | {state: "done", end: End} |
 *   {state: "failed", why: string}} State
 */

/** The check of one run. Its state is a signal that its view reads. */
export class Check {
  state = signal(/** @type {State} */ ({ state: "ready" }));
  #ends = new AbortController();

  /** Simulate the run here. A second call while it works does nothing. */
  async run(/** @type {Source} */ source) {
    if (this.state.value.state === "works") return;
    this.state.value = { state: "works", progress: 0 };
    const { signal: ended } = this.#ends;
    try {
      const parts = await source.parts();
      const onProgress = (/** @type {number} */ progress) => {
        this.state.value = { state: "works", progress };
      };
      const end = await simulateHere(source.script, parts, { type: source.type, onProgress, signal: ended });
      if (!ended.aborted) this.state.value = { state: "done", end };
    } catch (error) {
      if (!ended.aborted) this.state.value = { state: "failed", why: whyOf(error) };
    }
  }

  /** Another run is shown: stop the thread, and begin anew. */
  reset() {
    this.#ends.abort();
    this.#ends = new AbortController();
    this.state.value = { state: "ready" };
  }
}

/** What stops the engine in this page: how its message begins, and what to tell. @type {[RegExp, string][]} */
const STOPS = [
  [/^an array of the run is full/, gettext("this run needs more room than its start gave. The server's run has it")],
  [/^the event loop raised an error/, gettext("the scheduler's code stopped with an error. See the server's run")],
  [/^a start file of format/, gettext("this page and the server have different versions. Load the page again")],
  [/^this start does not have these settings/, gettext("the file does not hold these settings. Choose others")],
  [/^the datacenter of this run has no such machine/, gettext("this datacenter has no such machine")],
  [/^no thread/, gettext("this browser starts no thread for the simulation. See the server's run")],
];

/** Return the first problem that the server names, else what stopped the engine, else the error's own words. */
export function whyOf(/** @type {unknown} */ error) {
  const { problems, message } = /** @type {{problems?: {message: string, allowed?: string}[], message: string}} */ (
    error
  );
  const first = problems?.[0];
  if (!first) return STOPS.find(([begin]) => begin.test(message))?.[1] ?? message;
  return first.allowed ? gettext("{problem}; allowed: {allowed}", { problem: first.message, ...first }) : first.message;
}

/** Return what the page simulated, in words. */
export const countedWords = (/** @type {End} */ end) =>
  ngettext("{count} event in {ms} ms", "{count} events in {ms} ms", end.events, {
    count: whole(end.events),
    ms: whole(Math.max(1, Math.round(end.took_ms))),
  });

/** Show the verdict, with both digests. */
function endView(/** @type {End} */ end, /** @type {string} */ cited) {
  const same = end.digest === cited;
  return html`
    <p class=${same ? "here-same" : "here-different"} role="status" data-here=${same ? "same" : "different"}>
      ${
        same
          ? gettext("Computed in this page; same result as the cited run.")
          : gettext("Computed in this page; the result is different from the cited run.")
      }
    </p>
    <dl class="here-digests">
      <dt>${gettext("This page")}</dt>
      <dd><code data-here-digest>${end.digest}</code></dd>
      <dt>${gettext("Cited run")}</dt>
      <dd><code>${cited}</code></dd>
      <dt>${gettext("Simulated")}</dt>
      <dd>${countedWords(end)}</dd>
    </dl>
  `;
}

const progressView = (/** @type {number} */ part) =>
  html`<progress max="1" .value=${part} aria-label=${gettext("Simulated so far")}></progress>`;

const failedView = (/** @type {string} */ why) =>
  html`<p class="here-different" role="alert" data-here="failed">
    ${gettext("Not simulated in this page: {why}", { why })}
  </p>`;

/**
 * Show the check.
 * @param {Check} check
 * @param {{cited: string, source: Source}} run  `cited` is the digest of the run's outcome, empty before it has ended
 */
export function checkView(check, { cited, source }) {
  const now = check.state.value;
  if (!canSimulate())
    return html`<p data-here="none">
      ${gettext("This browser cannot simulate: it lacks WebAssembly, threads or decompression.")}
    </p>`;
  const works = now.state === "works";
  const about = gettext(
    "The same event loop runs in this browser, without the server. The digests show whether the results are equal.",
  );
  return html`
    <p>${about}</p>
    <p>
      <button
        class="button"
        type="button"
        data-here-run
        ?disabled=${works || !cited}
        @click=${() => check.run(source)}
      >
        ${works ? gettext("Simulating…") : gettext("Simulate in this page")}
      </button>
      ${works ? progressView(now.progress) : nothing}
    </p>
    ${cited ? nothing : html`<p class="here-wait">${gettext("Available once the server's run is done.")}</p>`}
    ${now.state === "done" ? endView(now.end, cited) : nothing}
    ${now.state === "failed" ? failedView(now.why) : nothing}
  `;
}
