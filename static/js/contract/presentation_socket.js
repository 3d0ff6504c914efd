/**
 * A presentation's WebSocket: the presenter sends the view, viewers receive it. It reconnects after a lost connection.
 */

import { Encoder } from "../../vendor/msgpack/Encoder.mjs";
import { decode } from "../../vendor/msgpack/decode.mjs";
import { backOff } from "./socket.js";

const ACK_EVERY = 16;
const encoder = new Encoder();

export class PresentationSocket {
  /**
   * With `present` this window presents; `token` proves ownership if the browser's session does not.
   *
   * @param {string} slug
   * @param {{told: (news: import("./contract").PresentationNews) => void, link?: (up: boolean) => void,
   *   ended?: (code: string, message: string) => void}} on
   * @param {{present?: boolean, token?: string}} options
   */
  constructor(slug, on, { present = false, token = "" } = {}) {
    this.slug = slug;
    this.on = on;
    this.present = present;
    this.token = token;
    this.attempt = 0;
    this.closed = false;
    this.unsaid = 0;
    this.#open();
  }

  #open() {
    const address = new URL(`/ws/presentations/${encodeURIComponent(this.slug)}`, window.location.href);
    address.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      if (this.present) this.#send({ present: true, token: this.token || "" });
      this.on.link?.(true);
    });
    socket.addEventListener("message", (event) => {
      const message = /** @type {import("./contract").PresentationSocket} */ (decode(new Uint8Array(event.data)));
      this.attempt = 0;
      if ("error" in message) {
        if (message.error !== "unavailable") this.#end(message.error, message.message);
        return;
      }
      this.unsaid += 1;
      if (this.unsaid >= ACK_EVERY) {
        this.unsaid = 0;
        this.#send({ ack: true });
      }
      this.on.told(message);
    });
    socket.addEventListener("close", (event) => {
      if (this.closed) return;
      if (event.code >= 4400 && event.code < 4500) {
        this.#end("closed", "");
        return;
      }
      this.on.link?.(false);
      this.timer = setTimeout(() => this.#open(), backOff(this.attempt));
      this.attempt += 1;
    });
  }

  /** Send the presenter's view; null is a heartbeat without changes. */
  show(/** @type {import("./contract").Shown | null} */ state) {
    this.#send({ state });
  }

  /** @param {import("./contract").PresentationSocketRequest} message */
  #send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encoder.encode(message));
  }

  #end(/** @type {string} */ code, /** @type {string} */ message) {
    if (this.closed) return;
    this.close();
    this.on.ended?.(code, message);
  }

  close() {
    if (!this.closed && this.present) this.#send({ stop: true });
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
