/**
 * The tools beside the timeline: jump to the next or previous event of a kind, change one thing from this instant on,
 * and find the first decision in which this run and the previous run differ.
 */

import { act, canAct } from "../run/acting.js";
import { problemText } from "../experiment/problems.js";
import { clock } from "../kit/format.js";
import { jumpsOf, marksOf, nearest, tellWhole } from "../run/jumps.js";
import { keepBefore, runBefore } from "../run/run_before.js";
import { fetchDecisions, fetchSlowest } from "../run/why/whys.js";
import { icon, ICONS, part, targetOf } from "../kit/dom.js";
import { partDialog } from "../features/compare/part_dialog.js";
import { whatIf } from "../features/interventions/what_if.js";
import { gettext } from "../kit/words.js";
import { batch, effect, element, html, live, repeat, signal, watch } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { ShownMeta, Studio } from "./store.js"
 */

/** @typedef {ReturnType<typeof jumpsOf>[number]} Jump */

const WHAT_IF = gettext(
  "Change one thing from this instant on: a parameter, a share or a fault. All earlier decisions stay the same. (F)",
);
const [FORWARD, BACK] = [icon(ICONS.forward), icon(ICONS.back)];

export class Jumps {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** @type {{t_ns: number, task: number, machine: number}[] | null} */
    this.slowest = null;
    /** The run of these tasks. @type {string | null} */
    this.of = null;
    this.state = {
      /** The kinds of events in the run on screen. */
      jumps: signal(/** @type {Jump[] | null} */ (null)),
      /** The chosen kind. */
      kind: signal("event"),
      /** The run to compare this one with. */
      before: signal(/** @type {string | null} */ (null)),
    };
    this.element = element("div", "time-tools", () => this.#view());
    part("[data-timeline]").append(this.element);
    this.element.hidden = true;
    watch(
      () => studio.meta.value,
      (meta) => meta && this.#describe(meta),
    );
    effect(() => this.pair());
    studio.stage.on.stepped = (mark) => this.tell(mark);
  }

  #view() {
    const { jumps, kind, before } = this.state;
    const option = (/** @type {Jump} */ { id, label }) =>
      html`<option value=${id} ?selected=${id === kind.value}>${label}</option>`;
    const choose = (/** @type {Event} */ event) => {
      kind.value = targetOf(event).value;
    };
    return html`<select
        class="picture-select"
        aria-label=${gettext("Kind of event to jump to")}
        data-jump-to
        .value=${live(kind.value)}
        @change=${choose}
      >
        ${repeat(jumps.value ?? [], ({ id }) => id, option)}
      </select>
      ${this.#stepView(-1, "previous", gettext("Jump to the previous event"), gettext("Previous event"))}
      ${this.#stepView(1, "next", gettext("Jump to the next event"), gettext("Next event"))}
      <button type="button" class="link" data-what-if data-tip=${WHAT_IF} @click=${() => this.whatIf()}>
        ${gettext("What if…")}
      </button>
      <button
        type="button"
        class="link"
        data-part
        ?hidden=${!before.value}
        data-tip=${gettext("Go to the first decision that differs between this run and the previous run.")}
        @click=${() => this.whereTheyPart()}
      >
        ${gettext("Where do the runs diverge?")}
      </button>`;
  }

  /**
   * Return a jump button.
   * @param {number} direction
   * @param {string} name
   * @param {string} label
   * @param {string} title
   */
  #stepView(direction, name, label, title) {
    return html`<button
      type="button"
      class="icon-button"
      data-jump=${name}
      aria-label=${label}
      title=${`${title} (${direction > 0 ? "]" : "["})`}
      @click=${() => this.jump(direction)}
    >
      ${direction > 0 ? FORWARD : BACK}
    </button>`;
  }

  /** Offer the event kinds of a new run, and keep the chosen kind if the run has it. */
  #describe(/** @type {Meta} */ meta) {
    const { jumps, kind } = this.state;
    const found = jumpsOf(meta);
    batch(() => {
      jumps.value = found;
      if (!found.some((each) => each.id === kind.value)) kind.value = "event";
    });
    this.element.hidden = false;
    this.slowest = null;
  }

  /**
   * Find the run to compare with: both runs must be complete and have the same number of tasks. After the page reopens,
   * the previous run is not on screen, but its id is stored.
   */
  pair() {
    const session = this.studio.session.value;
    const ghost = this.studio.ghost.value;
    this.studio.news.value;
    const other = ghost?.session;
    const totals = [session, other].map((each) => each?.store.summary?.tasks?.total);
    const done = session?.run.state === "done";
    const both = Boolean(done && other?.run?.state === "done" && totals[0] && totals[0] === totals[1]);
    if (both && session && other) keepBefore(session.run.id, other.run.id);
    this.state.before.value = both ? (other?.run.id ?? null) : done && !ghost ? runBefore(session.run.id) : null;
  }

  get runId() {
    return this.studio.session.value?.run.state === "done" ? this.studio.session.value.run.id : null;
  }

  cycle() {
    const jumps = this.state.jumps.value ?? [];
    if (!jumps.length) return;
    const next = jumps[(jumps.findIndex(({ id }) => id === this.state.kind.value) + 1) % jumps.length];
    this.state.kind.value = next.id;
    this.studio.messages.notice(gettext("Jump to: {event}.", { event: next.label }), "", 1500);
  }

  async jump(/** @type {number} */ direction) {
    const { stage } = this.studio;
    const chosen = this.state.jumps.value?.find((each) => each.id === this.state.kind.value);
    if (!chosen) return;
    stage.player.pause();
    /** @type {{t_ns: number, machine: number, task: number, kind?: string} | null | undefined} */
    const found =
      chosen.source === "marks"
        ? nearest(
            marksOf(stage.player.store.marks, chosen.kind ?? null, stage.player.store.quiet),
            stage.player.t_ns,
            direction,
          )
        : await this.#asked(chosen, direction);
    if (found === undefined) return;
    if (!found) {
      this.studio.messages.notice(
        direction > 0
          ? gettext("No later event: {label}.", { label: chosen.label })
          : gettext("No earlier event: {label}.", { label: chosen.label }),
        "",
        2500,
      );
      return;
    }
    stage.seek(found.t_ns, true);
    if (found.machine >= 0)
      stage.map.flash([{ ...found, kind: found.kind ?? this.studio.meta.value?.marks[0]?.kind ?? "" }]);
    if (found.task >= 0) this.studio.follow({ kind: "task", task: found.task });
    this.tell(found);
  }

  /** Describe an event of the whole datacenter, which the map cannot flash on a machine. */
  tell(/** @type {{t_ns: number, kind?: string}} */ mark) {
    const said = tellWhole(this.studio.meta.value, mark);
    if (said)
      this.studio.messages.notice(
        gettext("At {time}: {said}", { time: clock(mark.t_ns, this.studio.stage.player.store.endNs), said }),
        "",
        8000,
      );
  }

  /**
   * Find an event that the page does not know: the server searches the run's files.
   * @param {Jump} chosen
   * @param {number} direction
   */
  async #asked(chosen, direction) {
    const run = this.runId;
    const { messages, stage } = this.studio;
    if (!run) {
      messages.notice(gettext("This needs the whole run. Wait until it is computed."), "", 4000);
      return undefined;
    }
    const t_s = stage.player.t_ns / 1e9;
    try {
      if (chosen.source === "slowest") {
        if (this.of !== run) {
          this.slowest = (await fetchSlowest(run)).tasks.map((/** @type {{start_s: number, task: number}} */ each) => ({
            t_ns: Math.round(each.start_s * 1e9),
            task: each.task,
            machine: -1,
          }));
          this.of = run;
        }
        return nearest(this.slowest ?? [], stage.player.t_ns, direction);
      }
      // Search slightly beyond the instant; rounding to nanoseconds could otherwise find the same decision again.
      const from_s = direction > 0 ? t_s + 5e-10 : t_s - 1e-9;
      if (from_s < 0) return null;
      const [row] = (await fetchDecisions(run, from_s, direction > 0, 1)).rows;
      return row ? { t_ns: Math.round(row.t_s * 1e9), task: row.task, machine: row.machine } : null;
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      this.studio.refused(error);
      return undefined;
    }
  }

  whatIf() {
    const { studio } = this;
    if (!canAct(studio)) {
      studio.messages.notice(gettext("Available when the run on screen matches the current settings."), "", 6000);
      return;
    }
    studio.stage.player.pause();
    whatIf(studio, (events, words, refused) => act(studio, events, words, refused));
  }

  whereTheyPart() {
    const { studio } = this;
    const session = studio.session.value;
    const ghost = studio.ghost.value;
    const before = this.state.before.value;
    if (!session || !before) return;
    const runs = [session.run.id, before];
    partDialog({
      runs,
      names: [gettext("This run"), ghost ? gettext("Previous run (dashed)") : gettext("Previous run")],
      end_ns: session.store.endNs,
      link: html`<a class="link" href=${`/compare?runs=${runs.join(",")}`}>${gettext("Side by side")}</a>`,
      words: (error) => (error.problems?.length ? problemText(error.problems[0]) : error.message),
      go: (/** @type {number} */ t_ns, /** @type {number} */ task) => {
        studio.stage.player.pause();
        studio.stage.seek(t_ns, true);
        studio.follow({ kind: "task", task });
      },
    });
  }
}
