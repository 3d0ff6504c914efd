/** Constraints of machines and tasks: a catalogue, a mix, a fraction of tasks, and a picture that opens the editor. */

import { problemText } from "../../experiment/problems.js";
import { rows, TASK_SHARE } from "../../experiment/constraints.js";
import { setMix, setShare, withCatalogue } from "../../experiment/constraint_edits.js";
import { knob } from "../../kit/knob.js";
import { offerThumbnail } from "../../experiment/thumbnails.js";
import { catalogues as listed } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { effect, html, live, nothing, show, signal } from "../../kit/view.js";

/**
 * @import { Catalogue } from "../../experiment/constraints.js"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../store.js"
 */

const CHOICES = [
  ["", gettext("No constraints")],
  ["megha-21", "Megha's 21"],
  ["megha-clusters", gettext("Megha's 21, by cluster")],
  ["phoenix-9", "Phoenix's 9"],
  ["custom", gettext("Your own")],
];

const MIX_PATH = "topology.clusters[0].constraint_mix";
const SHARE = {
  ...TASK_SHARE,
  help: gettext("Share of tasks that can run on some machines only. Studies of Google's traces found 23 % to 50 %."),
};

const CONCERNS = /^constraints\b|\.constraint_(mix|shares)\b/;

/**
 * Return the choice among the catalogue's mixes. Each cluster may have its own mix.
 * @param {Studio} studio
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
function mixView(studio, experiment, catalogue) {
  const clusters = /** @type {{constraint_mix?: string}[]} */ (experiment.topology?.clusters ?? []);
  const mixes = new Set(clusters.map((each) => each.constraint_mix ?? ""));
  const chosen = mixes.size === 1 ? [...mixes][0] : null;
  const none = chosen === null ? gettext("by cluster") : gettext("everything");
  const options = (catalogue?.mixes ?? []).map(
    (/** @type {{name: string, evidence: string}} */ { name, evidence }) =>
      html`<option value=${name} ?selected=${name === chosen}>${`${name}, ${evidence}`}</option>`,
  );
  return html`<select
    class="knob-select"
    aria-label=${gettext("What machines offer")}
    data-path=${MIX_PATH}
    ?disabled=${studio.readOnly.value}
    .value=${live(chosen ?? "-")}
    @change=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget: { value } }) =>
      studio.replace(setMix(studio.opened.value, null, value))}
  >
    ${chosen ? nothing : html`<option value=${chosen ?? "-"} disabled ?selected=${!chosen}>${none}</option>`}
    ${options}
  </select>`;
}

/**
 * Return a small picture of offers and requests, which opens the editor.
 * @param {Studio} studio
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
function thumbView(studio, experiment, catalogue) {
  const found = rows(experiment, catalogue);
  const tight = found.filter((/** @type {{ratio: number}} */ row) => row.ratio > 1).length;
  const of = tight
    ? gettext(
        "Constraints for which the share of tasks that ask is larger than the share of machines that offer: " +
          "{tight} of {found}.",
        { tight, found: found.length },
      )
    : gettext(
        "For every constraint, the share of machines that offer it is at least as large as the share of tasks " +
          "that ask for it.",
      );
  const tip = gettext("Each pair is a constraint: machines that offer it, tasks that ask for it. {of}", { of });
  return html`<button
    class="thumb"
    type="button"
    aria-label=${gettext("Edit what machines offer and tasks ask for")}
    data-tip=${tip}
    @click=${() => studio.openEditor("constraints")}
  >${offerThumbnail(found)}</button>`;
}

const editView = (/** @type {Studio} */ studio) =>
  html`<button
    class="button button-small"
    type="button"
    data-edit="constraints"
    @click=${() => studio.openEditor("constraints")}
  >
    ${gettext("Edit")}
  </button>`;

/**
 * Return the choice of a catalogue.
 * @param {Studio} studio
 * @param {Catalogue[]} catalogues
 */
function catalogueView(studio, catalogues) {
  const chosen = studio.opened.value.constraints?.catalogue ?? "";
  const options = CHOICES.map(
    ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
  );
  return html`<select
    class="knob-select"
    aria-label=${gettext("Catalogue of constraints")}
    data-path="constraints.catalogue"
    ?disabled=${studio.readOnly.value}
    .value=${live(chosen)}
    @change=${(/** @type {{currentTarget: HTMLSelectElement}} */ event) =>
      studio.replace(withCatalogue(studio.opened.value, event.currentTarget.value, catalogues))}
  >
    ${options}
  </select>`;
}

/**
 * Return the panel's controls for the current experiment. Throw for an experiment that no control can show.
 * @param {Studio} studio
 * @param {Catalogue[] | null} catalogues  null: the server has not listed them yet
 * @param {HTMLElement} share  the control of the fraction of tasks
 */
function controlsView(studio, catalogues, share) {
  const experiment = studio.opened.value;
  const { constraints } = experiment;
  const catalogue = catalogues?.find((each) => each.name === constraints?.catalogue);
  const known = constraints && catalogues;
  const beside = known ? mixView(studio, experiment, catalogue) : nothing;
  return html`<div class="pick-row">
      ${catalogueView(studio, catalogues ?? [])} ${constraints ? beside : editView(studio)}
    </div>
    ${
      known
        ? html`<div class="pick-row">${thumbView(studio, experiment, catalogue)} ${editView(studio)}</div>
            ${share}`
        : nothing
    }`;
}

export default {
  id: "constraints",
  place: "left",
  title: gettext("Constraints"),
  question: gettext("Which machines can run which tasks?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const share = knob(SHARE, (/** @type {number} */ value) => studio.edit("constraints.task_share", value, setShare));
    const catalogues = signal(/** @type {Catalogue[] | null} */ (null));
    let asked = false;
    /** The controls shown last: the JSON may contain an experiment that they cannot show. @type {unknown} */
    let last = nothing;
    const controls = () => {
      try {
        if (studio.experiment.value) last = controlsView(studio, catalogues.value, share.element);
      } catch {
        // The server reports the problem.
      }
      return last;
    };
    show(body, () => {
      const found = studio.problems.value.find((each) => CONCERNS.test(each.path));
      const ofShare = found?.path === SHARE.path;
      const words = found && !ofShare ? problemText(found) : "";
      return html`${controls()}
        <p class="knob-problem" role="alert" ?hidden=${!words}>${words}</p>`;
    });
    effect(() => {
      const experiment = studio.experiment.value;
      const readOnly = studio.readOnly.value;
      const problems = studio.problems.value;
      const found = problems.find((each) => CONCERNS.test(each.path));
      share.problem(found?.path === SHARE.path ? problemText(found) : "");
      share.disable(readOnly);
      share.set(experiment?.constraints?.task_share ?? SHARE.default);
    });
    // Without constraints the list of catalogues is not needed.
    effect(() => {
      if (!studio.experiment.value?.constraints || asked) return;
      asked = true;
      listed().then(
        (found) => {
          catalogues.value = found;
        },
        () => {
          asked = false;
        },
      );
    });
  },
};
