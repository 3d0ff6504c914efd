/** The settings of the datacenter. */

import { isPartitioned, listOf, machineCount, setAt, withMasters } from "../../experiment/experiment.js";
import { honoured } from "../../run/possible_events.js";
import { whole } from "../../kit/format.js";
import { part, targetOf } from "../../kit/dom.js";
import { knobSection } from "../../experiment/forms/knob_section.js";
import { gettext, ngettext } from "../../kit/words.js";
import { asksWhatStays, HeldWork } from "../../experiment/held_work.js";
import { effect, element, html, nothing } from "../../kit/view.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Studio } from "../store.js"
 */

const CLUSTER = "topology.clusters[0]";

/**
 * What stays constant when the number of machines changes, as chosen below the settings: the work, or with null the
 * load.
 */
let held = /** @type {HeldWork | null} */ (null);

/** Return a writer for a number of machines that keeps the arrivals if the user chose so. */
const machinesAt =
  (/** @type {string} */ path) => (/** @type {Experiment} */ experiment, /** @type {number} */ value) => {
    const next = setAt(experiment, path, value);
    return held?.kept(experiment, next) ?? next;
  };

/** Return true if the machines are those of an imported cluster, whose tasks run on them by name. */
const isImported = (/** @type {Experiment} */ { workload }) =>
  workload?.kind === "trace" && workload.format === "cluster";

/** Return true if the machines have a size of their own to set: an import has many kinds, each as many as it found. */
const isMadeUp = (/** @type {Experiment} */ experiment) => !isImported(experiment);

const specs = [
  {
    path: `${CLUSTER}.machines[0].count`,
    write: machinesAt(`${CLUSTER}.machines[0].count`),
    label: gettext("Machines per cluster"),
    when: isMadeUp,
    kind: "integer",
    min: 10,
    max: 5000,
    default: 250,
    scale: "log",
    help: gettext(
      "Number of machines in each cluster. At the same load, more machines also get more work, and waits usually " +
        "shrink. At the same work, more machines stay free.",
    ),
    also: {
      [`${CLUSTER}.racks`]: {
        remedy: gettext("Add machines here, or remove racks under Design."),
      },
    },
  },
  {
    path: `${CLUSTER}.repeat`,
    write: machinesAt(`${CLUSTER}.repeat`),
    label: gettext("Clusters"),
    when: isMadeUp,
    kind: "integer",
    min: 1,
    max: 100,
    default: 1,
    scale: "log",
    help: gettext(
      "Number of clusters like this one, each with the same number of machines. Under Megha, each cluster has its " +
        "own Local Master. At a fixed load, waits usually shrink with more clusters.",
    ),
  },
  {
    path: "topology.global_masters",
    label: gettext("Global Masters"),
    kind: "integer",
    min: 1,
    max: 16,
    default: 1,
    scale: "linear",
    write: withMasters,
    when: (/** @type {Experiment} */ _, /** @type {Studio} */ studio) =>
      !studio.chosen.value || isPartitioned(studio.chosen.value),
    help: gettext(
      "Number of Global Masters. More of them share the work of choosing machines, and their views of " +
        "free machines disagree more often.",
    ),
  },
  {
    path: `${CLUSTER}.machines[0].cpus`,
    label: gettext("CPUs per machine"),
    when: isMadeUp,
    kind: "integer",
    min: 1,
    max: 128,
    default: 1,
    scale: "log",
    help: gettext("A machine runs as many tasks at once as its CPUs and memory hold."),
  },
  {
    path: `${CLUSTER}.machines[0].memory_gb`,
    label: gettext("Memory per machine"),
    when: isMadeUp,
    unit: "GB",
    kind: "number",
    min: 0,
    max: 1024,
    default: 0,
    help: gettext("Matters only if tasks ask for memory."),
  },
  {
    path: "network.message_delay_s",
    label: gettext("Message delay"),
    unit: "s",
    kind: "number",
    min: 0,
    max: 1,
    default: 0.0005,
    help: gettext("One-way delay. Slower messages make every answer and every view older."),
  },
  {
    path: "interference.strength",
    label: gettext("Interference"),
    kind: "number",
    min: 0,
    max: 10,
    default: 0,
    help: gettext(
      "How strongly tasks on one machine slow each other down (synthetic). A larger value makes tasks take longer.",
    ),
    when: (/** @type {Experiment} */ experiment, /** @type {Studio} */ studio) =>
      honoured(
        studio.schedulers.value.find((each) => each.name === experiment.scheduler?.name),
        experiment,
      ).has("interference"),
    write: (/** @type {Experiment} */ experiment, /** @type {number} */ value) =>
      // An out-of-bounds value stays in its field too, until the next one replaces it.
      setAt(experiment, value ? "interference.strength" : "interference", value || undefined),
  },
].map((each) => ({ ...each, beyond: true }));

const KEEP_HELP = gettext(
  "What stays when you change the number of machines or clusters. At the same load, more machines get more " +
    "work. At the same work, arrivals stay as they are.",
);

/** Return the choice of what stays constant when the number of machines changes. */
function keepView(/** @type {Studio} */ studio) {
  const experiment = studio.experiment.value;
  const keep = (/** @type {Event} */ event) => {
    held = targetOf(event).value === "work" ? new HeldWork() : null;
  };
  return html`<label class="knob keeps" data-tip=${KEEP_HELP} ?hidden=${
    !experiment || isImported(experiment) || !asksWhatStays(experiment)
  }>
    <span class="knob-label">${gettext("Keep")}</span
    ><select class="knob-select" aria-label=${gettext("Keep")} ?disabled=${studio.readOnly.value} @change=${keep}>
      <option value="load" ?selected=${!held}>${gettext("same load")}</option>
      <option value="work" ?selected=${Boolean(held)}>${gettext("same work")}</option>
    </select>
  </label>`;
}

/** Return the links to the two editors of the datacenter. */
function editsView(/** @type {Studio} */ studio) {
  const link = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ about) =>
    html`<button
      class="link"
      type="button"
      data-edit=${name}
      data-tip=${about}
      @click=${() => studio.openEditor(name)}
    >
      ${title}
    </button>`;
  return [
    link("topology", gettext("Design"), gettext("Lay out clusters, racks, machines and queues by hand. Key: E.")),
    link("events", gettext("Faults"), gettext("What fails, drains or changes during the run, and when.")),
  ];
}

const IMPORTED_HELP = gettext(
  "The machines are those of the imported cluster. Design shows every kind of them and changes them.",
);

/** Return what the machines of an imported cluster are; nothing for any other. */
function importedView(/** @type {Studio} */ studio) {
  const experiment = studio.experiment.value;
  if (!experiment || !isImported(experiment)) return nothing;
  return html`<p class="queues-note" data-imported-machines
    ><span data-tip=${IMPORTED_HELP}>${importedWords(experiment)}</span></p
  >`;
}

/** Describe the machines of an imported cluster: "24 machines of 10 kinds, as imported". */
export function importedWords(/** @type {Experiment} */ experiment) {
  const kinds = new Set(
    listOf(experiment.topology?.clusters).flatMap((each) =>
      listOf(each.machines).map((group) => JSON.stringify({ ...group, count: 0 })),
    ),
  );
  const count = machineCount(experiment);
  const counted = ngettext("{count} machine", "{count} machines", count, { count: whole(count) });
  return ngettext("{machines} of one kind, as imported", "{machines} of {n} kinds, as imported", kinds.size, {
    machines: counted,
    n: whole(kinds.size),
  });
}

/** Return the number of kinds of machines, over all clusters. */
function kindsOf(/** @type {Experiment | null} */ experiment) {
  const clusters = experiment?.topology?.clusters;
  return Array.isArray(clusters) ? clusters.reduce((sum, each) => sum + (each?.machines?.length ?? 1), 0) : 0;
}

export default {
  id: "datacenter",
  place: "left",
  title: gettext("Datacenter"),
  question: gettext("Where does it run?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const section = knobSection(body, studio, specs);
    body.prepend(element("div", "", () => importedView(studio)));
    // In the flow of the folded part, where it covers no other control and its words have room.
    part(".more", body).append(element("div", "", () => keepView(studio)));
    // There is space beside the tabs, and phones show it too.
    const edits = element("div", "left-edits", () => editsView(studio));
    edits.role = "group";
    edits.ariaLabel = gettext("By hand");
    part(".left").append(edits);
    effect(() => {
      const experiment = studio.experiment.value;
      if (!experiment) return;
      section.experiment(experiment);
      if (isImported(experiment)) {
        section.say("");
        return;
      }
      const groups = kindsOf(experiment);
      const count = machineCount(experiment);
      section.say(
        ngettext("{kind}{count} machine", "{kind}{count} machines", count, {
          count: whole(count),
          kind: groups > 1 ? gettext("kind 1 of {count}; ", { count: groups }) : "",
        }),
        groups > 1 ? gettext("These settings show the first kind of machine. Design shows all kinds.") : "",
      );
    });
    effect(() => section.problems(studio.problems.value));
  },
};
