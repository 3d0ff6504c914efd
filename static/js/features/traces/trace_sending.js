/** Send a trace, or a part of one, to the server, with progress and a way to cancel. */

import { whole } from "../../kit/format.js";
import { bytes } from "./traces.js";
import { ApiError } from "../../contract/api.js";
import { importTrace, lookAtUpload } from "./trace_requests.js";
import { dropUpload, sendFile } from "./upload.js";
import { isConfiguration, takeConfiguration } from "./kube_configuration.js";
import { clusterKind, sendCluster } from "./cluster_sending.js";
import { cutDialog, importDialog } from "./trace_dialogs.js";
import { html, ifDefined } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Trace } from "./traces.js"
 */

/**
 * @typedef {(words: string, share?: number) => void} Show  shows the progress
 * @typedef {{name: string, words: string, share?: number, stop: () => void}} Going  the file being sent; `share` is
 *   done
 * @typedef {object} Picker  where the choice of a trace shows progress and errors
 * @property {Studio} studio
 * @property {{value: Trace[]}} traces
 * @property {AbortController | null} sending
 * @property {{value: Going | null}} going
 * @property {{value: import("./trace_choice.js").Trouble | null}} trouble  why a file could not become a trace
 * @property {(name: string, error: Error, without?: () => void) => void} complain  `without` imports the file without
 *   the wrong lines
 * @property {(id: string) => void} choose
 */

/**
 * @param {File} given
 * @param {Show} show
 * @param {AbortSignal} signal
 */
function sendAll(given, show, signal) {
  return sendFile(given, {
    signal,
    on: {
      sent: (share) => show(gettext("Sending {name}, {share}", { name: given.name, share: bytes(given.size) }), share),
      waiting: (seconds) =>
        show(
          gettext("Connection lost; trying again in {seconds} s. The part already sent is kept.", {
            seconds: Math.ceil(seconds),
          }),
        ),
    },
  });
}

/**
 * Accept files dropped anywhere on the page: a drop just beside the section would otherwise open the file in the
 * browser.
 * @param {(given: File, others: File[]) => void} send  `others`: files dropped together with it
 * @param {() => boolean} allowed
 */
export function wireDrop(send, allowed) {
  /** @param {DragEvent} event */
  const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let inside = 0;
  /** @param {boolean} on */
  const show = (on) => document.body.classList.toggle("is-dropping", on && allowed());
  document.addEventListener("dragenter", (event) => {
    if (carriesFile(event)) {
      inside += 1;
      show(true);
    }
  });
  document.addEventListener("dragleave", (event) => {
    if (carriesFile(event)) {
      inside = Math.max(0, inside - 1);
      if (!inside) show(false);
    }
  });
  document.addEventListener("dragover", (event) => {
    if (carriesFile(event)) {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = allowed() ? "copy" : "none";
    }
  });
  document.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    inside = 0;
    show(false);
    const [given, ...others] = event.dataTransfer?.files ?? [];
    if (given) send(given, others);
  });
}

/**
 * Upload a file, ask for its meaning if it is unknown, and select the resulting trace. A scheduler's configuration sets
 * parameters instead.
 * @param {Picker} picker
 * @param {File} given
 * @param {File[]} [others]  further files of the same cluster
 */
export async function sendTrace(picker, given, others = /** @type {File[]} */ ([])) {
  const { studio } = picker;
  if (studio.readOnly.value || picker.sending) return;
  picker.trouble.value = null;
  const files = [given, ...others];
  if (await isConfiguration(given)) {
    await attempt(picker, given.name, () => takeConfiguration(studio, given));
    return;
  }
  const kind = await clusterKind(files);
  if (kind) {
    await attempt(picker, given.name, (show, signal) =>
      sendCluster(files, kind, { show, signal, send: (file) => sendAll(file, show, signal) }),
    );
    return;
  }
  const most = studio.boot.limits?.upload_bytes ?? Infinity;
  if (given.size > most) {
    const words = gettext(
      "The file has {size}; this server takes at most {most} (setting PLAYGROUND_LIMIT_UPLOAD_BYTES). " +
        "Compress the file with gzip, or shorten it.",
      { size: bytes(given.size), most: bytes(most) },
    );
    picker.complain(given.name, new ApiError(413, [], words));
    return;
  }
  await attempt(picker, given.name, (show, signal) => sendAndTake(picker, given, show, signal));
}

/**
 * @param {Picker} picker
 * @param {File} given
 * @param {Show} show
 * @param {AbortSignal} signal
 */
async function sendAndTake(picker, given, show, signal) {
  const upload = await sendAll(given, show, signal);
  const sent = [upload];
  /** @type {Record<string, unknown>} */
  const asked = { upload };
  try {
    show(gettext("Sent. Examining the file…"));
    const looked = await lookAtUpload(upload, { signal });
    if (looked.format === null || looked.format === "google-2011") {
      const chosen = await importDialog(given.name, looked);
      if (!chosen) throw new DOMException("stopped", "AbortError");
      for (const [key, value] of Object.entries(chosen)) {
        asked[key] = value instanceof File ? await sendAll(value, show, signal) : value;
        if (value instanceof File) sent.push(asked[key]);
      }
    }
    await take(picker, asked, show, signal);
  } catch (caught) {
    const error = /** @type {Failure & {without?: () => void}} */ (caught);
    if (asked.columns && hasWrongLines(error)) {
      const columns = { ...asked.columns, bad_lines: "leave_out" };
      error.without = () =>
        attempt(picker, given.name, (tell, stop) => takeOrDrop(picker, { ...asked, columns }, sent, tell, stop));
      throw error;
    }
    for (const each of sent) dropUpload(each);
    throw error;
  }
}

/**
 * Return true if an import failed because of lines that it can leave out.
 * @param {{problems?: {path?: string}[]}} error
 */
function hasWrongLines(error) {
  return error.problems?.some((/** @type {{path?: string}} */ each) => each.path?.startsWith("line ")) ?? false;
}

/**
 * @param {Picker} picker
 * @param {Record<string, unknown>} asked
 * @param {string[]} sent  the uploads; they are dropped if the import fails
 * @param {Show} show
 * @param {AbortSignal} signal
 */
async function takeOrDrop(picker, asked, sent, show, signal) {
  try {
    await take(picker, asked, show, signal);
  } catch (error) {
    for (const each of sent) dropUpload(each);
    throw error;
  }
}

/**
 * Ask which part of a trace to use, and create a trace from it.
 * @param {Picker} picker
 * @param {Trace} trace
 */
export async function sendPart(picker, trace) {
  const cut = picker.sending ? null : await cutDialog(trace);
  if (cut) await attempt(picker, trace.name, (show, signal) => take(picker, { trace: trace.id, cut }, show, signal));
}

/**
 * @param {Picker} picker
 * @param {Record<string, unknown>} asked
 * @param {Show} show
 * @param {AbortSignal} signal
 */
async function take(picker, asked, show, signal) {
  show(gettext("Reading the trace…"));
  /** @param {{state: string, progress?: number, rows: number}} options */
  const progress = ({ state, progress: share, rows }) => {
    if (state === "waiting") show(gettext("Waiting for a worker…"));
    else show(gettext("Reading the trace: {rows} rows", { rows: whole(rows) }), share);
  };
  const made = await importTrace(asked, { signal, on: { progress } });
  picker.traces.value = [made, ...picker.traces.value];
  picker.choose(made.id);
}

/**
 * Run a long operation with progress and a way to cancel; report errors.
 * @param {Picker} picker
 * @param {string} name
 * @param {(show: Show, signal: AbortSignal) => Promise<void>} act
 */
async function attempt(picker, name, act) {
  picker.trouble.value = null;
  const sending = new AbortController();
  picker.sending = sending;
  const stop = () => sending.abort();
  const show = (/** @type {string} */ words, /** @type {number | undefined} */ share) => {
    picker.going.value = { name, words, share, stop };
  };
  show("", 0);
  try {
    await act(show, sending.signal);
  } catch (caught) {
    const error = /** @type {Failure & {without?: () => void}} */ (caught);
    if (error.name !== "AbortError") picker.complain(name, error, error.without);
  } finally {
    picker.sending = null;
    picker.going.value = null;
  }
}

/** Return the progress of a long operation. */
export function goingView(/** @type {Going} */ { name, words, share, stop }) {
  return html`
    <span role="status">${words}</span>
    <div class="state-row">
      <progress max="1" value=${ifDefined(share)} aria-label=${gettext("Sending {name}", { name })}></progress>
      <button class="link" type="button" data-trace-cancel @click=${stop}>${gettext("Cancel")}</button>
    </div>`;
}
