/**
 * What was clicked on the map, or asked for by number: a machine's layers in words, sums over a cluster or an owner;
 * and of a finished run what happened to a machine, task, job, queue, partition or Global Master, and its delay in four
 * parts.
 */

import { clock, glued, percent, whole } from "../../kit/format.js";
import { groupState, nameOf } from "../../run/places.js";
import { clusterOf, describeMachine, hatchLayer, machineRows, ownerOf } from "../../run/sentences.js";
import { decisionsAt } from "../../kit/api.js";
import { fetchPart } from "../../features/why/whys.js";
import { whyTask } from "../../features/interventions/interventions.js";
import { delayBar } from "../../features/why/delay_bar.js";
import { h } from "../../kit/dom.js";
import { PartMessages } from "../../features/messages/part_messages.js";
import { problemText } from "../../run/run_messages.js";

/** @import { Studio } from "../store.js" */

const LAST_TASKS = 4;
const SETTLE_MS = 100;
const PLAYING_MS = 3000;
const ON_THE_MAP = new Set(["machine", "cluster", "owner", "rack"]);

function groupRows(meta, picture, target) {
  const state = groupState(meta, picture, target);
  const rows = [
    { label: "Machines", value: whole(state.machines) },
    { label: "In use", value: whole(state.busy) },
    { label: "Mean load", value: percent(state.load) },
  ];
  if (hatchLayer(meta)) rows.push({ label: "Lent", value: whole(state.lent) });
  if (state.failed) rows.push({ label: "Failed", value: whole(state.failed) });
  if (state.draining) rows.push({ label: "Draining", value: whole(state.draining) });
  return rows;
}

/** How many tasks of a part have come, started and ended; a partition is told of once a task is there. */
function tellTasks(target, { arrived, started, done, stopped }) {
  const came = target.kind === "partition" ? "" : `${whole(arrived)} tasks arrived, `;
  return (
    `${came}${whole(started)} started${came ? "" : " there"}, ${whole(done)} done` +
    `${stopped ? `; ${whole(stopped)} ${stopped === 1 ? "was" : "were"} stopped on the way` : ""}.`
  );
}

/** A target as the server counts it: {kind, number, owner?}; null for what it has no files of. */
export function partOf(meta, target) {
  if (target.kind === "machine") return { kind: "machine", number: target.machine };
  if (target.kind === "task") return { kind: "task", number: target.task };
  if (target.kind === "job") return { kind: "job", number: target.job };
  if (target.kind === "owner") return { kind: "owner", number: target.owner };
  if (target.kind === "queue")
    return { kind: "queue", number: meta.queues.findIndex((queue) => queue.name === target.name) };
  if (target.kind === "cluster")
    return { kind: "cluster", number: meta.clusters.findIndex((cluster) => cluster.name === target.name) };
  if (target.kind === "partition") return { kind: "partition", number: target.cluster, owner: target.owner };
  return null;
}

export default {
  id: "inspector",
  place: "right",
  title: "Inspector",
  question: "Click a machine to pin it here.",
  mount(body, /** @type {Studio} */ studio) {
    const sentence = h("p", { class: "inspector-sentence" });
    const rows = h("dl", { class: "inspector-rows" });
    const told = h("div", { class: "inspector-told", "data-told": "" });
    const last = h("p", { class: "inspector-last", hidden: true });
    const number = h("input", {
      class: "inspector-task",
      type: "number",
      min: "0",
      step: "1",
      placeholder: "number",
      required: true,
      "aria-label": "Task",
    });
    const show = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-show-task": "",
        onclick: () => {
          if (number.reportValidity()) take({ kind: "task", task: Number(number.value) });
        },
      },
      "Show",
    );
    const ask = h("button", { class: "button button-small", type: "submit" }, "Why there?");
    const form = h(
      "form",
      {
        class: "inspector-ask",
        "data-tip":
          "What happened to a task; what was decided about it, and where its job's probes went, if it has " +
          "some. Once the run is computed.",
      },
      h("span", {}, "Task"),
      number,
      show,
      ask,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      whyTask(studio, Number(number.value));
    });
    const why = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-why-task": "",
        hidden: true,
        onclick: () => whyTask(studio, target.task, studio.stage.player.t_ns / 1e9),
      },
      "Why now?",
    );
    const part = h(
      "button",
      { class: "link", type: "button", hidden: true, onclick: () => take(partition()) },
      "its partition",
    );
    const messages = h(
      "button",
      { class: "link", type: "button", hidden: true, onclick: () => studio.pictures.open("messages", target.task) },
      "its messages",
    );
    const unpin = h("button", { class: "link", type: "button", hidden: true }, "unpin");
    unpin.addEventListener("click", () => studio.pin(-1));
    const job = h(
      "button",
      { class: "link", type: "button", hidden: true, onclick: () => take({ kind: "job", job: jobOfTask }) },
      "its job",
    );
    const exchanged = new PartMessages(studio);
    body.append(
      sentence,
      rows,
      told,
      last,
      exchanged.element,
      h("div", { class: "inspector-tools" }, why, job, messages, part, unpin),
      form,
    );
    let jobOfTask = -1;
    let lastAsked = "";
    /** The tasks that were decided on a machine last, to ask about; looked up anew where the viewer stops. */
    const tellLast = async () => {
      const run = studio.session?.run;
      const machine = target?.kind === "machine" ? target.machine : -1;
      const at_s = Math.round(studio.stage.player.t_ns / 1e6) / 1e3;
      const wanted =
        run?.state === "done" && machine >= 0 ? `${run.id} ${machine} ${studio.stage.player.playing ? "" : at_s}` : "";
      if (
        wanted === lastAsked ||
        (wanted && studio.stage.player.playing && lastAsked.startsWith(`${run.id} ${machine} `))
      )
        return;
      lastAsked = wanted;
      if (!wanted) {
        last.hidden = true;
        return;
      }
      try {
        const found = await decisionsAt(run.id, machine, at_s);
        if (lastAsked !== wanted) return;
        const tasks = [...new Set(found.rows.map((each) => each.task))]
          .filter((task) => task >= 0)
          .slice(0, LAST_TASKS);
        last.hidden = !tasks.length;
        last.replaceChildren(
          ...(tasks.length
            ? [
                "Last tasks here: ",
                ...tasks.map((task) =>
                  h(
                    "button",
                    { class: "link", type: "button", "data-task": String(task), onclick: () => whyTask(studio, task) },
                    whole(task),
                  ),
                ),
              ]
            : []),
        );
      } catch {
        last.hidden = true;
      }
    };
    let target = null;
    let timer = null;
    let timerOf = null;
    let asked = "";

    const partition = () => ({
      kind: "partition",
      cluster: studio.meta.clusters.indexOf(clusterOf(studio.meta, target.machine)),
      owner: ownerOf(studio.meta, studio.picture, target.machine),
    });
    const tell = (...content) => told.replaceChildren(...content);

    const showPart = (found) => {
      const end = studio.stage.player.store.endNs;
      if (!ON_THE_MAP.has(target.kind)) sentence.textContent = glued(found.sentence);
      jobOfTask = found.job ?? -1;
      job.hidden = target.kind !== "task" || jobOfTask < 0;
      const waited = Object.values(found.delay_s).some((seconds) => seconds > 0);
      const row = (event) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              class: "history-time",
              type: "button",
              "data-tip": "Go there",
              onclick: () => {
                studio.stage.player.pause();
                studio.stage.seek(Math.round(event.t_s * 1e9), true);
              },
            },
            clock(event.t_s * 1e9, end),
          ),
          h(
            "span",
            { class: event.stops ? "stops" : "" },
            target.kind === "task"
              ? glued(event.text)
              : h(
                  "button",
                  {
                    class: "link history-task",
                    type: "button",
                    onclick: () => take({ kind: "task", task: event.task }),
                  },
                  glued(event.text),
                ),
          ),
        );
      tell(
        ...[
          ON_THE_MAP.has(target.kind) || target.kind === "task"
            ? null
            : h("p", { class: "history-note" }, tellTasks(target, found.tasks)),
          waited
            ? delayBar(found.delay_s, target.kind === "task" ? "" : "Mean delay of the tasks that have started")
            : null,
          found.events.length
            ? h(
                "ol",
                { class: "history", "aria-label": "What happened", tabindex: "0" },
                found.events.toReversed().map(row),
              )
            : h("p", { class: "history-note" }, "Nothing has happened to it yet."),
          found.thinned ? h("p", { class: "history-note" }, "Of so many decisions the recording keeps a part.") : null,
        ].filter(Boolean),
      );
    };

    /** Ask once the clock stands still; while it moves, now and then. */
    const askAbout = () => {
      const { player } = studio.stage;
      const run = studio.session?.run;
      const wanted = target && studio.meta && !studio.meta.outline ? partOf(studio.meta, target) : null;
      if (!wanted || run?.state !== "done") {
        clearTimeout(timer);
        timer = null;
        // What was told is another run's, or the part of it that is over.
        if (wanted && !ON_THE_MAP.has(target.kind)) sentence.textContent = `${nameOf(studio.meta, target)}:`;
        tell(
          ...(wanted
            ? [h("p", { class: "history-note" }, "What happened to it is told when the run is computed.")]
            : []),
        );
        return;
      }
      const key = () => JSON.stringify([run.id, wanted, Math.round(player.t_ns) / 1e9]);
      if (key() === asked || (timer && player.playing && timerOf === target)) return;
      clearTimeout(timer);
      timerOf = target;
      const blank = !told.childElementCount;
      if (blank) tell(h("p", { class: "history-note", role: "status" }, "Looking…"));
      timer = setTimeout(
        async () => {
          timer = null;
          const mine = key();
          asked = mine;
          try {
            const found = await fetchPart(run.id, wanted, Math.round(player.t_ns) / 1e9);
            if (asked === mine) showPart(found);
          } catch (error) {
            if (asked === mine)
              tell(
                h(
                  "p",
                  { class: "history-note", role: "alert" },
                  error.problems?.length ? problemText(error.problems[0]) : error.message,
                ),
              );
          }
        },
        player.playing && !blank ? PLAYING_MS : SETTLE_MS,
      );
    };

    const draw = (picture) => {
      unpin.hidden = why.hidden = part.hidden = !target;
      if (target?.kind !== "task") job.hidden = true;
      messages.hidden = target?.kind !== "task" || !studio.meta?.messages;
      tellLast();
      exchanged.show(target && studio.meta ? partOf(studio.meta, target) : null);
      body.closest(".panel").classList.toggle("is-empty", !target);
      if (!target || !studio.meta || !picture?.layers) {
        sentence.textContent = "";
        rows.replaceChildren();
        tell();
        return;
      }
      why.hidden = target.kind !== "task" || studio.session?.run.state !== "done";
      part.hidden = target.kind !== "machine" || !studio.meta.owners.length;
      if (ON_THE_MAP.has(target.kind)) {
        const one = target.kind === "machine";
        sentence.textContent = one
          ? describeMachine(studio.meta, picture, target.machine)
          : `${nameOf(studio.meta, target)}:`;
        const shown = one ? machineRows(studio.meta, picture, target.machine) : groupRows(studio.meta, picture, target);
        rows.replaceChildren(
          ...shown.map((row) => h("div", { "data-tip": row.help }, h("dt", {}, row.label), h("dd", {}, row.value))),
        );
      } else rows.replaceChildren();
      askAbout();
    };
    const take = (next) => {
      const other = JSON.stringify(next) !== JSON.stringify(target);
      target = next;
      studio.inspect(next);
      if (other) studio.stage.on.used?.();
      if (other) {
        asked = "";
        tell();
        sentence.textContent = "";
      }
      draw(studio.picture);
    };
    draw(null);
    return {
      pin(machine) {
        take(machine < 0 ? null : { kind: "machine", machine });
      },
      follow: take,
      picture: draw,
      state(session) {
        if (session !== studio.session) return;
        const { summary } = session.store;
        ask.disabled = show.disabled = session.run.state !== "done";
        if (summary?.tasks) number.max = String(summary.tasks.total - 1);
        draw(studio.picture);
      },
      meta(meta) {
        if (target?.kind === "cluster" && !meta.clusters.some((each) => each.name === target.name)) take(null);
        asked = "";
      },
    };
  },
};
