/** Where the work comes from: drawn, or a trace; a file that is dropped here is uploaded and chosen. */

import { DEFAULT_EXPERIMENT } from "../lib/default_experiment.js";
import { setAt } from "../lib/experiment.js";
import { sentences } from "../lib/sentences.js";
import { bytes, describeTrace, fitted, fullness, grouped, withTrace } from "../lib/traces.js";
import { ApiError, deleteTrace, listTraces } from "../net/api.js";
import { uploadTrace } from "../net/upload.js";
import { h } from "../views/dom.js";

const DRAWN = "";
const UPLOAD = " upload";
const MOST_PROBLEMS = 4;

/** A picker for the top of the WORK section: {element, experiment(experiment)}. */
export function tracePicker(studio) {
  const select = h("select", { class: "knob-select", "aria-label": "Where the work comes from" });
  const file = h("input", { type: "file", hidden: true, "data-trace-file": true, "aria-label": "Trace file" });
  const words = h("p", { class: "section-sum", "data-trace-words": true });
  const acts = h("p", { class: "trace-acts" });
  const going = h("div", { class: "trace-going", hidden: true });
  const trouble = h("div", { class: "trace-trouble", role: "alert", hidden: true });
  const element = h("div", { class: "trace" }, select, file, words, acts, going, trouble);
  let traces = [];
  let lastDrawn = null;
  let sending = null;

  const chosen = () => (studio.experiment?.workload?.kind === "trace" ? studio.experiment.workload.trace ?? "" : DRAWN);
  const known = () => traces.find((trace) => trace.id === chosen());

  const draw = () => {
    const { experiment } = studio;
    if (!experiment) return;
    const kind = experiment.workload?.kind;
    const option = (value, text) => h("option", { value, ...(value === select.dataset.value ? { selected: true } : {}) }, text);
    select.dataset.value = kind === "trace" ? chosen() : DRAWN;
    const missing = kind === "trace" && !known() ? [option(chosen(), `Trace ${chosen()}`)] : [];
    const own = kind === "trace" || kind === "synthetic" ? "Drawn from distributions" : kind === "inline" ? "Written out in the JSON" : "Drawn as graphs of stages";
    select.replaceChildren(option(DRAWN, own), ...missing,
      ...grouped(traces).map(([heading, found]) => h("optgroup", { label: heading }, found.map((trace) => option(trace.id, trace.name)))),
      ...(studio.readOnly ? [] : [option(UPLOAD, "Upload a trace…")]));
    select.value = select.dataset.value;
    select.disabled = studio.readOnly;
    drawWords();
  };

  const drawWords = () => {
    const trace = known();
    words.textContent = trace ? sentences([describeTrace(trace).replace(/\.$/, ""), fullness(studio.experiment, trace).replace(/\.$/, "")]) : "";
    words.hidden = !trace;
    const better = trace && !studio.readOnly ? fitted(studio.experiment, trace) : null;
    const buttons = [];
    if (better) buttons.push(h("button", { class: "link", type: "button", "data-fit": true, onclick: () => studio.replace(better, true) }, "Fit the machines to it"));
    if (trace?.source === "upload" && !studio.readOnly) buttons.push(h("button", { class: "link", type: "button", onclick: () => forget(trace) }, "Delete the file"));
    acts.replaceChildren(...buttons);
    acts.hidden = !buttons.length;
  };

  const choose = (id) => {
    trouble.hidden = true;
    if (id === DRAWN) studio.replace(setAt(studio.experiment, "workload", lastDrawn ?? structuredClone(DEFAULT_EXPERIMENT.workload)), true);
    else studio.replace(withTrace(studio.experiment, id), true);
  };

  const forget = async (trace) => {
    const sure = window.confirm(`Delete “${trace.name}” from the server? Experiments that use it can then no longer run.`);
    if (!sure) return;
    try { await deleteTrace(trace.id); } catch (error) { complain(trace.name, error); return; }
    traces = traces.filter((each) => each.id !== trace.id);
    choose(DRAWN);
  };

  const complain = (name, error) => {
    const lines = error.problems?.length ? error.problems.map((each) => sentences([each.path ? `${each.path}: ${each.message}` : each.message, each.allowed && `Allowed: ${each.allowed}`, each.remedy])) : [error.message];
    const rest = lines.length - MOST_PROBLEMS;
    trouble.replaceChildren(h("p", {}, h("strong", {}, name), " was not taken."), h("ul", {}, lines.slice(0, MOST_PROBLEMS).map((line) => h("li", {}, line))),
      ...(rest > 0 ? [h("p", {}, `and ${rest} more`)] : []),
      h("button", { class: "link", type: "button", onclick: () => file.click() }, "Choose another file"));
    trouble.hidden = false;
    element.closest("details").open = true; // folded on a phone
  };

  const send = async (given) => {
    if (studio.readOnly || sending) return;
    trouble.hidden = true;
    const most = studio.boot.limits?.upload_bytes ?? Infinity;
    if (given.size > most) {
      complain(given.name, new ApiError(413, [], `It has ${bytes(given.size)}; this server takes at most ${bytes(most)} (setting PLAYGROUND_LIMIT_UPLOAD_BYTES). Pack it with gzip, or cut it.`));
      return;
    }
    sending = new AbortController();
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Sending ${given.name}` });
    const says = h("span", { role: "status" }, `Sending ${given.name}, ${bytes(given.size)}`);
    going.replaceChildren(says, h("div", { class: "state-row" }, bar, h("button", { class: "link", type: "button", "data-trace-cancel": true, onclick: () => sending?.abort() }, "Cancel")));
    going.hidden = false;
    try {
      const trace = await uploadTrace(given, { signal: sending.signal, on: { sent: (share) => {
        bar.value = share;
        if (share === 1) { says.textContent = "Sent. Reading it through…"; bar.removeAttribute("value"); }
      } } });
      traces = [trace, ...traces];
      choose(trace.id);
    } catch (error) {
      if (error.name !== "AbortError") complain(given.name, error);
    } finally {
      sending = null;
      going.hidden = true;
      draw();
    }
  };

  select.addEventListener("change", () => {
    if (select.value !== UPLOAD) { choose(select.value); return; }
    select.value = select.dataset.value;
    file.click();
  });
  file.addEventListener("change", () => { if (file.files[0]) send(file.files[0]); file.value = ""; });
  wireDrop(send, () => !studio.readOnly);
  listTraces().then((found) => { traces = found; draw(); }).catch(() => {});

  return {
    element,
    experiment(experiment) {
      if (experiment.workload && experiment.workload.kind !== "trace") lastDrawn = experiment.workload;
      draw();
    },
  };
}

/** A file may be dropped anywhere on the page: missing the section by a hair would open it in the browser instead. */
function wireDrop(send, allowed) {
  const carriesFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let inside = 0;
  const show = (on) => document.body.classList.toggle("is-dropping", on && allowed());
  document.addEventListener("dragenter", (event) => { if (carriesFile(event)) { inside += 1; show(true); } });
  document.addEventListener("dragleave", (event) => { if (carriesFile(event)) { inside = Math.max(0, inside - 1); if (!inside) show(false); } });
  document.addEventListener("dragover", (event) => { if (carriesFile(event)) { event.preventDefault(); event.dataTransfer.dropEffect = allowed() ? "copy" : "none"; } });
  document.addEventListener("drop", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    inside = 0;
    show(false);
    const [given] = event.dataTransfer.files;
    if (given) send(given);
  });
}
