/** Quick, reduced runs while a user drags a control. At most one is under way; the newest value comes next. */

import { decode } from "../../vendor/msgpack/decode.mjs";
import { request } from "../contract/api.js";
import { backOff } from "../contract/socket.js";

/** @import { Experiment } from "../contract/api.js" */

// The server takes twenty a second from one viewer.
const GAP_MS = 52;
const BUSY_MS = 1000;
/**
 * An answer that takes longer is not waited for: the newest value is asked about, and the server lets the old one go.
 */
const PATIENCE_MS = 1500;

/**
 * @typedef {Exclude<import("../contract/contract").PreviewSocket, import("../contract/contract").SocketError>} Answer
 * @typedef {{experiment: Experiment, at: number, timer?: number}} Question  asked at a time; waited for until its timer
 */

export class Previews {
  /**
   * `send` asks the server; without one, it is asked for a preview of an experiment.
   *
   * @param {{answered: (experiment: Experiment, answer: Answer) => void,
   *   refused: (experiment: Experiment, error: Error) => void,
   *   send?: (experiment: Experiment) => Promise<{preview: number, socket_url: string}>}} handlers
   */
  constructor({ answered, refused, send = (experiment) => request("POST", "/previews", experiment) }) {
    this.answered = answered;
    this.refused = refused;
    this.send = send;
    /** @type {Map<number, Experiment>} */
    this.asked = new Map(); // number of a question -> the experiment that it was about
    this.url = "";
    this.newest = 0;
    this.attempt = 0;
    /** @type {Experiment | null} */
    this.waiting = null; // the newest value that nobody has asked about
    /** @type {Question | null} */
    this.under = null; // the question whose answer is to come
    this.sending = 0; // questions whose number is not known yet
  }

  /** Whether something was asked that is not answered yet. */
  get busy() {
    return this.under !== null || this.waiting !== null;
  }

  ask(/** @type {Experiment} */ experiment) {
    this.waiting = experiment;
    if (!this.under) this.#go();
  }

  // A question that is replaced as soon as a newer one comes would never be answered while a hand moves fast: each is
  // let end, since it takes less than the eye needs, and what has come meanwhile is asked about next, the newest only.
  async #go() {
    const experiment = this.waiting;
    this.waiting = null;
    if (!experiment) return;
    /** @type {Question} */
    const mine = { experiment, at: performance.now() };
    this.under = mine;
    mine.timer = setTimeout(() => this.#next(mine), PATIENCE_MS);
    this.sending += 1;
    try {
      const { preview, socket_url: url } = await this.send(experiment).finally(() => {
        this.sending -= 1;
      });
      for (const number of this.asked.keys()) if (number < preview) this.asked.delete(number);
      this.asked.set(preview, experiment);
      this.#listen(url);
      if (this.early?.preview === preview) this.#take(this.early);
    } catch (caught) {
      const error = /** @type {Error & {status?: number}} */ (caught);
      const again = (error.status === 429 || error.status === 503) && !this.waiting;
      if (again)
        setTimeout(() => {
          if (!this.busy) this.ask(experiment);
        }, BUSY_MS);
      this.#next(mine);
      if (!again) this.refused(experiment, error);
    }
  }

  /** That one is over; what has come meanwhile is asked about, not faster than the server takes. */
  #next(/** @type {Question} */ mine) {
    if (this.under !== mine) return;
    clearTimeout(mine.timer);
    const left = GAP_MS - (performance.now() - mine.at);
    const go = () => {
      if (this.under === mine) {
        this.under = null;
        this.#go();
      }
    };
    if (left > 0 && this.waiting) mine.timer = setTimeout(go, left);
    else go();
  }

  #listen(/** @type {string} */ url) {
    if (this.url === url) return;
    this.url = url;
    this.socket?.close();
    this.#open(url);
  }

  #open(/** @type {string} */ url) {
    const address = new URL(url, window.location.href);
    address.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      this.attempt = 0;
      const message = /** @type {import("../contract/contract").PreviewSocket} */ (decode(new Uint8Array(event.data)));
      if ("preview" in message) this.#take(message);
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket || this.url !== url) return;
      // The server sends the last answer again to a page that reconnects.
      setTimeout(() => {
        if (this.url === url) this.#open(url);
      }, backOff(this.attempt));
      this.attempt += 1;
    });
  }

  /**
   * Answers come in the order of their numbers, but the first may be here before its number is.
   *
   * @param {Answer} message
   */
  #take(message) {
    const number = message.preview;
    if (number < this.newest) return;
    const experiment = this.#about(number);
    if (!experiment) {
      this.early = message;
      return;
    }
    this.newest = number;
    if (message.state === "compiling") clearTimeout(this.under?.timer);
    else {
      for (const each of this.asked.keys()) if (each <= number) this.asked.delete(each);
      if (this.under?.experiment === experiment) this.#next(this.under);
    }
    this.answered(experiment, message);
  }

  /** What an answer is about. A busy server asks itself the last question again, under a later number. */
  #about(/** @type {number} */ number) {
    const [last, experiment] = [...this.asked].at(-1) ?? [Infinity, undefined];
    return this.asked.get(number) ?? (this.sending || number < last ? undefined : experiment);
  }
}
