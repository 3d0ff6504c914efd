/** Explain why the chosen workload cannot run, and offer buttons that fix it. */

import { honoursGraphs } from "../../experiment/needs.js";
import { equipped, lackingOf, lackingWords } from "../../experiment/fitting.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

/** The first suggestions for jobs with graphs; the list of schedulers has more. */
const FOR_GRAPHS = ["drf", "srtf", "carbyne"];

/**
 * @param {WorkloadEditor} editor
 * @param {Experiment} experiment
 */
export function remediesView(editor, experiment) {
  const chosen = editor.studio.chosen.value;
  const schedulers = editor.studio.schedulers.value;
  const readOnly = editor.studio.readOnly.value;
  const { kind } = experiment.workload ?? {};
  if (readOnly || !["synthetic", "dag"].includes(kind)) return nothing;
  /** @param {string} name @param {string} label @param {(experiment: Experiment) => Experiment} change */
  const button = (name, label, change) =>
    html`<button
      class="button button-small"
      type="button"
      data-remedy=${name}
      @click=${() => editor.edit("", change)}
    >${label}</button>`;
  /** @param {string} words @param {unknown} buttons */
  const line = (words, buttons) => html`<div class="editor-line"><p class="editor-about">${words}</p>${buttons}</div>`;
  const able = FOR_GRAPHS.flatMap((name) => schedulers.find((each) => each.name === name) ?? []);
  const lacking = lackingOf(experiment);
  return [
    kind === "dag" && chosen && !honoursGraphs(chosen)
      ? line(
          gettext("{label} does not run jobs that are graphs. Continue with", { label: chosen.label }),
          able.map((each) =>
            button(`scheduler-${each.name}`, each.label, (one) => ({
              ...one,
              scheduler: { name: each.name, params: {} },
            })),
          ),
        )
      : nothing,
    Object.keys(lacking).length
      ? line(
          gettext("A task needs up to {amount}, and no machine has that much.", { amount: lackingWords(lacking) }),
          button("machines", gettext("Enlarge the machines"), (one) => equipped(one)),
        )
      : nothing,
  ];
}
