/** Quick, reduced runs while a user drags a control. At most one request is pending; the newest value follows. */

import { decode } from "../../vendor/msgpack/decode.mjs";
import { request } from "../contract/api.js";
import { backOff } from "../contract/socket.js";

/** @import { ApiError, Experiment } from "../contract/api.js" */

// The server accepts 20 requests a second from one viewer.
const GAP_MS = 52;
const BUSY_MS = 1000;
/** Stop waiting for an answer after this time: send the newest value, and the server drops the old request. */
const PATIENCE_MS = 1500;

/**
 * @typedef {Exclude<import("../contract/contract").PreviewSocket, import("../contract/contract").SocketError>} Answer
 * @typedef {{experiment: Experiment, at: number, timer?: number}} Question  a request and the time it was sent; the
 *   page waits for the answer until the timer fires
 */

export class Previews {
  /**
   * `send` sends a request to the server; by default it requests a preview of the experiment.
   *
   * @param {{answered: (experiment: Experiment, answer: Answer) => void,
   *   refused: (experiment: Experiment, error: ApiError) => void,
   *   send?: (experiment: Experiment) => Promise<{preview: number, socket_url: string}>}} handlers
   */
  constructor({ answered, refused, send = (experiment) => request("POST", "/previews", experiment) }) {
    this.answered = answered;
    this.refused = refused;
    this.send = send;
    /** @type {Map<number, Experiment>} */
    this.asked = new Map(); // request number -> its experiment
    this.url = "";
    this.newest = 0;
    this.attempt = 0;
    /** @type {Experiment | null} */
    this.waiting = null; // the newest value that has not been sent
    /** @type {Experiment | null} */
    this.again = null; // a value that a busy server refused, until it is sent again
    /** @type {Question | null} */
    this.under = null; // the pending request
    /** @type {Set<Question>} */
    this.sending = new Set(); // requests that the server has not numbered yet
  }

  /** True if a request is unsent or pending. */
  get busy() {
    return this.under !== null || this.waiting !== null;
  }

  /** Return true if an answer about the experiment may still come, even after the page stopped waiting for it. */
  expects(/** @type {Experiment} */ experiment) {
    const sent = [...this.sending].map((question) => question.experiment);
    const pending = [this.waiting, this.again, ...sent, ...this.asked.values()];
    return pending.includes(experiment);
  }

  ask(/** @type {Experiment} */ experiment) {
    this.waiting = experiment;
    if (!this.under) this.#go();
  }

  // Let each request finish: if newer values replaced it, no request would complete while the user drags fast. A
  // preview takes less time than the eye notices. Afterwards only the newest value is sent.
  async #go() {
    const experiment = this.waiting;
    this.waiting = null;
    if (!experiment) return;
    /** @type {Question} */
    const mine = { experiment, at: performance.now() };
    this.under = mine;
    mine.timer = setTimeout(() => this.#next(mine), PATIENCE_MS);
    this.sending.add(mine);
    try {
      const { preview, socket_url: url } = await this.send(experiment).finally(() => {
        this.sending.delete(mine);
      });
      for (const number of this.asked.keys()) if (number < preview) this.asked.delete(number);
      this.asked.set(preview, experiment);
      this.#listen(url);
      if (this.early?.preview === preview) this.#take(this.early);
    } catch (caught) {
      const error = /** @type {ApiError} */ (caught);
      const again = (error.status === 429 || error.status === 503) && !this.waiting;
      if (again) {
        this.again = experiment;
        setTimeout(() => {
          this.again = null;
          if (!this.busy) this.ask(experiment);
        }, BUSY_MS);
      }
      this.#next(mine);
      if (!again) this.refused(experiment, error);
    }
  }

  /** End a request and send the newest value, at most at the server's rate. */
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
      // The server repeats the last answer to a page that reconnects.
      setTimeout(() => {
        if (this.url === url) this.#open(url);
      }, backOff(this.attempt));
      this.attempt += 1;
    });
  }

  /**
   * Take an answer. Answers arrive in the order of their numbers, but the first may arrive before the page knows its
   * number.
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

  /** Return an answer's experiment. A busy server repeats the last request itself, under a higher number. */
  #about(/** @type {number} */ number) {
    const [last, experiment] = [...this.asked].at(-1) ?? [Infinity, undefined];
    return this.asked.get(number) ?? (this.sending.size || number < last ? undefined : experiment);
  }
}
