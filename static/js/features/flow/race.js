/** Both solvers on the same rounds: repaired from the round before, and from nothing, in real seconds. */

import { tellRace } from "./network.js";
import { howFar, raceSolvers } from "./networks.js";
import { RaceChart } from "./race_chart.js";
import { h } from "../../kit/dom.js";
import { problemText } from "../../run/run_messages.js";

const HINT =
  "Each round of this run is solved twice on the same network: repaired where it has changed, and by " +
  "OR-tools from nothing. The clock is a real one of the server's, and no outcome depends on it.";

export default {
  id: "race",
  title: "Race",
  question: "How much faster is repairing the flow than solving from nothing?",
  own: true,
  needs: (meta) => Boolean(meta.network),
  mount(body) {
    let rows = [];
    let abort = null;
    let cancel = null;
    let of = null;
    let drawn = 0;

    const start = h(
      "button",
      { type: "button", class: "button button-small", "data-race": "", onclick: () => (abort ? cancel?.() : go()) },
      "Start the race",
    );
    const key = h(
      "p",
      { class: "picture-key line-key" },
      h("span", { class: "line-entry" }, h("i", { class: "line-swatch", "data-role": "data" }), "repaired (ics)"),
      h(
        "span",
        { class: "line-entry" },
        h("i", { class: "line-swatch is-dashed", "data-role": "second" }),
        "from nothing (OR-tools)",
      ),
      h("span", { class: "line-entry" }, "log scale, ms a round"),
    );
    const place = h("div", { class: "picture-place race-place" });
    const hint = h("p", { class: "desk-empty", role: "status" }, HINT);
    const about = h("p", { class: "desk-about", role: "status" });
    place.append(hint);
    body.append(h("div", { class: "picture-tools" }, start, key), place, h("div", { class: "flow-foot" }, about));
    const chart = new RaceChart(place);

    const draw = (force = false) => {
      const now = performance.now();
      if (!force && now - drawn < 200) return;
      drawn = now;
      chart.update(rows);
      about.textContent = rows.length
        ? `${tellRace(rows)} Real time of the server, no part of any outcome; without the time to book changes.`
        : "";
    };
    const say = (words) => {
      hint.textContent = words;
      hint.hidden = !words;
    };
    const idle = () => {
      abort = null;
      cancel = null;
      start.textContent = rows.length ? "Race again" : "Start the race";
    };

    async function go() {
      rows = [];
      abort = new AbortController();
      const mine = abort;
      start.textContent = "Cancel";
      say("Waiting for a worker…");
      draw(true);
      try {
        const race = await raceSolvers(of, {
          signal: mine.signal,
          row: (row) => {
            rows.push(row);
            say("");
            draw();
          },
          told: (now) => {
            cancel = () => now.cancel().catch(() => mine.abort());
            if (!rows.length) say(howFar(now.state, now.progress, "Racing…"));
          },
        });
        if (abort !== mine) return;
        idle();
        draw(true);
        if (race.state === "failed") say(race.problems[0]?.message ?? "The race broke.");
        else if (!rows.length)
          say(race.state === "cancelled" ? "The race was cancelled." : "No round of this run had anything to solve.");
        if (race.state === "cancelled" && rows.length) about.textContent += " Cancelled before its end.";
        if (race.over === "time") about.textContent += " Stopped when its time was up.";
        if (race.every > 1) about.textContent += ` Every ${race.every}th round raced.`;
      } catch (error) {
        if (abort !== mine) return;
        idle();
        if (error.name !== "AbortError") say(error.problems?.length ? problemText(error.problems[0]) : error.message);
      }
    }

    return {
      run(session) {
        const ready = session?.run.state === "done";
        start.disabled = !ready;
        if (of === session?.run.id && ready) return;
        abort?.abort();
        abort = null;
        rows = [];
        of = ready ? session.run.id : null;
        idle();
        draw(true);
        say(ready ? HINT : "The solvers can race when the run is computed.");
      },
      graphs() {},
      shown() {
        chart.resize();
      },
    };
  },
};
