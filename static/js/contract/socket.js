/**
 * Frames of a run as they come. Reconnects with growing pauses, always from the last frame that was used,
 * so that nothing is shown twice and nothing is left out.
 */

import { Encoder } from "../../vendor/msgpack/Encoder.mjs";
import { decodeFrame } from "./recording.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
// An acknowledgement stands for everything before it; the server has 64 frames or 4 MB on their way at most.
const ACK_FRAMES = 16;
const ACK_BYTES = 1e6;
const ACK_MS = 1000;
const TRANSIENT = new Set(["unavailable", "fault"]);

const encoder = new Encoder();

/** Pause before attempt number `attempt` (from 0), spread so that many viewers do not come back at once. */
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
 * @property {(code: string, message: string) => void} ended  no more will come
 */

export class RunSocket {
  /**
   * `lastSeq()` gives the last frame used. Call close() to end.
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
    // The machine has its network back: no need to wait for the next try.
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

  /** Acknowledge what came: some frames at once, for a message each would cost the server as much as the frame. */
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
