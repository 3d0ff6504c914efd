/**
 * Streams a run's frames. It reconnects with growing delays and resumes after the last frame used, so no frame is
 * repeated or lost.
 */

import { Encoder } from "../../vendor/msgpack/Encoder.mjs";
import { decodeFrame } from "./recording.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
// An acknowledgement covers all earlier frames; the server keeps at most 64 frames or 4 MB unacknowledged.
const ACK_FRAMES = 16;
const ACK_BYTES = 1e6;
const ACK_MS = 1000;
const TRANSIENT = new Set(["unavailable", "fault"]);

const encoder = new Encoder();

/**
 * Return the delay before attempt number `attempt` (from 0). It is randomized so that viewers do not reconnect all at
 * once.
 */
export function backOff(/** @type {number} */ attempt, random = Math.random()) {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return full * (0.5 + random / 2);
}

/**
 * @typedef {import("./contract").RunRequest} RunRequest
 * @typedef {object} RunHandlers
 * @property {(frame: import("./contract").Frame) => void} frame
 * @property {(notice: import("./contract").RunProgress) => void} notice
 * @property {(up: boolean, wait_ms: number) => void} link
 * @property {(code: string, message: string) => void} ended  called when no more frames will come
 */

export class RunSocket {
  /**
   * `lastSeq()` returns the last frame used. Call close() to stop.
   *
   * @param {string} url
   * @param {() => number} lastSeq
   * @param {RunHandlers} handlers
   */
  constructor(url, lastSeq, handlers) {
    this.url = url;
    this.lastSeq = lastSeq;
    this.handlers = handlers;
    this.attempt = 0;
    this.closed = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {{frames: number, bytes: number, timer?: number}} */
    this.unsaid = { frames: 0, bytes: 0 };
    // The network is back: reconnect without waiting for the timer.
    this.onOnline = () => {
      if (this.timer) {
        clearTimeout(this.timer);
        this.#open();
      }
    };
    window.addEventListener("online", this.onOnline);
    this.#open();
  }

  #open() {
    this.timer = undefined;
    if (this.closed) return;
    const address = new URL(this.url, window.location.href);
    address.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("after", String(this.lastSeq()));
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.handlers.link(true, 0);
      this.send({ notices: true });
    });
    socket.addEventListener("message", (event) => this.#receive(new Uint8Array(event.data)));
    socket.addEventListener("close", (event) => this.#lost(socket, event));
  }

  #lost(/** @type {WebSocket} */ socket, /** @type {CloseEvent} */ event) {
    if (this.closed || this.socket !== socket) return;
    if (event.code === 1000 || (event.code >= 4400 && event.code < 4500)) {
      this.close();
      return;
    }
    const wait = backOff(this.attempt);
    this.attempt += 1;
    this.handlers.link(false, wait);
    this.timer = setTimeout(() => this.#open(), wait);
  }

  /** @param {Uint8Array} bytes */
  #receive(bytes) {
    const message = decodeFrame(bytes);
    this.attempt = 0;
    if ("error" in message) {
      if (!TRANSIENT.has(message.error)) this.handlers.ended(message.error, message.message || message.error);
    } else if ("notice" in message) {
      this.handlers.notice(message.notice);
    } else if ("seq" in message) {
      this.handlers.frame(message);
      this.#received(bytes.length);
    }
  }

  /** Acknowledge several frames at once: a message per frame would cost the server as much as the frame. */
  #received(/** @type {number} */ bytes) {
    const { unsaid } = this;
    unsaid.frames += 1;
    unsaid.bytes += bytes;
    if (unsaid.frames >= ACK_FRAMES || unsaid.bytes >= ACK_BYTES) this.#acknowledge();
    else unsaid.timer ??= setTimeout(() => this.#acknowledge(), ACK_MS);
  }

  #acknowledge() {
    clearTimeout(this.unsaid.timer);
    this.unsaid = { frames: 0, bytes: 0 };
    this.send({ ack: this.lastSeq() });
  }

  /** @param {RunRequest} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encoder.encode(message));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.unsaid.timer);
    window.removeEventListener("online", this.onOnline);
    this.socket?.close();
  }
}
