/** The protocol as a board: a lane for every participant, arrows for messages, step by step. */

import { problemText } from "../../experiment/problems.js";
import {
  firstWidth,
  planOf,
  shownOf,
  stepFrom,
  stepsOf,
  stylesOf,
  tellInstant,
  tellQuiet,
  told,
  windowAt,
} from "./message_plan.js";
import { whole } from "../../kit/format.js";
import { fetchMessages } from "../../run/why/whys.js";
import { howFar } from "../../run/why/networks.js";
import { floatingTip } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";
import { drawBoard, laneColour, sample } from "./message_board.js";
import { gettext } from "../../kit/words.js";
import { boardTools, listenToBoard } from "./messages_tools.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Meta } from "../../contract/contract"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Desk } from "../graphs/desk.js"
 * @import { MessageLog, Style } from "./message_plan.js"
 */

const SETTLE_MS = 350;
const OVER = {
  messages: "",
  events: gettext(" The search stopped after many events without another message."),
  end: "",
};
const PAUSED = gettext("Pause or step to see the messages of an instant.");

/** The board receives the keys; draw() fills it. */
const PLACE = html`<div
  class="picture-place message-place"
  tabindex="0"
  role="img"
  aria-label=${gettext(
    "Messages between lanes over time. Left and right arrows go from one sending or arrival to the next, " +
      "plus and minus stretch time.",
  )}
></div>`;

export default {
  id: "messages",
  title: gettext("Messages"),
  question: gettext("Which messages are sent, and when do they arrive?"),
  own: true,
  needs: (/** @type {Meta} */ meta) => Boolean(meta.messages || meta.no_messages),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const picture = new Messages(body, desk);
    return {
      run: (/** @type {RunSession | null} */ session) => picture.run(session),
      moved: () => picture.moved(),
      shown: () => picture.draw(),
      only: (/** @type {number} */ task) => {
        picture.asked.value = String(task);
        picture.only();
      },
    };
  },
};

/** The board of messages. */
export class Messages {
  #log = signal(/** @type {MessageLog | null} */ (null));
  /** Hidden kinds of messages. */
  #hidden = signal(/** @type {Set<string>} */ (new Set()));
  /** The board's position in the run. */
  #where = signal("");
  /** Why the board is empty. */
  #said = signal("");
  #about = signal("");
  /** The typed task. */
  asked = signal("");
  /** @type {Record<string, Style>} */
  styles = {};
  /** @type {number | null} */
  width_s = null;
  /** @type {number | null} */
  task = null;
  /** The run whose messages are shown. @type {string | null} */
  of = null;

  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    this.place = made(() => PLACE);
    this.tip = floatingTip();
    const foot = () => html`
      <div class="flow-foot message-foot"><p class="desk-about" aria-live="polite">${this.#about.value}</p></div>`;
    const empty = () => html`<p class="desk-empty" role="status" ?hidden=${!this.#said.value}>${this.#said.value}</p>`;
    body.append(boardTools(this), this.place, made(empty), made(foot));
    listenToBoard(this);
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  get log() {
    return this.#log.peek();
  }

  get player() {
    return this.desk.studio.stage.player;
  }
  get t_s() {
    return this.player.t_ns / 1e9;
  }

  /** @param {RunSession | null} session */
  run(session) {
    const state = session?.run.state;
    const silent = this.desk.meta?.no_messages;
    this.place.parentElement?.classList.toggle("is-silent", Boolean(silent));
    if (silent) {
      this.#forget();
      this.#say(silent);
      return;
    }
    if (!session || state !== "done") {
      this.#say(gettext("Single messages are available when the run is computed."));
      return;
    }
    if (this.of !== session.run.id) {
      this.#forget();
      this.of = session.run.id;
    }
    this.moved();
  }

  #forget() {
    this.of = this.#log.value = this.width_s = null;
    this.abort?.abort();
    this.draw();
  }

  /** Draw after the clock moved; once it rests outside the loaded part, request more. */
  moved() {
    this.draw();
    clearTimeout(this.timer);
    if (!this.of) return; // run() has explained why there are none
    if (this.player.playing) {
      if (!this.log) this.#say(PAUSED);
      return;
    }
    if (!this.#knows(this.t_s)) this.timer = setTimeout(() => this.#load(this.t_s), SETTLE_MS);
  }

  /** @param {number} t_s */
  #knows(t_s) {
    return this.log && t_s >= this.log.from_s - 1e-9 && (t_s <= this.log.until_s || this.log.over === "end");
  }

  /** @param {number} t_s */
  async #load(t_s) {
    const { of: run, task } = this;
    if (!run) return;
    this.abort?.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    const delay = this.log?.delay_s ?? this.desk.meta?.experiment?.network?.message_delay_s ?? 0.001;
    const from_s = task === null ? Math.max(0, Math.round((t_s - 4 * delay) * 1e9) / 1e9) : null;
    if (!this.log) this.#say(gettext("Looking for the messages…"));
    this.#where.value = gettext("Looking…");
    try {
      /** @type {MessageLog} */
      const log = await fetchMessages(
        run,
        { from_s, task, count: 400 },
        {
          signal,
          told: (state, progress) => {
            if (!this.log) this.#say(howFar(state, progress, gettext("Replaying to this moment…")));
          },
        },
      );
      if (this.of !== run || this.task !== task) return;
      this.styles = stylesOf(log.kinds);
      if (!this.seen) {
        this.seen = true;
        this.#hidden.value = new Set(log.kinds.filter((kind) => kind.quiet).map((kind) => kind.kind));
      }
      this.#log.value = log;
      this.width_s ??= firstWidth({ ...log, messages: shownOf(log, this.#hidden.value).all });
      this.#say(
        log.messages.length
          ? ""
          : task === null
            ? gettext("No message is sent from here on.")
            : gettext("No message is about this task."),
      );
      if (task !== null && log.messages.length && !this.#inside(log)) this.#seek(log.messages[0].sent_s);
      this.draw();
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (signal.aborted) return;
      this.#say(error.problems?.length ? problemText(error.problems[0]) : error.message);
    }
  }

  /** @param {MessageLog} log */
  #inside(log) {
    return this.t_s >= log.messages[0].sent_s && this.t_s <= log.messages[log.messages.length - 1].arrives_s;
  }

  /** Show only messages about the task in the field; without a task, all messages from the clock on. */
  only() {
    const number = Number.parseInt(this.asked.value.replace(/\D/g, ""), 10);
    this.task = Number.isFinite(number) ? number : null;
    this.#log.value = null;
    this.width_s = null;
    this.player.pause();
    this.draw();
    this.#load(this.t_s);
  }

  /** @param {number} direction */
  step(direction) {
    if (!this.log) return;
    const next = stepFrom(stepsOf(shownOf(this.log, this.#hidden.value).all), this.t_s, direction);
    if (next !== null) this.#seek(next);
    else if (this.task === null)
      this.#load(direction > 0 ? this.log.until_s : Math.max(0, this.log.from_s - 40 * this.log.delay_s));
  }

  /** @param {number} factor */
  zoom(factor) {
    if (!this.width_s) return;
    this.width_s = Math.min(Math.max(this.width_s / factor, 1e-6), Math.max(1, this.player.store.endNs / 1e9));
    this.draw();
  }

  /** @param {number} t_s */
  #seek(t_s) {
    this.player.pause();
    this.desk.studio.stage.seek(Math.round(t_s * 1e9));
    this.draw();
  }

  whereView() {
    return html`<output class="flow-where">${this.#where.value}</output>`;
  }

  /** Return the kinds of messages with switches to show or hide them. */
  kindsView() {
    const log = this.#log.value;
    const hidden = this.#hidden.value;
    const toggle = (/** @type {string} */ kind) => {
      const next = new Set(hidden);
      if (!next.delete(kind)) next.add(kind);
      this.#hidden.value = next;
      this.draw();
    };
    return html`
      <div class="message-kinds" role="group" aria-label=${gettext("Kinds of messages")}
        >${(log?.kinds ?? [])
          .filter(({ kind }) => log?.messages.some((one) => one.kind === kind))
          .map(
            ({ kind, label, help }) => html`
              <button
                type="button"
                class="layer"
                aria-pressed=${String(!hidden.has(kind))}
                data-tip=${help}
                data-kind=${kind}
                @click=${() => toggle(kind)}
                >${sample(this.styles[kind])}${label}</button
              >`,
          )}</div
      >`;
  }

  draw() {
    const { log } = this;
    this.#where.value = log ? told(this.t_s) : "";
    if (!log || !this.width_s || !this.place.clientWidth) {
      this.place.replaceChildren();
      this.#about.value = "";
      return;
    }
    const span = windowAt(log, this.t_s, this.width_s);
    const shown = shownOf(log, this.#hidden.value, span);
    const { clientWidth: width, clientHeight: height } = this.place;
    const plan = planOf(shown, span, this.t_s, width, height);
    const { meta, studio } = this.desk;
    this.place.replaceChildren(
      drawBoard({
        log,
        plan,
        styles: this.styles,
        head: plan.x(this.t_s),
        width,
        height: height - 2,
        colour: (lane) => laneColour(meta, studio.stage.picture ?? null, lane),
      }),
    );
    if (log.messages.length) this.#say(plan.lanes.length ? "" : tellQuiet(shown, this.t_s, told));
    const flown = shown.left ? gettext(" {count} more lanes are left out.", { count: whole(shown.left) }) : "";
    const about =
      this.task === null
        ? ""
        : gettext(" {messages} messages about task {task}.", {
            messages: whole(log.messages.length),
            task: whole(this.task),
          });
    this.#about.value = tellInstant(log, shown, this.t_s, told) + about + flown + OVER[log.over];
  }

  /** @param {string} words  why the board is empty */
  #say(words) {
    this.#said.value = words;
  }
}
