/** What the scheduler and the engine count, as meta declares it. */

import { short, whole } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext, ngettext } from "../../kit/words.js";
import { effect, untracked } from "../../kit/view.js";

/**
 * @import { CounterMeta, Meta, Summary } from "../../contract/contract"
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../store.js"
 */

const SHOWN = 7;

/** What stands in place of the counters until a run has told which it has. */
function skeleton() {
  return Array.from({ length: 6 }, () =>
    h("div", { class: "counter skeleton" }, h("dt", {}, "\u00a0"), h("dd", {}, "\u00a0")),
  );
}

function cell(/** @type {CounterMeta} */ counter) {
  const value = h("dd", { "data-counter": counter.name, "data-says": `counter:${counter.name}` }, "0");
  const element = h("div", { class: "counter", "data-tip": counter.help }, h("dt", {}, counter.label), value);
  return { name: counter.name, value, element };
}

/** Once all is computed: tasks that no machine can hold wait for nothing, which no count of waits shows. */
function neverWords(/** @type {Partial<Summary> | null | undefined} */ summary) {
  const { unschedulable: count = 0, dropped = 0 } = summary?.tasks ?? {};
  if (!count) return "";
  const never = ngettext(
    "{count} task can never run: no machine is big enough for it, or for a task it depends on.",
    "{count} tasks can never run: no machine is big enough for them, or for a task they depend on.",
    count,
    { count: whole(count) },
  );
  if (!dropped) return never;
  const goesOn = ngettext(
    "{count} of them is dropped: its job goes on without it.",
    "{count} of them are dropped: their jobs go on without them.",
    dropped,
    { count: whole(dropped) },
  );
  return `${never} ${goesOn}`;
}

export default {
  id: "counters",
  place: "right",
  title: gettext("Counters"),
  question: gettext("What has happened so far?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const list = h("dl", { class: "counters" });
    const rest = h("dl", { class: "counters" });
    const more = h("details", { class: "more" }, h("summary", {}, gettext("more")), rest);
    const never = h("p", { class: "never-run", role: "status", "data-never-run": true, hidden: true });
    body.append(never, list, more);
    /** @type {ReturnType<typeof cell>[]} */
    let cells = [];
    list.append(...skeleton());

    const fill = (/** @type {Record<string, number>} */ counters) => {
      for (const { name, value } of cells) {
        const count = counters[name] ?? 0;
        value.textContent = count < 1e8 ? whole(count) : short(count);
      }
    };
    const tellNever = () => {
      const words = neverWords(studio.session?.store.summary);
      if (never.textContent === words) return;
      never.textContent = words;
      never.hidden = !words;
    };
    const draw = (/** @type {Meta} */ meta, /** @type {Scheduler[]} */ schedulers) => {
      const own = new Set(
        schedulers
          .find((each) => each.name === meta.scheduler?.name)
          ?.counters?.map((/** @type {CounterMeta} */ each) => each.name),
      );
      // What only this scheduler counts comes first: that is what one came to see.
      cells = [
        ...meta.counters.filter((each) => own.has(each.name)),
        ...meta.counters.filter((each) => !own.has(each.name)),
      ].map(cell);
      list.replaceChildren(...cells.slice(0, SHOWN).map((each) => each.element));
      rest.replaceChildren(...cells.slice(SHOWN).map((each) => each.element));
      more.hidden = cells.length <= SHOWN;
    };
    // The list of schedulers may come after the run's own description.
    effect(() => {
      const { meta, schedulers } = studio;
      if (!meta) return;
      draw(meta, schedulers);
      untracked(() => fill(studio.figures?.counters ?? {}));
    });
    effect(() => {
      const { figures } = studio;
      if (figures) fill(figures.counters);
    });
    effect(() => {
      const { news: _changed } = studio;
      tellNever();
    });
  },
};
