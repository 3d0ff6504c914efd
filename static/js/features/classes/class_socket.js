/**
 * A class's WebSocket: it receives the state at once and after every change, and reconnects after a lost connection.
 */

import { decode } from "../../../vendor/msgpack/decode.mjs";
import { backOff } from "../../contract/socket.js";
import { language } from "../../kit/words.js";

/**
 * @typedef {import("../../contract/contract").ClassNews} ClassNews
 * @typedef {import("../../contract/contract").ClassSocket} ClassSocketMessage
 */

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
    if ("error" in message) {
      if (!["unavailable", "fault"].includes(message.error)) this.#end(message.error, message.message);
      return;
    }
    this.on.link(true);
    this.on.told(message);
  }

  /**
   * @param {string} code
   * @param {string} message
   */
  #end(code, message) {
    if (this.closed) return;
    this.closed = true;
    this.socket?.close();
    this.on.ended(code, message);
  }
}
