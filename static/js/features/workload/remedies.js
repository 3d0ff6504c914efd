/** Where the work that was chosen cannot run as things stand: why, and buttons that make it run. */

import { honoursGraphs } from "../../experiment/needs.js";
import { equipped, lackingOf, lackingWords } from "../../experiment/fitting.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

/** Those that are offered first where jobs are graphs; others are in the list of schedulers. */
const FOR_GRAPHS = ["drf", "srtf", "carbyne"];

/**
 * {element, set(experiment)}.
 * @param {WorkloadEditor} editor
 */
export function remedies(editor) {
  const element = h("div", { class: "remedies", "data-remedies": true });
  const { studio } = editor;
  /**
   * @param {string} name
   * @param {string} label
   * @param {(experiment: Experiment) => Experiment} change
   */
  const button = (name, label, change) =>
    h(
      "button",
      { class: "button button-small", type: "button", "data-remedy": name, onclick: () => editor.edit("", change) },
      label,
    );
  /**
   * @param {string} words
   * @param {...HTMLElement} buttons
   */
  const line = (words, ...buttons) =>
    h("div", { class: "editor-line" }, h("p", { class: "editor-about" }, words), ...buttons);
  /** @param {Experiment} experiment */
  const lines = (experiment) => {
    const found = [];
    const { chosen, schedulers } = studio;
    if (experiment.workload?.kind === "dag" && chosen && !honoursGraphs(chosen)) {
      const able = FOR_GRAPHS.flatMap((name) => schedulers.find((each) => each.name === name) ?? []);
      found.push(
        line(
          gettext("{label} does not run jobs that are graphs. Continue with", { label: chosen.label }),
          ...able.map((each) =>
            button(`scheduler-${each.name}`, each.label, (one) => ({
              ...one,
              scheduler: { name: each.name, params: {} },
            })),
          ),
        ),
      );
    }
    const lacking = lackingOf(experiment);
    if (Object.keys(lacking).length)
      found.push(
        line(
          gettext("A task needs up to {amount}, and no machine has that much.", {
            amount: lackingWords(lacking),
          }),
          button("machines", gettext("Enlarge the machines"), (one) => equipped(one)),
        ),
      );
    return found;
  };
  return {
    element,
    /** @param {Experiment} experiment */
    set(experiment) {
      const kind = experiment.workload?.kind;
      element.replaceChildren(...(studio.readOnly || !["synthetic", "dag"].includes(kind) ? [] : lines(experiment)));
    },
  };
}
