/** The rows of the comparison's dialog that vary a parameter, and what was asked last. */

import { getAt, setAt } from "../../experiment/experiment.js";
import { valuesAround, valuesFrom } from "../../run/study/study.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @typedef {ReturnType<typeof axisFields>} Fields
 * @typedef {{path: string, label: string, unit?: string, value?: any, [more: string]: any}} Option  a parameter
 * @typedef {{group: string, options: Option[]}} Group
 */

const LAST = "playground:last-study";

/** What the last study of this tab varied: who looks for a value asks again and again, a little further each time. */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(LAST) ?? "null");
  } catch {
    return null;
  }
}

export function keep(/** @type {any} */ asked) {
  try {
    sessionStorage.setItem(LAST, JSON.stringify(asked));
  } catch {
    /* a browser that keeps nothing asks anew */
  }
}

/**
 * Problems of a plan name its parts by place; people know them by name.
 * @param {string} path
 * @param {{label: string}[]} chosen
 */
export function placeWords(path, chosen) {
  const scheduler = /^schedulers\[(\d+)\]/.exec(path);
  if (scheduler) return `${chosen[Number(scheduler[1])]?.label ?? gettext("A scheduler")}:`;
  const axis = /^axes\[(\d+)\](\.along\[0\])?(?:\.values\[(\d+)\])?/.exec(path);
  if (axis)
    return [
      Number(axis[1]) ? gettext("Second parameter") : gettext("First parameter"),
      axis[2] ? gettext(", the parameter together with it") : "",
      axis[3] ? gettext(", value {place}", { place: Number(axis[3]) + 1 }) : "",
      ":",
    ].join("");
  return path ? `${path}:` : "";
}

function axisFields(/** @type {string} */ label) {
  const select = h("select", {
    class: "knob-select compare-select",
    "aria-label": gettext("{label}: parameter", { label }),
  });
  const path = h("input", {
    class: "field compare-path",
    type: "text",
    placeholder: gettext("path in the JSON, such as queues[0].share"),
    "aria-label": gettext("{label}: path", { label }),
    spellcheck: "false",
    hidden: true,
  });
  const values = h("input", {
    class: "field compare-values",
    type: "text",
    placeholder: gettext("values: 1, 3, 10"),
    "aria-label": gettext("{label}: values, separated by commas", { label }),
    spellcheck: "false",
    disabled: true,
  });
  const element = h(
    "div",
    { class: "compare-row" },
    h("span", { class: "compare-label" }, label),
    select,
    path,
    values,
  );
  return { element, select, path, values };
}

/** The label of a parameter with the unit in which its values are typed: "Message delay (s)". */
const withUnit = (/** @type {Option} */ { label, unit }) => (unit && unit.length <= 4 ? `${label} (${unit})` : label);

/** Put the parameters of groups into a row's choice, after what stands for none. */
function fillChoice(
  /** @type {Fields} */ { select, values },
  /** @type {string} */ none,
  /** @type {Group[]} */ groups,
) {
  const kept = select.value;
  select.replaceChildren(
    h("option", { value: "" }, none),
    ...groups.map((each) =>
      h(
        "optgroup",
        { label: each.group },
        each.options.map((one) => h("option", { value: one.path }, withUnit(one))),
      ),
    ),
    h("option", { value: "other" }, gettext("another setting…")),
  );
  select.value = [...select.options].some((each) => each.value === kept) ? kept : "";
  values.disabled = !select.value;
}

const pathOf = (/** @type {Fields} */ { select, path }) =>
  select.value === "other" ? path.value.trim() : select.value;

/** Fill in what was typed before, as far as it is offered. */
function typeAgain(/** @type {Fields} */ { select, path, values }, /** @type {any} */ before) {
  if (!before?.select || ![...select.options].some((each) => each.value === before.select)) return;
  select.value = before.select;
  path.value = before.path;
  path.hidden = select.value !== "other";
  values.disabled = false;
  values.value = before.values;
}

const typedIn = (/** @type {Fields} */ { select, path, values }) => ({
  select: select.value,
  path: path.value,
  values: values.value,
});

const MACHINES = /^topology\./;

/**
 * Whether more machines come with more work or with the same, which an axis asks: it changes machines and nothing of
 * the workload, and arrivals are a load of the machines.
 * @param {Experiment} experiment
 * @param {string[]} paths
 */
export function asksWhatHolds(experiment, paths) {
  const load = getAt(experiment, "workload.arrivals.offered_load") ?? getAt(experiment, "workload.offered_load");
  return typeof load === "number" && MACHINES.test(paths[0] ?? "") && !paths.some((each) => /^workload\./.test(each));
}

/**
 * Whether seeds leave the jobs of an experiment alike, which resampling of its trace would change.
 * @param {Experiment} experiment
 */
export const isFixedTrace = (experiment) =>
  experiment.workload?.kind === "trace" && !getAt(experiment, "workload.resampling");

/**
 * An experiment whose seeds draw other jobs from its trace.
 * @param {Experiment} experiment
 */
export const resampled = (experiment) => setAt(experiment, "workload.resampling", { method: "circular_blocks" });

/** What stays while machines change: the work or the load. */
function holdingFields(/** @type {string} */ label) {
  const select = h(
    "select",
    { class: "knob-select compare-select", "aria-label": gettext("{label}: what stays the same", { label }) },
    h("option", { value: "load" }, gettext("same load, so more work")),
    h("option", { value: "work" }, gettext("same work, so less load")),
  );
  const element = h(
    "label",
    { class: "compare-row", hidden: true },
    h("span", { class: "compare-label" }, gettext("at the")),
    select,
  );
  return {
    element,
    select,
    /** Arrivals of a trace that are stretched to a load have no rate that could stay. */
    offer(/** @type {Experiment} */ experiment) {
      const stretched = typeof getAt(experiment, "workload.offered_load") === "number";
      select.options[1].disabled = stretched;
      if (stretched) select.value = "load";
    },
  };
}

/** A parameter and its values, a parameter that changes along with it, and what stays while machines change. */
export function axisRow(/** @type {string} */ label, { first = false } = {}) {
  const own = axisFields(label);
  const along = axisFields(gettext("together with"));
  const holding = holdingFields(label);
  along.element.hidden = true;
  const row = {
    element: h("div", {}, own.element, along.element, holding.element),
    onchange: () => {},
    options: /** @type {Option[]} */ ([]),
    experiment: /** @type {Experiment | null} */ (null),
    axis() {
      const [at, list] = [pathOf(own), valuesFrom(own.values.value)];
      if (!at || !list.length) return null;
      const [other, theirs] = [pathOf(along), valuesFrom(along.values.value, { distinct: false })];
      const together = other && theirs.length ? { along: [{ path: other, values: theirs }] } : {};
      const holds = asks() ? { holds: holding.select.value } : {};
      return { path: at, values: list, ...together, ...holds };
    },
    typed: () => ({ ...typedIn(own), along: typedIn(along), holds: holding.select.value }),
    type(/** @type {any} */ before) {
      typeAgain(own, before);
      typeAgain(along, before?.along);
      if (before?.holds && !holding.select.options[1].disabled) holding.select.value = before.holds;
      along.element.hidden = !own.select.value;
      holding.element.hidden = !asks();
    },
    offer(/** @type {Group[]} */ groups, /** @type {Experiment} */ experiment) {
      row.experiment = experiment;
      holding.offer(experiment);
      row.options = groups.flatMap((each) => each.options);
      const none = first ? gettext("no parameter (more seeds only)") : gettext("no second parameter");
      fillChoice(own, none, groups);
      fillChoice(along, gettext("nothing"), groups);
      along.element.hidden = !own.select.value;
      holding.element.hidden = !asks();
    },
  };
  const asks = () =>
    row.experiment !== null && asksWhatHolds(row.experiment, [pathOf(own), pathOf(along)].filter(Boolean));
  holding.select.addEventListener("change", () => row.onchange());
  for (const each of [own, along]) {
    each.select.addEventListener("change", () => {
      each.path.hidden = each.select.value !== "other";
      each.values.disabled = !each.select.value;
      const option = row.options.find((/** @type {Record<string, any>} */ one) => one.path === each.select.value);
      each.values.value = option && each === own ? valuesAround(option).join(", ") : "";
      along.element.hidden = !own.select.value;
      holding.element.hidden = !asks();
      row.onchange();
    });
    for (const input of [each.path, each.values])
      input.addEventListener("input", () => {
        holding.element.hidden = !asks();
        row.onchange();
      });
  }
  return row;
}
