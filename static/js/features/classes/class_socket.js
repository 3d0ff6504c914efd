/**
 * A class's WebSocket: it receives the state at once and after every change, and reconnects after a lost connection. A
 * student's phone tells its forks on it.
 */

import { decode } from "../../../vendor/msgpack/decode.mjs";
import { Encoder } from "../../../vendor/msgpack/Encoder.mjs";
import { ApiError } from "../../contract/api.js";
import { backOff } from "../../contract/socket.js";
import { language } from "../../kit/words.js";

/**
 * @typedef {import("../../contract/contract").ClassNews} ClassNews
 * @typedef {import("../../contract/contract").ClassComputed} ClassComputed
 * @typedef {import("../../contract/contract").ClassSocket} ClassSocketMessage
 * @typedef {{resolve: () => void, reject: (error: ApiError) => void}} Asked  who waits for an answer
 */

const encoder = new Encoder();
/** The connection is lost: the same may succeed soon. */
const lost = () => new ApiError(0, [], "");
const GONE = 410;

export class ClassSocket {
  /**
   * @param {string} classId
   * @param {{told: (news: ClassNews) => void, link: (up: boolean) => void, ended: (code: string, message: string) =>
   *   void}} on
   */
  constructor(classId, on) {
    this.classId = classId;
    this.on = on;
    this.attempt = 0;
    this.closed = false;
    /** @type {Asked | null} */
    this.asked = null;
    // Reconnect at once after a phone wakes up or regains its network.
    const again = () => {
      if (document.visibilityState === "visible" && this.timer) this.#open();
    };
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    this.#open();
  }

  #open() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const address = new URL(`/ws/classes/${encodeURIComponent(this.classId)}`, window.location.href);
    address.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("lang", language());
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (event) => this.#receive(decode(new Uint8Array(event.data))));
    socket.addEventListener("close", (event) => {
      if (this.closed || this.socket !== socket) return;
      this.#answer(lost());
      if (event.code >= 4400 && event.code < 4500) {
        this.#end("closed", "");
        return;
      }
      this.on.link(false);
      this.timer = setTimeout(() => this.#open(), backOff(this.attempt));
      this.attempt += 1;
    });
  }

  #receive(/** @type {ClassSocketMessage} */ message) {
    this.attempt = 0;
    if ("stored" in message) {
      this.#answer(null);
      return;
    }
    if ("refused" in message) {
      const { status, problems, title } = message.refused;
      this.#answer(new ApiError(status, problems, title));
      return;
    }
    if ("error" in message) {
      if (!["unavailable", "fault"].includes(message.error)) this.#end(message.error, message.message);
      return;
    }
    this.on.link(true);
    this.on.told(message);
  }

  /**
   * Store what this student's phone computed, one fork after the other. Rejects with an ApiError: the server's refusal,
   * or status 0 if the connection is lost before the answer; telling it again is safe.
   * @param {ClassComputed} fork
   */
  tellFork(fork) {
    return new Promise((/** @type {(nothing: void) => void} */ resolve, reject) => {
      if (this.closed) {
        reject(new ApiError(GONE, [], ""));
      } else if (this.socket?.readyState === WebSocket.OPEN) {
        this.asked = { resolve, reject };
        this.socket.send(encoder.encode({ fork }));
      } else {
        reject(lost());
      }
    });
  }

  /** Answer the fork that was told, with an error or without one. */
  #answer(/** @type {ApiError | null} */ error) {
    const { asked } = this;
    this.asked = null;
    if (error) asked?.reject(error);
    else asked?.resolve();
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  #end(code, message) {
    if (this.closed) return;
    this.closed = true;
    this.#answer(new ApiError(GONE, [], ""));
    this.socket?.close();
    this.on.ended(code, message);
  }
}
