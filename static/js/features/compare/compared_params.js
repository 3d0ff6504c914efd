/** The parameters of the compared schedulers; parameters with the same meaning under several of them appear once. */

import { knobsFromSchema } from "../../experiment/experiment.js";
import { knobSection } from "../../experiment/forms/knob_section.js";
import { html, nothing, repeat, signal, untracked } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { SectionKnob } from "../../experiment/forms/knob_section.js"
 * @typedef {Record<string, unknown>} Params
 * @typedef {{name: string, params: Params}} Trial  a scheduler and its parameters
 * @typedef {SectionKnob & {name: string}} Spec  the control of a scheduler's parameter
 * @typedef {(shown: Experiment, value: unknown) => Experiment} Write  sets a parameter
 * @typedef {{body: HTMLElement, section: ReturnType<typeof knobSection>}} Section
 */

const SHARED = "shared";

export class ComparedParams {
  /** The controls of each section, created when it is opened. @type {Map<string, Section>} */
  #made = new Map();
  #open = signal(/** @type {string[]} */ ([]));

  /**
   * @param {Experiment} experiment
   * @param {Scheduler[]} schedulers
   * @param {number | null} [cutoff]  the boundary between the workload's short and long jobs in s, which an unset
   *   cutoff means
   * @param {Trial[]} [trials]  schedulers with the parameters that this experiment's gallery entry suggests
   */
  constructor(experiment, schedulers, cutoff = null, trials = []) {
    this.experiment = experiment;
    this.cutoff = cutoff;
    const own = schedulers.find(({ name }) => name === experiment.scheduler?.name);
    const [alike, start] = split(own, experiment.scheduler?.params ?? {});
    this.start = { edited: /** @type {Record<string, Params>} */ (own ? { [own.name]: start } : {}), alike };
    this.trials = trials.filter(({ name }) => name !== own?.name);
    /** The parameters with the same meaning under every scheduler, initially the experiment's. */
    this.alike = signal(alike);
    /** The other parameters, by scheduler. A trial's stay its own, as one scheduler's may differ from another's. */
    const suggested = Object.fromEntries(this.trials.map((one) => [one.name, one.params]));
    this.edited = signal({ ...suggested, ...this.start.edited });
  }

  /** Return a scheduler's parameters that differ from its defaults or come from the experiment. */
  of(/** @type {Scheduler} */ one) {
    return joined(one, this.edited.value, this.alike.value);
  }

  isChanged(/** @type {Scheduler} */ one) {
    return JSON.stringify(this.of(one)) !== JSON.stringify(joined(one, this.start.edited, this.start.alike));
  }

  /** Return a section for the shared parameters, and one for each scheduler. */
  view(/** @type {Scheduler[]} */ chosen) {
    const shared = new Set([...sharedNames(chosen)].filter((name) => this.#isOneValue(chosen, name)));
    const ofAll = [...shared].flatMap((name) => {
      const one = chosen.find((each) => fieldsOf(each)[name]);
      return one ? this.#specs(one, (knob) => knob.name === name, true) : [];
    });
    return html`<div class="compare-params" role="group" aria-label=${gettext("Parameters of the schedulers")}>
      ${ofAll.length ? this.#sectionView(SHARED, gettext("Shared parameters"), ofAll) : nothing}
      ${repeat(
        chosen,
        (one) => one.name,
        (one) => {
          const label = one.label ?? one.name;
          const specs = this.#specs(one, (knob) => !shared.has(knob.name));
          const title = !this.isChanged(one)
            ? label
            : this.#isTrial(one)
              ? gettext("{label} (as the gallery suggests)", { label })
              : gettext("{label} (changed)", { label });
          return specs.length ? this.#sectionView(one.name, title, specs) : nothing;
        },
      )}
    </div>`;
  }

  /** Return the shared parameters of which a scheduler has a value of its own, from its trial. */
  #ownOf(/** @type {Scheduler} */ one) {
    const isAlike = (/** @type {string} */ each) =>
      fieldsOf(one)[each]?.alike && !Object.hasOwn(this.alike.value, each);
    return Object.keys(this.edited.value[one.name] ?? {}).filter(isAlike);
  }

  /** Return true if a scheduler has exactly the parameters of its trial. */
  #isTrial(/** @type {Scheduler} */ one) {
    return this.trials.some(
      ({ name, params }) => name === one.name && JSON.stringify(params) === JSON.stringify(this.of(one)),
    );
  }

  /** Return true if a parameter has one value under all schedulers that have it; else each shows its own. */
  #isOneValue(/** @type {Scheduler[]} */ chosen, /** @type {string} */ name) {
    const values = chosen.filter((one) => fieldsOf(one)[name]).map((one) => this.of(one)[name]);
    return new Set(values).size < 2;
  }

  /**
   * Return a scheduler's controls, each with the scheduler that it changes.
   * @param {Scheduler} one
   * @param {(knob: {name: string}) => boolean} wanted
   * @returns {Spec[]}
   */
  #specs(one, wanted, isShared = false) {
    return knobsFromSchema(one.params)
      .filter((knob) => knob.kind !== "text" && wanted(knob))
      .map((knob) => ({
        ...knob,
        path: `compare.${one.name}.${knob.name}`,
        marksDefault: true,
        default: this.#follows(one, knob.name) ? this.cutoff : knob.default,
        read: () => this.of(one)[knob.name],
        write: (/** @type {Experiment} */ _shown, /** @type {unknown} */ value) =>
          this.#edit(one, knob, value, isShared),
      }));
  }

  /** Return true if an unset parameter follows from the workload: the cutoff, unless a program's profile applies. */
  #follows(/** @type {Scheduler} */ one, /** @type {string} */ name) {
    if (name !== "short_cutoff_s" || this.cutoff === null) return false;
    const isOpen = fieldsOf(one)[name]?.formerly !== undefined;
    return isOpen && (this.of(one).profile ?? "paper") === "paper";
  }

  /**
   * @param {string} name
   * @param {string} title
   * @param {Spec[]} specs
   */
  #sectionView(name, title, specs) {
    const isOpen = this.#open.value.includes(name);
    const keep = (/** @type {Event} */ event) => {
      const others = this.#open.peek().filter((each) => each !== name);
      const now = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
      if (now !== this.#open.peek().includes(name)) this.#open.value = now ? [...others, name] : others;
    };
    return html`<details class="compare-section" data-params=${name} ?open=${isOpen} @toggle=${keep}>
      <summary>${title}</summary>
      ${isOpen ? this.#knobs(name, specs) : nothing}
    </details>`;
  }

  /** Return a section's controls; the elements stay while the section has the same parameters. */
  #knobs(/** @type {string} */ name, /** @type {Spec[]} */ specs) {
    const key = [name, ...specs.map(({ path }) => path)].join(" ");
    this.edited.value;
    this.alike.value;
    return untracked(() => {
      const made = this.#made.get(key) ?? sectionOf(specs, this.experiment);
      this.#made.set(key, made);
      made.section.experiment(this.experiment);
      return made.body;
    });
  }

  /** Set one of a scheduler's parameters by its name. */
  set(/** @type {Scheduler} */ one, /** @type {string} */ name, /** @type {unknown} */ value, isShared = false) {
    this.#edit(one, { name }, value, isShared);
  }

  /** Set a parameter as the studio's own control would: one that stands for a set of others sets them all. */
  #edit(
    /** @type {Scheduler} */ one,
    /** @type {{name: string, write?: Write}} */ { name, write },
    /** @type {unknown} */ value,
    isShared = false,
  ) {
    const shown = { ...this.experiment, scheduler: { name: one.name, params: this.of(one) } };
    const params = write ? write(shown, value).scheduler.params : { ...shown.scheduler.params, [name]: value };
    const [alike, others] = split(one, params);
    // A trial's own value of a shared parameter stays its scheduler's, unless the common control sets it.
    for (const each of this.#ownOf(one))
      if (Object.hasOwn(alike, each) && !(isShared && each === name)) {
        others[each] = alike[each];
        delete alike[each];
      }
    const [before] = split(one, this.of(one));
    const kept = Object.entries(this.alike.value).filter(([each]) => !Object.hasOwn(before, each));
    this.alike.value = { ...Object.fromEntries(kept), ...alike };
    this.edited.value = { ...this.edited.value, [one.name]: others };
    return this.experiment;
  }
}

/** @returns {Record<string, {alike?: unknown, formerly?: unknown}>} */
const fieldsOf = (/** @type {Scheduler | undefined} */ one) => one?.params?.properties ?? {};

/** Split a scheduler's parameters into those with the same meaning everywhere, and the others. */
function split(/** @type {Scheduler | undefined} */ one, /** @type {Params} */ params) {
  const fields = fieldsOf(one);
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const of = (/** @type {boolean} */ isAlike) =>
    Object.fromEntries(given.filter(([name]) => Boolean(fields[name]?.alike) === isAlike));
  return [of(true), of(false)];
}

/**
 * @param {Scheduler} one
 * @param {Record<string, Params>} edited
 * @param {Params} alike
 */
function joined(one, edited, alike) {
  const fields = fieldsOf(one);
  const taken = Object.entries(alike).filter(([name]) => fields[name]?.alike);
  return { ...edited[one.name], ...Object.fromEntries(taken) };
}

/** Return the parameters that at least two of the schedulers share with the same meaning. */
function sharedNames(/** @type {Scheduler[]} */ chosen) {
  const names = chosen.flatMap((one) =>
    Object.entries(fieldsOf(one)).flatMap(([name, { alike }]) => (alike ? name : [])),
  );
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}

/**
 * @param {Spec[]} specs
 * @param {Experiment} experiment
 * @returns {Section}
 */
function sectionOf(specs, experiment) {
  const body = document.createElement("div");
  body.className = "knobs";
  const edits = {
    readOnly: { value: false },
    edit: (/** @type {string} */ _path, /** @type {unknown} */ value, /** @type {KnobSpec["write"]} */ write) =>
      /** @type {Write} */ (write)(experiment, value),
  };
  return { body, section: knobSection(body, edits, specs, specs.length) };
}

/**
 * Return the schedulers that a gallery entry suggests to try, each once, with the suggested parameters.
 * @param {{next?: {change?: {scheduler?: {name: string, params?: Params}} | null}[]} | null | undefined} entry
 * @returns {Trial[]}
 */
export function trialsOf(entry) {
  const found = (entry?.next ?? []).flatMap(({ change }) => (change?.scheduler?.name ? [change.scheduler] : []));
  return found
    .filter(({ name }, at) => found.findIndex((each) => each.name === name) === at)
    .map(({ name, params = {} }) => ({ name, params }));
}
