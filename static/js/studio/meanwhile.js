/**
 * While a scheduler compiles for the first time, its recorded example run plays over the map. The viewer's own run
 * replaces it once it has a picture.
 */

import { gettext } from "../kit/words.js";
import { html, made, watch } from "../kit/view.js";

/**
 * @import { ListedSignature } from "../run/figures_told.js"
 * @import { RunSession } from "../run/run_session.js"
 * @import { Scheduler, Studio } from "./store.js"
 */

/** @typedef {Scheduler & {signature: ListedSignature}} Example  a scheduler with an example run */

/** By then a run of a compiled scheduler has left the queue, if the server is not busy. */
const QUEUED_MS = 150;
/**
 * The delay after a scheduler was chosen until its example plays, even if the server has not reported the run's state.
 */
const UNANSWERED_MS = 500;
const NARROW = "(max-width: 860px)";

/**
 * Return the scheduler with an example run worth showing while `session` waits; null if its picture exists or no
 * example is recorded.
 * @param {RunSession} session
 * @param {RunSession | null} onScreen
 * @param {Scheduler[]} schedulers
 */
export function exampleFor(session, onScreen, schedulers) {
  const name = session.experiment?.scheduler?.name;
  if (!["queued", "compiling"].includes(session.run.state) || session.store.count) return null;
  if (onScreen?.store.count && onScreen.experiment?.scheduler?.name === name) return null;
  const found = schedulers.find((each) => each.name === name);
  return found?.signature?.moves ? /** @type {Example} */ (found) : null;
}

/**
 * Return the newly chosen scheduler while the server has not reported its run's state; null if it has, or if the
 * picture already shows this scheduler.
 * @param {string | undefined} name
 * @param {RunSession | null} current
 * @param {RunSession | null} onScreen
 * @param {Scheduler[]} schedulers
 */
export function unansweredOf(name, current, onScreen, schedulers) {
  if ([current, onScreen].some((each) => each?.experiment?.scheduler?.name === name)) return null;
  const found = schedulers.find((each) => each.name === name);
  return found?.signature?.moves ? /** @type {Example} */ (found) : null;
}

/** Show a scheduler's example run while the viewer's own run has no picture. */
export function wireMeanwhile(/** @type {Studio} */ studio) {
  /** @type {HTMLElement | null} */
  let element = null;
  let timer = 0;
  let unanswered = 0;
  /** @type {string | undefined} */
  let chosen;
  const end = () => {
    clearTimeout(timer);
    clearTimeout(unanswered);
    timer = 0;
    element?.remove();
    element = null;
  };
  const begin = (/** @type {Example} */ scheduler) => {
    if (element?.dataset.meanwhile === scheduler.name) return;
    end();
    element = exampleCard(scheduler);
    place(element);
    move(element);
  };
  /** Begin the example after the run has waited longer than a moment. */
  const late = (/** @type {RunSession} */ session) => {
    timer = 0;
    const scheduler = exampleFor(session, studio.session.value, studio.schedulers.value);
    if (session === studio.running.current && scheduler) begin(scheduler);
  };
  /** After another scheduler was chosen, load its example while the server starts its run. */
  const choose = (/** @type {string | undefined} */ name) => {
    if (name === chosen) return;
    const opens = chosen === undefined;
    chosen = name;
    clearTimeout(unanswered);
    const found = opens ? null : unansweredOf(chosen, null, studio.session.value, studio.schedulers.value);
    if (!found) return;
    import("../features/cards/moving.js").catch(() => {});
    fetch(found.signature.moves).catch(() => {});
    unanswered = window.setTimeout(() => {
      const one = unansweredOf(chosen, studio.running.current, studio.session.value, studio.schedulers.value);
      if (one && !studio.problems.value.length) begin(one);
    }, UNANSWERED_MS);
  };
  const heard = (/** @type {RunSession} */ session) => {
    if (session !== studio.running.current) return;
    const scheduler = exampleFor(session, studio.session.value, studio.schedulers.value);
    if (!scheduler) end();
    else if (session.run.state === "compiling") begin(scheduler);
    else timer ||= window.setTimeout(() => late(session), QUEUED_MS);
  };
  follow(studio, { choose, heard, end });
}

/**
 * Call back when the studio's state changes.
 * @param {Studio} studio
 * @param {{choose: (name: string | undefined) => void, heard: (session: RunSession) => void, end: () => void}} on
 */
function follow(studio, { choose, heard, end }) {
  watch(
    () => [studio.experiment.value, studio.schedulers.value],
    () => studio.experiment.value && choose(studio.experiment.value.scheduler?.name),
  );
  watch(
    () => studio.problems.value,
    (found) => found.length && end(),
  );
  watch(
    () => studio.news.value,
    (news) => news && heard(news.session),
  );
  watch(
    () => studio.meta.value,
    () => end(),
  );
}

/** On the map where there is room beside its machines; on a narrow screen below it, over what the former run told. */
function place(/** @type {HTMLElement} */ card) {
  const map = /** @type {HTMLElement | null} */ (document.querySelector("[data-map]"));
  const frame = /** @type {HTMLElement | null | undefined} */ (map?.closest(".tasks-frame") ?? map);
  const isNarrow = window.matchMedia(NARROW).matches;
  if (isNarrow && frame) card.style.top = `${frame.offsetTop + frame.offsetHeight}px`;
  (isNarrow ? frame?.parentElement : map)?.append(card);
}

function exampleCard(/** @type {Example} */ { name, label, signature }) {
  const says = gettext("A recorded example run of {name}, until your own run starts.", { name: label });
  /** @type {HTMLElement} */
  const card = made(
    () => html`
      <aside class="meanwhile" data-meanwhile=${name} aria-label=${gettext("Example run")}>
        <div class="scheduler-picture"
          ><img
            class="scheduler-still"
            src=${signature.still}
            data-moves=${signature.moves}
            width="240"
            height="126"
            alt=""
        /></div>
        <p class="meanwhile-says">${says}</p>
        <p data-meanwhile-acts></p>
      </aside>`,
  );
  return card;
}

async function move(/** @type {HTMLElement} */ element) {
  const { wireMoving } = await import("../features/cards/moving.js");
  if (element.isConnected) wireMoving(element, element.querySelector("[data-meanwhile-acts]"));
}
