/** The counters of the scheduler and the engine, as the metadata declares them. */

import { short, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";
import { computed, html, show } from "../../kit/view.js";

/**
 * @import { CounterMeta, Meta, Summary } from "../../contract/contract"
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../store.js"
 */

const SHOWN = 7;

/** A placeholder until a run declares its counters. */
const SKELETON = Array.from(
  { length: 6 },
  () => html`<div class="counter skeleton">
    <dt>\u00a0</dt>
    <dd>\u00a0</dd>
  </div>`,
);

/**
 * @param {CounterMeta} counter
 * @param {Record<string, number> | undefined} counts  undefined before the first picture
 */
function counterView({ name, label, help }, counts) {
  const count = counts?.[name] ?? 0;
  const value = !counts ? "–" : count < 1e8 ? whole(count) : short(count);
  return html`<div class="counter" data-tip=${help}>
    <dt>${label}</dt>
    <dd data-counter=${name} data-says=${`counter:${name}`}>${value}</dd>
  </div>`;
}

/** Return a run's counters. Those of its scheduler come first, because viewers look for them. */
function counted(/** @type {Meta | null} */ meta, /** @type {Scheduler[]} */ schedulers) {
  if (!meta) return null;
  const scheduler = schedulers.find((each) => each.name === meta.scheduler?.name);
  const own = new Set(scheduler?.counters?.map((/** @type {CounterMeta} */ each) => each.name));
  return [
    ...meta.counters.filter((each) => own.has(each.name)),
    ...meta.counters.filter((each) => !own.has(each.name)),
  ];
}

/** Return, once a run has ended, a text on how many tasks can never run. No count of waiting tasks contains them. */
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
    const counters = computed(() => counted(studio.meta.value, studio.schedulers.value));
    show(body, () => {
      const figures = studio.figures.value;
      studio.news.value;
      const never = neverWords(studio.wholeRun());
      const all = (counters.value ?? []).map((each) => counterView(each, figures?.counters));
      return html`<p class="never-run" role="status" data-never-run data-says="run:never" ?hidden=${!never}>${never}</p>
        <dl class="counters">${counters.value ? all.slice(0, SHOWN) : SKELETON}</dl>
        <details class="more" ?hidden=${all.length <= SHOWN}>
          <summary>${gettext("more")}</summary>
          <dl class="counters">${all.slice(SHOWN)}</dl>
        </details>`;
    });
  },
};
