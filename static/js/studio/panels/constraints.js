/** Which machines offer what tasks ask for: a catalogue, a mix, a share, and a picture that opens the editor. */

import { problemText } from "../../experiment/problems.js";
import { rows } from "../../experiment/constraints.js";
import { setMix, setShare, withCatalogue } from "../../experiment/constraint_edits.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { knob } from "../../kit/knob.js";
import { offerThumbnail } from "../../experiment/thumbnails.js";
import { catalogues as listed } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { effect } from "../../kit/view.js";

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
  path: "constraints.task_share",
  label: gettext("Tasks with constraints"),
  kind: "number",
  min: 0,
  max: 1,
  default: 0.5,
  scale: "linear",
  shown: (/** @type {number} */ value) => percent(value),
  help: gettext("Share of tasks that can run on some machines only. Studies of Google's traces found 23 % to 50 %."),
};

const thumbButton = () => {
  const label = gettext("Edit what machines offer and tasks ask for");
  return h("button", { class: "thumb", type: "button", "aria-label": label });
};

const editButton = () =>
  h("button", { class: "button button-small", type: "button", "data-edit": "constraints" }, gettext("Edit"));

/**
 * The catalogue's mixes; clusters may have one each.
 * @param {HTMLSelectElement} mix
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
function drawMixes(mix, experiment, catalogue) {
  const mixes = new Set(
    (experiment.topology?.clusters ?? []).map(
      (/** @type {{constraint_mix?: string}} */ each) => each.constraint_mix ?? "",
    ),
  );
  const chosen = mixes.size === 1 ? [...mixes][0] : null;
  mix.replaceChildren(
    ...(chosen
      ? []
      : [
          h(
            "option",
            { value: chosen ?? "-", disabled: true },
            chosen === null ? gettext("by cluster") : gettext("everything"),
          ),
        ]),
    ...(catalogue?.mixes ?? []).map((/** @type {{name: string, evidence: string}} */ each) =>
      h("option", { value: each.name }, `${each.name}, ${each.evidence}`),
    ),
  );
  mix.value = chosen ?? "-";
}

/**
 * @param {HTMLElement} thumb
 * @param {{ratio: number}[]} found
 */
function drawThumb(thumb, found) {
  const tight = found.filter((row) => row.ratio > 1).length;
  thumb.replaceChildren(offerThumbnail(found));
  thumb.dataset.tip = gettext("Each pair is a constraint: machines that offer it, tasks that ask for it. {of}", {
    of: tight
      ? gettext(
          "Constraints for which the share of tasks that ask is larger than the share of machines that offer: " +
            "{tight} of {found}.",
          { tight, found: found.length },
        )
      : gettext(
          "For every constraint, the share of machines that offer it is at least as large as the share of tasks " +
            "that ask for it.",
        ),
  });
}

function catalogueSelect() {
  return h(
    "select",
    { class: "knob-select", "aria-label": gettext("Catalogue of constraints"), "data-path": "constraints.catalogue" },
    CHOICES.map(([value, text]) => h("option", { value }, text)),
  );
}

/**
 * Say the first problem with constraints at the knob of shares if it is about that, else in a line of its own.
 * @param {Problem[]} problems
 * @param {ReturnType<typeof knob>} share
 * @param {HTMLElement} line
 */
function place(problems, share, line) {
  const found = problems.find((each) => /^constraints\b|\.constraint_(mix|shares)\b/.test(each.path));
  const own = found?.path === "constraints.task_share";
  share.problem(own ? problemText(found) : "");
  line.hidden = !found || own;
  line.textContent = found ? problemText(found) : "";
}

export default {
  id: "constraints",
  place: "left",
  title: gettext("Constraints"),
  question: gettext("Which machines can run which tasks?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const pick = catalogueSelect();
    const offered = gettext("What machines offer");
    const mix = h("select", { class: "knob-select", "aria-label": offered, "data-path": MIX_PATH });
    const open = editButton();
    const thumb = thumbButton();
    const share = knob(SHARE, (/** @type {number} */ value) => studio.edit("constraints.task_share", value, setShare));
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const picks = h("div", { class: "pick-row" }, pick, mix);
    const shown = h("div", { class: "pick-row" }, thumb);
    body.append(picks, shown, share.element, problem);
    /** @type {Catalogue[] | null} */
    let catalogues = null;

    for (const each of [open, thumb]) each.addEventListener("click", () => studio.openEditor("constraints"));
    pick.addEventListener("change", () => studio.replace(withCatalogue(studio.opened, pick.value, catalogues ?? [])));
    mix.addEventListener("change", () => studio.replace(setMix(studio.opened, null, mix.value)));

    const draw = () => {
      const { opened: experiment } = studio;
      const { constraints } = experiment;
      if (constraints && !catalogues) {
        load();
        return;
      }
      for (const each of [mix, shown, share.element]) each.hidden = !constraints;
      const place = constraints ? shown : picks;
      if (open.parentElement !== place) place.append(open);
      pick.value = constraints?.catalogue ?? "";
      for (const each of [pick, mix]) each.disabled = studio.readOnly;
      share.disable(studio.readOnly);
      if (!constraints) return;
      const catalogue = catalogues?.find((each) => each.name === constraints.catalogue);
      drawMixes(mix, experiment, catalogue);
      drawThumb(thumb, rows(experiment, catalogue));
      share.set(constraints.task_share ?? 0.5);
    };
    // What was typed into the JSON may be nothing that can be drawn; the server says what is wrong with it.
    const tried = () => {
      try {
        if (studio.experiment) draw();
      } catch {
        for (const each of [mix, shown, share.element]) each.hidden = true;
      }
    };
    const load = () =>
      listed().then(
        (found) => {
          catalogues = found;
          tried();
        },
        () => {
          pick.value = studio.opened.constraints?.catalogue ?? "";
        },
      );

    effect(tried);
    effect(() => place(studio.problems, share, problem));
  },
};
