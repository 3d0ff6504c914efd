/** The run on the screen again, simulated by this page, and changed by touch. */

import { engineModule, runStart } from "../../contract/api.js";
import { canSimulate } from "../../engine/here.js";
import { readHeader } from "../../engine/start_file.js";
import { Check, checkView } from "../../features/here/check.js";
import { showBeside } from "../../features/here/beside.js";
import { touchOffers } from "../../features/here/offers.js";
import { takePolicy } from "../../features/here/policies.js";
import { Touch, touchesOf } from "../../features/here/touch.js";
import { Turning } from "../../features/here/turning.js";
import { reachedFrom, touchView } from "../../features/here/touch_view.js";
import { getAt } from "../../experiment/experiment.js";
import { honoured } from "../../run/possible_events.js";
import { act } from "../../run/acting.js";
import { gettext } from "../../kit/words.js";
import { html, nothing, show, signal, watch } from "../../kit/view.js";

/** @import { Studio } from "../store.js" */
/** @import { Asked } from "../../features/here/starts.js" */
/** @import { Touchable } from "../../features/here/touch.js" */

/** The changed run that the viewer opened as an experiment: what this page got, and the experiment's id. */
/** @typedef {{digest: string, experimentId: string}} Opened */

/** Fetch the start of a run and the module that it names. */
async function partsOf(/** @type {string} */ runId) {
  const start = await runStart(runId);
  const { module } = await readHeader(start);
  return { start, module: await engineModule(module) };
}

/** Fetch the start of a run that can be touched; its module follows. */
async function touchableParts(/** @type {string} */ runId, /** @type {Asked} */ asked) {
  return { start: await runStart(runId, { touchable: true, ...asked }), module: engineModule };
}

const script = () => document.body.dataset.engineWorker ?? "";

/**
 * Return the run on the screen as something to touch; null before it is done, or if its scheduler simulates no faults.
 * @returns {Touchable | null}
 */
function touchableOf(/** @type {Studio} */ studio) {
  const session = studio.session.value;
  const experiment = session?.experiment;
  if (!session?.meta || !session.store.complete || session.run.state !== "done" || !experiment) return null;
  const chosen = studio.schedulers.value.find((each) => each.name === experiment.scheduler?.name);
  if (!canSimulate() || !honoured(chosen, experiment).has("machine_faults")) return null;
  const { meta, store } = session;
  const now = () => ({
    experiment,
    scheduler: chosen,
    meta,
    picture: studio.stage.picture,
    end_s: store.endNs / 1e9,
  });
  return {
    store,
    meta,
    t_ns: () => studio.stage.player.shownNs,
    picture: () => studio.stage.picture,
    parts: (asked) => touchableParts(session.run.id, asked),
    experiment,
    own: (path) => getAt(experiment, path),
    takePolicy,
    script: script(),
    show: (touched) => studio.touch(touched),
    pause: () => studio.stage.player.pause(),
    offers: (t_s) => touchOffers({ ...now(), t_s }),
  };
}

/** Fork the experiment with the touches; the server simulates it, and the page compares both results. */
async function open(
  /** @type {Studio} */ studio,
  /** @type {Touch} */ touch,
  /** @type {{value: Opened | null}} */ opened,
) {
  const digest = touch.end.value?.digest ?? "";
  const changes = { failures: touch.failures.value, extras: touch.extras.value };
  if (await act(studio, touchesOf(changes), gettext("Your touches are events of this experiment.")))
    opened.value = { digest, experimentId: studio.saved.value?.id ?? "" };
}

/** Run the changed experiment on the server, with the touches as its events; the page compares both results. */
async function runThere(
  /** @type {Studio} */ studio,
  /** @type {Touch} */ touch,
  /** @type {{value: Opened | null}} */ opened,
) {
  const digest = touch.end.value?.digest ?? "";
  const touches = touchesOf({ failures: touch.failures.value, extras: touch.extras.value });
  const experiment = studio.opened.value;
  if (touches.length) {
    studio.history.record(experiment, "");
    studio.show({ ...experiment, events: [...(experiment.events ?? []), ...touches] });
  }
  await studio.submit();
  opened.value = { digest, experimentId: studio.saved.value?.id ?? "" };
}

/** Show the way on: the changed run as an experiment of the server. */
function openView(
  /** @type {Studio} */ studio,
  /** @type {Touch} */ touch,
  /** @type {{value: Opened | null}} */ opened,
) {
  if (touch.turned.value)
    return html`<button
      class="button"
      type="button"
      data-turn-run
      ?disabled=${touch.end.value === null}
      @click=${() => runThere(studio, touch, opened)}
      >${gettext("Run on the server")}</button
    >`;
  const can = touch.end.value !== null && studio.savedFrom.value === studio.experiment.value;
  return html`<button
    class="button"
    type="button"
    data-touch-open
    ?disabled=${!can}
    @click=${() => open(studio, touch, opened)}
    >${gettext("Open as an experiment")}</button
  >`;
}

const NOTE = gettext(
  "All other sections show the run before the change. " +
    "Open it as an experiment for the layers, counters and tasks that only the server draws.",
);

/** Show the switch that lets settings act in the page. */
function turnView(/** @type {Turning} */ turning, /** @type {Touchable | null} */ run) {
  const on = turning.on.value;
  return html`
    <p
      ><button
        class="button"
        type="button"
        data-turn-on
        aria-pressed=${String(on)}
        ?disabled=${!run && !on}
        @click=${() => turning.toggle()}
        >${on ? gettext("Settings: simulate on the server") : gettext("Settings: simulate in this page")}</button
      ></p>
    ${
      on
        ? html`<p class="here-wait"
            >${gettext(
              "Settings are simulated in this page at once. The server runs nothing until you press Run on the server.",
            )}</p
          >`
        : nothing
    }`;
}

/** Let settings act in the page while this is on; what it cannot simulate goes to the server, as without it. */
function wireTurning(/** @type {Studio} */ studio, /** @type {Touch} */ touch) {
  const turning = new Turning(touch, (experiment) => {
    if (studio.experiment.value === experiment) studio.submit();
  });
  studio.connect({ turning });
  const ready = () => {
    studio.news.value;
    return turning.on.value && touchableOf(studio) ? (studio.session.value?.run.id ?? "") : "";
  };
  watch(ready, (runId) => {
    if (runId) turning.prepare();
  });
  return turning;
}

/** Let taps on the map touch while touching is on. */
function wireTaps(/** @type {Studio} */ studio, /** @type {Touch} */ touch) {
  studio.connect({ touching: touch });
  showBeside(studio.stage, touch.branches);
  studio.stage.map.on.touch = (machine) => {
    const run = touch.on.value ? touchableOf(studio) : null;
    if (run) touch.press(reachedFrom(run.meta, touch.reach.value, machine));
    return run !== null;
  };
}

export default {
  id: "here",
  place: "right",
  title: gettext("In this page"),
  question: gettext("Does this browser get the same result?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const check = new Check();
    const touch = new Touch(() => touchableOf(studio));
    const opened = signal(/** @type {Opened | null} */ (null));
    wireTaps(studio, touch);
    const turning = wireTurning(studio, touch);
    watch(
      () => studio.session.value?.run.id ?? "",
      () => {
        check.reset();
        touch.forget();
      },
    );
    show(body, () => {
      studio.news.value;
      studio.figures.value; // the button says what it does at the instant on the screen
      const session = studio.session.value;
      const runId = session?.run.id ?? "";
      const cited = session?.store.summary?.outcome_digest ?? "";
      const isOpened = opened.value && opened.value.experimentId === session?.experimentId;
      const around = {
        run: touchableOf(studio),
        settings: [],
        note: NOTE,
        ways: openView(studio, touch, opened),
        opened: opened.value && isOpened ? { digest: opened.value.digest, server: cited } : null,
      };
      return html`
        ${checkView(check, { cited, source: { script: script(), parts: () => partsOf(runId) } })}
        ${canSimulate() ? turnView(turning, around.run) : nothing}
        ${canSimulate() ? touchView(touch, around) : nothing}
      `;
    });
  },
};
