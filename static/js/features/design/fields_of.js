/**
 * Fields of what is selected, and what may be done to it: for exact numbers, for the keyboard, and where there is no
 * right button.
 */

import { queuesOf, setAt } from "../../experiment/experiment.js";
import { three } from "../../kit/format.js";
import {
  changeCluster,
  changeGroup,
  itemAt,
  itemWords,
  keyOf,
  mastersOf,
  pathOf,
  setMasters,
} from "../../experiment/topology.js";
import { changeQueue, serve, setQueueShare } from "./topology_edits.js";
import { choice, entry, Fields, numeric } from "../editors/fields.js";
import { h } from "../../kit/dom.js";

const count = (key, label, help) => ({ key, label, help, fallback: 1 });
const CLUSTER = [
  { key: "name", label: "Name", text: true, help: "Its Local Master has the same name." },
  count("repeat", "How many like it", "They are called name-0, name-1 and so on, each with a Local Master."),
  count("racks", "Racks of each", "Machines are spread over them in order and evenly; a rack fails as one."),
];
const GROUP = [
  count("count", "Machines"),
  { key: "cpus", label: "CPUs", fallback: 1, help: "Of one machine." },
  {
    key: "memory_gb",
    label: "Memory, GB",
    fallback: 0,
    help: "Of one machine. Counts only when tasks ask for memory.",
  },
  { key: "gpus", label: "GPUs", fallback: 0 },
];

/** `edit(key, change)` changes the experiment; `act(offer)` does something to the item. */
export function fieldsOf(edit, act) {
  const title = h("h2", { class: "design-title" });
  const list = h("div", { class: "design-fields" });
  const actions = h("div", { class: "design-actions", role: "group", "aria-label": "What may be done to it" });
  const element = h("section", { class: "design-part", "aria-label": "Selected" }, title, list, actions);
  const fields = new Fields();
  let shownFor = null;
  let setters = [];

  const row = (label, control, help) => {
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    list.append(
      h(
        "label",
        { class: "design-field", "data-tip": help || null },
        h("span", { class: "knob-label" }, label),
        control.element,
      ),
      problem,
    );
    fields.add({
      path: control.path,
      problem(text) {
        control.problem(text);
        problem.hidden = !text;
        problem.textContent = text;
      },
    });
  };

  const texts = (item, specs, change) => {
    for (const spec of specs) {
      const control = entry(
        { label: spec.label, path: `${pathOf(item)}.${spec.key}`, numeric: !spec.text, wide: spec.text },
        (text) => edit("", (one) => change(one, { [spec.key]: spec.text ? text : numeric(text) })),
      );
      row(spec.label, control, spec.help);
      setters.push((experiment, readOnly) => {
        const value = itemAt(experiment, item)?.[spec.key] ?? (spec.text ? "lm" : spec.fallback);
        control.set(typeof value === "number" ? String(value) : value);
        control.disable(readOnly);
      });
    }
  };

  const build = (item, partitioned) => {
    list.replaceChildren();
    fields.clear();
    setters = [];
    if (item?.kind === "cluster") texts(item, CLUSTER, (one, change) => changeCluster(one, item.cluster, change));
    if (item?.kind === "group") texts(item, GROUP, (one, change) => changeGroup(one, item, change));
    if (item?.kind === "queue") {
      texts(item, [{ key: "name", label: "Name", text: true, help: "Jobs and events name it." }], (one, change) =>
        changeQueue(one, item.queue, change),
      );
      const share = entry({ label: "Share in percent", path: `${pathOf(item)}.share`, numeric: true }, (text) =>
        edit("", (one) =>
          Number.isFinite(Number(text.replace(",", ".")))
            ? setQueueShare(one, item.queue, Number(text.replace(",", ".")) / 100)
            : one,
        ),
      );
      row("Share, %", share, "The others keep their proportions; the sum stays.");
      setters.push((experiment, readOnly) => {
        share.set(three(100 * (itemAt(experiment, item)?.share ?? 0)));
        share.disable(readOnly);
      });
      if (partitioned) {
        const master = choice({ label: "Served by", path: `${pathOf(item)}.global_master` }, (value) =>
          edit("", (one) => serve(one, item.queue, Number(value))),
        );
        list.append(master.element);
        fields.add(master);
        setters.push((experiment, readOnly) => {
          const masters = mastersOf(experiment);
          master.set(
            String(itemAt(experiment, item)?.global_master ?? item.queue % masters),
            Array.from({ length: masters }, (_, place) => [String(place), `GM ${place}`]),
          );
          master.disable(readOnly);
        });
      }
    }
    if (item?.kind === "master") {
      const control = entry({ label: "Global Masters", path: "topology.global_masters", numeric: true }, (text) =>
        edit("", (one) => {
          const value = numeric(text);
          return typeof value === "number" && value >= 1
            ? setMasters(one, value)
            : setAt(one, "topology.global_masters", value);
        }),
      );
      row("Global Masters", control, "Each owns a part of every cluster.");
      setters.push((experiment, readOnly) => {
        control.set(String(mastersOf(experiment)));
        control.disable(readOnly);
      });
    }
  };

  return {
    element,
    /** The first field, for Enter on the plan. */
    focus() {
      const first = list.querySelector("input, select");
      first?.focus();
      first?.select?.();
    },
    problems(all, text) {
      return fields.problems(all, text);
    },
    set({ experiment, item, partitioned, offers, readOnly }) {
      const key = `${keyOf(item)}/${partitioned}/${item?.kind === "queue" ? queuesOf(experiment).length : ""}`;
      if (key !== shownFor) {
        shownFor = key;
        build(item, partitioned);
      }
      title.textContent = item ? itemWords(experiment, item) : "Nothing is selected";
      for (const each of setters) each(experiment, readOnly);
      actions.hidden = readOnly || !offers.length;
      const names = offers.map((offer) => offer.label).join("/");
      if (actions.dataset.names !== names || actions.dataset.of !== key) {
        actions.dataset.names = names;
        actions.dataset.of = key;
        actions.replaceChildren(
          ...offers.map((offer) =>
            h(
              "button",
              {
                class: "button button-small",
                type: "button",
                "data-offer": offer.id,
                "data-tip": [offer.help, offer.key && `Key: ${offer.key}.`].filter(Boolean).join(" ") || null,
                onclick: () => act(offer),
              },
              offer.label,
            ),
          ),
        );
      }
    },
  };
}
