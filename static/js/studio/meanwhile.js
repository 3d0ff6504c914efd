/**
 * While a scheduler is compiled for the first time, its recorded example run plays over the map. The viewer's own run
 * takes its place as soon as that has a picture.
 */

import { gettext } from "../kit/words.js";
import { html, made, watch } from "../kit/view.js";

/**
 * @import { RunSession } from "../run/run_session.js"
 * @import { Scheduler, Studio } from "./store.js"
 */

/** A run of a compiled scheduler has left the queue by then, where the server has time. */
const QUEUED_MS = 150;
/** So long after a scheduler was chosen its example plays, although the server has not said how its run fares. */
const UNANSWERED_MS = 500;

/**
 * The scheduler whose example run is worth showing while `session` waits; null where a picture of it is there or none
 * is recorded.
 * @param {RunSession} session
 * @param {RunSession | null} onScreen
 * @param {Scheduler[]} schedulers
 */
export function exampleFor(session, onScreen, schedulers) {
  const name = session.experiment?.scheduler?.name;
  if (!["queued", "compiling"].includes(session.run.state) || session.store.count) return null;
  if (onScreen?.store.count && onScreen.experiment?.scheduler?.name === name) return null;
  const found = schedulers.find((each) => each.name === name);
  return found?.signature?.moves ? found : null;
}

/**
 * The scheduler that was just chosen, if the server has not said anything of its run; null where it has, or where the
 * picture is one of this scheduler.
 * @param {string | undefined} name
 * @param {RunSession | null} current
 * @param {RunSession | null} onScreen
 * @param {Scheduler[]} schedulers
 */
export function unansweredOf(name, current, onScreen, schedulers) {
  if ([current, onScreen].some((each) => each?.experiment?.scheduler?.name === name)) return null;
  const found = schedulers.find((each) => each.name === name);
  return found?.signature?.moves ? found : null;
}

/** Show the example run of a scheduler as long as the viewer's own run has no picture. */
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
  const begin = (/** @type {Scheduler} */ scheduler) => {
    if (element?.dataset.meanwhile === scheduler.name) return;
    end();
    element = exampleCard(scheduler);
    document.querySelector("[data-map]")?.append(element);
    move(element);
  };
  /** The run waits for longer than a moment. */
  const late = (/** @type {RunSession} */ session) => {
    timer = 0;
    const scheduler = exampleFor(session, studio.session, studio.schedulers);
    if (session === studio.running.current && scheduler) begin(scheduler);
  };
  /** Another scheduler was chosen: fetch what its example needs while the server is asked for its run. */
  const choose = (/** @type {string | undefined} */ name) => {
    if (name === chosen) return;
    const opens = chosen === undefined;
    chosen = name;
    clearTimeout(unanswered);
    const found = opens ? null : unansweredOf(chosen, null, studio.session, studio.schedulers);
    if (!found) return;
    import("../features/cards/moving.js").catch(() => {});
    fetch(found.signature.moves).catch(() => {});
    unanswered = window.setTimeout(() => {
      const one = unansweredOf(chosen, studio.running.current, studio.session, studio.schedulers);
      if (one && !studio.problems.length) begin(one);
    }, UNANSWERED_MS);
  };
  const heard = (/** @type {RunSession} */ session) => {
    if (session !== studio.running.current) return;
    const scheduler = exampleFor(session, studio.session, studio.schedulers);
    if (!scheduler) end();
    else if (session.run.state === "compiling") begin(scheduler);
    else timer ||= window.setTimeout(() => late(session), QUEUED_MS);
  };
  follow(studio, { choose, heard, end });
}

/**
 * Call back as the studio's state changes.
 * @param {Studio} studio
 * @param {{choose: (name: string | undefined) => void, heard: (session: RunSession) => void, end: () => void}} on
 */
function follow(studio, { choose, heard, end }) {
  watch(
    () => [studio.experiment, studio.schedulers],
    () => studio.experiment && choose(studio.experiment.scheduler?.name),
  );
  watch(
    () => studio.problems,
    (found) => found.length && end(),
  );
  watch(
    () => studio.news,
    (news) => news && heard(news.session),
  );
  watch(
    () => studio.meta,
    () => end(),
  );
}

function exampleCard(/** @type {Scheduler} */ { name, label, signature }) {
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
