/** Where the work that was chosen cannot run as things stand: why, and buttons that make it run. */

import { honoursGraphs } from "../../experiment/needs.js";
import { equipped, lackingOf, lackingWords } from "../../experiment/fitting.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** Those that are offered first where jobs are graphs; others are in the list of schedulers. */
const FOR_GRAPHS = ["drf", "srtf", "carbyne"];

/** {element, set(experiment)}. */
export function remedies(editor) {
  const element = h("div", { class: "remedies", "data-remedies": true });
  const { studio } = editor;
  const button = (name, label, change) =>
    h(
      "button",
      { class: "button button-small", type: "button", "data-remedy": name, onclick: () => editor.edit("", change) },
      label,
    );
  const line = (words, ...buttons) =>
    h("div", { class: "editor-line" }, h("p", { class: "editor-about" }, words), ...buttons);
  const lines = (experiment) => {
    const found = [];
    const { chosen, schedulers } = studio;
    if (experiment.workload?.kind === "dag" && chosen && !honoursGraphs(chosen)) {
      const able = FOR_GRAPHS.map((name) => schedulers.find((each) => each.name === name)).filter(Boolean);
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
    set(experiment) {
      const kind = experiment.workload?.kind;
      element.replaceChildren(...(studio.readOnly || !["synthetic", "dag"].includes(kind) ? [] : lines(experiment)));
    },
  };
}
