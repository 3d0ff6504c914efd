/** The protocol as on a board: a lane for everyone who takes part, arrows for messages, step by step. */

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
import { h } from "../../kit/dom.js";
import { drawBoard, laneColour, sample } from "./message_board.js";
import { gettext } from "../../kit/words.js";
import { boardTools, listenToBoard } from "./messages_tools.js";

/**
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
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  constructor(body, desk) {
    this.desk = desk;
    /** @type {MessageLog | null} */
    this.log = null;
    /** @type {Record<string, Style>} */
    this.styles = {};
    /** Kinds of messages that are not shown. @type {Set<string>} */
    this.hidden = new Set();
    /** @type {number | null} */
    this.width_s = null;
    /** @type {number | null} */
    this.task = null;
    /** The run whose messages are shown. @type {string | null} */
    this.of = null;
    this.where = h("output", { class: "flow-where" });
    this.asked = h("input", {
      class: "finder-input",
      type: "text",
      inputmode: "numeric",
      "aria-label": gettext("Only messages about a task"),
      placeholder: gettext("Task…"),
      autocomplete: "off",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          this.only();
        }
        event.stopPropagation();
      },
    });
    this.kinds = h("div", { class: "message-kinds", role: "group", "aria-label": gettext("Kinds of messages") });
    this.place = h("div", {
      class: "picture-place message-place",
      tabindex: "0",
      role: "img",
      "aria-label": gettext(
        "Messages between lanes over time. Left and right arrows go from one sending or arrival to the next, " +
          "plus and minus stretch time.",
      ),
    });
    this.empty = h("p", { class: "desk-empty", role: "status", hidden: true });
    this.about = h("p", { class: "desk-about", "aria-live": "polite" });
    this.tip = h("div", { class: "tip", hidden: true, role: "tooltip" });
    document.body.append(this.tip);
    body.append(boardTools(this), this.place, this.empty, h("div", { class: "flow-foot message-foot" }, this.about));
    listenToBoard(this);
    new ResizeObserver(() => this.draw()).observe(this.place);
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
    this.of = this.log = this.width_s = null;
    this.abort?.abort();
    this.draw();
  }

  /** The clock moved: draw, and once it stands still outside of what is known, ask for more. */
  moved() {
    this.draw();
    clearTimeout(this.timer);
    if (!this.of) return; // run() has said why there are none
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
    this.where.textContent = gettext("Looking…");
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
      this.log = log;
      this.styles = stylesOf(log.kinds);
      if (!this.seen) {
        this.seen = true;
        this.hidden = new Set(log.kinds.filter((kind) => kind.quiet).map((kind) => kind.kind));
      }
      this.width_s ??= firstWidth({ ...log, messages: shownOf(log, this.hidden).all });
      this.#say(
        log.messages.length
          ? ""
          : task === null
            ? gettext("No message is sent from here on.")
            : gettext("No message is about this task."),
      );
      if (task !== null && log.messages.length && !this.#inside(log)) this.#seek(log.messages[0].sent_s);
      this.#drawKinds();
      this.draw();
    } catch (/** @type {any} */ error) {
      if (signal.aborted) return;
      this.#say(error.problems?.length ? problemText(error.problems[0]) : error.message);
    }
  }

  /** @param {MessageLog} log */
  #inside(log) {
    return this.t_s >= log.messages[0].sent_s && this.t_s <= log.messages[log.messages.length - 1].arrives_s;
  }

  /** Only what is about the task in the field; nothing typed: everything from the clock on. */
  only() {
    const number = Number.parseInt(this.asked.value.replace(/\D/g, ""), 10);
    this.task = Number.isFinite(number) ? number : null;
    this.log = null;
    this.width_s = null;
    this.player.pause();
    this.draw();
    this.#load(this.t_s);
  }

  /** @param {number} direction */
  step(direction) {
    if (!this.log) return;
    const next = stepFrom(stepsOf(shownOf(this.log, this.hidden).all), this.t_s, direction);
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

  #drawKinds() {
    const { log } = this;
    this.kinds.replaceChildren(
      ...(log?.kinds ?? [])
        .filter((kind) => log?.messages.some((one) => one.kind === kind.kind))
        .map((kind) =>
          h(
            "button",
            {
              type: "button",
              class: "layer",
              "aria-pressed": String(!this.hidden.has(kind.kind)),
              "data-tip": kind.help,
              "data-kind": kind.kind,
              onclick: () => {
                if (this.hidden.has(kind.kind)) this.hidden.delete(kind.kind);
                else this.hidden.add(kind.kind);
                this.#drawKinds();
                this.draw();
              },
            },
            sample(this.styles[kind.kind]),
            kind.label,
          ),
        ),
    );
  }

  draw() {
    const { log } = this;
    this.where.textContent = log ? told(this.t_s) : "";
    if (!log || !this.width_s || !this.place.clientWidth) {
      this.place.replaceChildren();
      this.about.textContent = "";
      return;
    }
    const span = windowAt(log, this.t_s, this.width_s);
    const shown = shownOf(log, this.hidden, span);
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
    const words = tellInstant(log, shown, this.t_s, told) + about + flown + OVER[log.over];
    if (this.about.textContent !== words) this.about.textContent = words;
  }

  // -- hovering, clicking, keys ------------------------------------------------------------------------------------

  /** @param {string} words */
  #say(words) {
    this.empty.textContent = words;
    this.empty.hidden = !words;
  }
}
