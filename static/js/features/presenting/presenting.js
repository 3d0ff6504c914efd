/** Present to viewers with the spectator link, and follow a presenter. */

import { applyPlace, applyTime } from "../../draw/stage/apply_state.js";
import { followWords, hasNews, presentWords, TELL_MS } from "../../draw/stage/following.js";
import { getExperiment, getRun, ownToken } from "../../contract/api.js";
import { PresentationSocket } from "../../contract/presentation_socket.js";
import { targetOf } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Shown } from "../../contract/contract"
 * @import { Studio } from "../../studio/store.js"
 */

const LOOK_MS = 80;
const STILL_HERE_MS = 2000;

/** This page's presentation, or null. @type {{slug: string, end: (said?: string) => void} | null} */
let presented = null;

/** Return a strip at the top of the map: a sentence and buttons. */
function strip(/** @type {() => unknown} */ acts) {
  const words = signal("");
  const element = made(
    () => html`
      <div class="live-strip"
        ><span class="live-dot" aria-hidden="true"></span
        ><span role="status" data-strip-words>${words.value}</span>${acts()}</div
      >`,
  );
  document.body.append(element);
  return {
    element,
    say(/** @type {string} */ text) {
      words.value = text;
    },
  };
}

/** Return the current view in the socket's format. */
function shown(/** @type {Studio} */ studio) {
  const { player, map } = studio.stage;
  const place = map.place();
  return {
    experiment: studio.session.value?.experimentId ?? "",
    run: studio.session.value?.run.id ?? "",
    t_s: Math.max(0, player.t_ns / 1e9),
    playing: player.playing && !player.ended,
    rate: player.rate,
    zoom: place?.zoom ?? null,
    centre: place?.centre ?? null,
    layer: studio.stage.layer,
    owners: [...studio.stage.filter.chosen].slice(0, 64),
    pinned: map.pinned,
    pointed: map.pointed,
  };
}

export function present(/** @type {Studio} */ studio) {
  if (presented || !studio.saved.value) return presented?.slug;
  const slug = studio.saved.value.slug;
  let up = false;
  let watching = 0;
  /** @type {Shown | null} */
  let last = null;
  let lastAt = 0;
  const line = strip(
    () => html`<button class="link" type="button" data-present-stop @click=${() => end()}>${gettext("Stop")}</button>`,
  );
  const draw = () => line.say(presentWords({ watching, up }));
  const end = (said = "") => {
    clearInterval(timer);
    socket.close();
    line.element.remove();
    presented = null;
    if (said) studio.messages.notice(said, "", 8000);
  };
  const socket = new PresentationSocket(
    slug,
    {
      told: (news) => {
        watching = news.watching;
        draw();
      },
      link: (now) => {
        up = now;
        last = null;
        draw();
      },
      ended: (_code, message) => end(message || gettext("The presentation ended.")),
    },
    { present: true, token: ownToken(studio.saved.value.id) ?? "" },
  );
  const timer = setInterval(() => {
    if (!studio.session.value?.run.id) return;
    const now = performance.now();
    const state = shown(studio);
    const old = now - lastAt;
    if (hasNews(last, state, old / 1000) || (state.playing && old > TELL_MS)) {
      socket.show(state);
      last = state;
      lastAt = now;
    } else if (old > STILL_HERE_MS) {
      socket.show(null);
      lastAt = now;
      last = state;
    }
  }, LOOK_MS);
  window.addEventListener("pagehide", () => socket.close(), { once: true });
  presented = { slug, end };
  draw();
  return slug;
}

export class Following {
  constructor(/** @type {Studio} */ studio, /** @type {string} */ slug) {
    this.studio = studio;
    this.apart = false;
    this.up = false;
    this.seen = false;
    this.presenting = false;
    /** The state applied last. @type {Shown | null} */
    this.reached = null;
    this.state = null;
    this.reached = null;
    this.toldAt = 0;
    this.fetching = "";
    this.strayed = signal(false);
    this.line = strip(
      () => html`<button
        class="link"
        type="button"
        ?hidden=${!this.strayed.value}
        data-follow-again
        @click=${() => this.#return()}
        >${gettext("Follow again")}</button
      >`,
    );
    for (const kind of ["pointerdown", "wheel", "keydown"])
      document.addEventListener(kind, (event) => this.#touched(event), { passive: true, capture: true });
    this.socket = new PresentationSocket(slug, {
      told: (news) => {
        this.presenting = news.presenting;
        this.seen ||= news.presenting;
        this.#take(news.state);
        if (this.presenting) this.#apply();
        this.#draw();
      },
      link: (up) => {
        this.up = up;
        this.#draw();
      },
      ended: (_code, message) => {
        this.line.say(message || gettext("The presentation ended."));
      },
    });
    // The run may still grow until it contains the presenter's instant.
    this.timer = setInterval(() => {
      if (this.presenting) this.#apply();
    }, 500);
    this.#draw();
  }

  /** Stop following the presenter when a viewer touches the picture. */
  #touched(/** @type {Event & {key?: string}} */ event) {
    if (
      !this.presenting ||
      this.apart ||
      !targetOf(event).closest?.(".map, .time, .bar-play, .layers, .legend") ||
      event.key === "Tab"
    )
      return;
    this.apart = true;
    this.#draw();
  }

  #return() {
    this.apart = false;
    this.reached = null;
    this.#apply();
    this.#draw();
  }

  #draw() {
    document.body.dataset.following = this.presenting && !this.apart ? "yes" : "no";
    this.line.say(followWords(this));
    this.strayed.value = this.presenting && this.apart;
  }

  /** Take the current state. Messages about viewers repeat an old state, whose time has already advanced. */
  #take(/** @type {Shown | null} */ state) {
    if (!state || JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.toldAt = performance.now();
  }

  /** Go to the presenter's state. If it was already applied, only the time may have advanced. */
  #apply() {
    const { state, studio } = this;
    if (this.apart || !state) return;
    if (studio.session.value?.run.id !== state.run && studio.next.value?.run.id !== state.run) {
      this.#load(state);
      return;
    }
    if (!studio.session.value || studio.session.value.run.id !== state.run) return;
    applyTime(studio.stage, state, performance.now() - this.toldAt);
    if (this.reached === state) return;
    this.reached = state;
    applyPlace(studio.stage, state);
    if (studio.stage.map.pinned !== state.pinned) studio.pin(state.pinned ?? -1);
  }

  /** Load the run that the presenter has switched to. */
  async #load(/** @type {Shown} */ state) {
    if (this.fetching === state.run) return;
    this.fetching = state.run;
    try {
      const [stored, run] = await Promise.all([getExperiment(state.experiment), getRun(state.run)]);
      if (this.state?.run === state.run) this.studio.look(stored, run);
    } catch {
      setTimeout(() => {
        this.fetching = "";
      }, 2000);
    }
  }
}
