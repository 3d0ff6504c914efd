/** How long each job took here and under a second scheduler, one dot a job. */

import { duration, three, whole } from "../../kit/format.js";
import { comparedInWords, pairAt, pairsOf, pairsPlace, pairsScene, sameJobs } from "./job_pairs.js";
import { createExperiment } from "../../kit/api.js";
import { fetchTable } from "./graph_rows.js";
import { RunSession } from "../../run/run_session.js";
import { CanvasPicture } from "../../kit/canvas_picture.js";
import { h } from "../../kit/dom.js";
import { problemText } from "../../run/run_messages.js";

const BEFORE = "the run before";

export default {
  id: "pairs",
  title: "Paired",
  question: "Which jobs end sooner under another scheduler?",
  mount(body, desk) {
    let graphs = null;
    let other = null; // {label, jobs}
    let pairs = null;
    let over = -1;
    let asked = 0;
    let session = null;

    const select = h("select", {
      class: "picture-select",
      "aria-label": "Compare with",
      "data-tip": "Runs the same work under another scheduler, and pairs job with job.",
    });
    const figures = h("p", { class: "picture-key", role: "status" });
    const place = h("div", { class: "picture-place" });
    const hint = h(
      "p",
      { class: "desk-empty" },
      "Choose a scheduler above: the same work is run under it, and each job becomes a dot.",
    );
    place.append(hint);
    body.append(
      h(
        "div",
        { class: "picture-tools" },
        h("label", { class: "picture-key picture-label" }, "Against", select),
        figures,
      ),
      place,
    );

    const names = () => [desk.meta?.scheduler.label ?? "this run", other?.label ?? ""];
    const options = () => {
      const current = desk.meta?.scheduler.name;
      const able = desk.studio.schedulers.filter((each) => each.supports?.includes("dag") && each.name !== current);
      const before = desk.studio.ghost?.session;
      const usable = before?.meta?.graphs && before.run.state === "done";
      select.replaceChildren(
        h("option", { value: "" }, "choose a scheduler"),
        ...(usable ? [h("option", { value: "=" }, `${BEFORE} (${before.meta.scheduler.label})`)] : []),
        ...able.map((each) => h("option", { value: each.name }, each.label)),
      );
    };
    const refill = () => {
      const kept = select.value;
      options();
      select.value = kept;
    };
    const say = (words) => {
      figures.textContent = words;
    };
    const take = (label, columns) => {
      const jobs = {
        count: columns.arrival_us.length,
        arrival: columns.arrival_us.map((us) => us * 1000),
        end: columns.end_us.map((us) => (us < 0 ? -1 : us * 1000)),
      };
      if (!sameJobs(graphs.jobs, columns)) {
        fail("That run has other jobs, so they cannot be paired.");
        return;
      }
      other = { label, jobs };
      pairs = pairsOf(graphs.jobs, jobs);
      say(pairs.jobs.length ? comparedInWords(pairs, names()[0]) : "No job ended in both runs.");
      hint.hidden = true;
      picture.draw();
    };
    const fail = (words) => {
      pairs = null;
      other = null;
      hint.hidden = false;
      hint.textContent = words;
      say("");
      picture.draw();
    };

    /** Run the same work under another scheduler beside the one on the screen. */
    const runOther = (name) =>
      new Promise((resolve, reject) => {
        // The same seed as the run on the screen, which need not be the experiment's: else the jobs would be others.
        const experiment = { ...desk.studio.session.experiment, seed: desk.meta.seed };
        const chosen = desk.studio.schedulers.find((each) => each.name === name);
        createExperiment({
          ...experiment,
          name: `${experiment.name || "Experiment"}: ${chosen.label}`.slice(0, 64),
          scheduler: { name },
        })
          .then((made) => {
            session = new RunSession(experiment, made.id);
            const own = session;
            own.addEventListener("state", () => {
              const { state, progress, error } = own.run;
              if (state === "done") {
                own.close();
                resolve(own.run.id);
              } else if (state === "failed" || state === "cancelled") {
                own.close();
                reject(new Error(error || "The other run was cancelled."));
              } else say(`${chosen.label}: ${Math.round((progress || 0) * 100)}\u202f%`);
            });
            return own.start();
          })
          .catch(reject);
      });
    const drop = () => {
      if (session && !session.final && !session.closed) session.cancel().catch(() => {});
      session?.close();
      session = null;
    };
    const compare = async () => {
      asked += 1;
      const mine = asked;
      drop();
      if (!select.value || !graphs) {
        fail("Choose a scheduler above: the same work is run under it, and each job becomes a dot.");
        return;
      }
      const before = select.value === "=" ? desk.studio.ghost.session : null;
      const label = before ? `${before.meta.scheduler.label}, ${BEFORE}` : select.selectedOptions[0].textContent;
      try {
        say("Starting…");
        const run = before ? before.run.id : await runOther(select.value);
        if (mine !== asked) return;
        const { columns } = await fetchTable(run, "jobs");
        if (mine === asked) take(label, columns);
      } catch (error) {
        if (mine === asked)
          fail(error.problems?.length ? `${label} cannot run this: ${problemText(error.problems[0])}` : error.message);
      }
    };
    select.addEventListener("change", compare);

    const picture = new CanvasPicture(
      place,
      "Jobs by how long they took in both runs. Arrow keys go from job to job, Enter selects.",
      {
        scene: (width, height) =>
          pairs?.jobs.length
            ? pairsScene(pairs, { width, height, names: names(), chosen: desk.selection.job, over })
            : [],
        hit(x, y) {
          const job = pairs ? pairAt(pairs, picture.width, picture.height, x, y) : -1;
          return job < 0 ? null : { kind: "job", job };
        },
        tell({ job }) {
          const at = pairs.jobs.indexOf(job);
          const factor = pairs.factor[at];
          return (
            `Job ${whole(job)}: ${duration(pairs.mine[at])} with ${names()[0]}, ${duration(pairs.other[at])} ` +
            `with ${names()[1]}: ` +
            (Math.abs(factor - 1) < 1e-9
              ? "as fast"
              : factor > 1
                ? `${three(factor)} times as fast`
                : `${three(1 / factor)} times as slow`) +
            "."
          );
        },
        pick: (item) => desk.selectJob(item.job),
        step(item, dx, dy) {
          if (!pairs?.jobs.length) return null;
          const order = pairs.jobs
            .map((job, at) => [job, pairs.other[at]])
            .sort((a, b) => a[1] - b[1] || a[0] - b[0])
            .map(([job]) => job);
          const from = order.indexOf(item?.job ?? desk.selection.job);
          return { kind: "job", job: order[Math.min(order.length - 1, Math.max(0, from + (dx || -dy)))] };
        },
        at({ job }) {
          const at = pairs.jobs.indexOf(job);
          const where = pairsPlace(pairs, picture.width, picture.height);
          return [where.x(pairs.other[at]), where.y(pairs.mine[at])];
        },
        over(item) {
          over = item?.job ?? -1;
          picture.draw();
        },
      },
    );

    return {
      graphs(next) {
        asked += 1;
        drop();
        graphs = next;
        options();
        fail("Choose a scheduler above: the same work is run under it, and each job becomes a dot.");
      },
      shown: refill,
      listed: refill,
      selected: () => picture.draw(),
      scene: () => ({ marks: picture.scene(), width: picture.width, height: picture.height }),
    };
  },
};
