/** Start a study, follow it, and fetch its results. */

import { decode } from "../../../vendor/msgpack/decode.mjs";
import { forkToken, ownToken, request } from "../../contract/api.js";
import { backOff } from "../../contract/socket.js";

const path = (/** @type {string} */ id, rest = "") => `/studies/${encodeURIComponent(id)}${rest}`;

/**
 * @param {string} experimentId
 * @param {object} plan
 */
export function startStudy(experimentId, plan) {
  return request("POST", `/experiments/${encodeURIComponent(experimentId)}/studies`, plan, {
    token: ownToken(experimentId),
  });
}

/**
 * Fetch the results of one measured number; `also` adds all numbers of parts of the summary.
 * @param {string} id
 * @param {{metric?: string, statistic: string, against: number, also?: string}} options
 */
export function studyResults(id, { metric, statistic, against, also }) {
  const query = new URLSearchParams({ statistic, against: String(against), scale: "drawn" });
  if (metric) query.set("metric", metric);
  if (also) query.set("also", also);
  return request("GET", path(id, `/results?${query}`));
}

/**
 * Change a study's state; `what` is "pause", "resume" or "cancel".
 * @param {{id: string, experiment_id: string}} study
 * @param {string} what
 */
export function changeStudy(study, what) {
  return request("POST", path(study.id, `/${what}`), {}, { token: ownToken(study.experiment_id) });
}

/**
 * Create an experiment, owned by this browser, from one run of a study.
 * @param {string} id
 * @param {number} run
 */
export async function openRun(id, run) {
  return forkToken(await request("POST", path(id, "/fork"), { run }));
}

/** Follows a study's progress until it ends. */
export class StudySocket {
  /**
   * @param {string} url
   * @param {{told: (news: import("../../contract/contract").StudyProgress) => void,
   *   link: (up: boolean) => void}} handlers
   */
  constructor(url, { told, link }) {
    this.url = url;
    this.told = told;
    this.link = link;
    this.attempt = 0;
    this.closed = false;
    this.#open();
  }

  #open() {
    const address = new URL(this.url, window.location.href);
    address.protocol = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", (event) => {
      const news = /** @type {import("../../contract/contract").StudySocket} */ (decode(new Uint8Array(event.data)));
      this.attempt = 0;
      if ("state" in news) {
        this.link(true);
        this.told(news);
      }
    });
    socket.addEventListener("close", (event) => {
      if (this.closed || event.code === 1000 || event.code === 4404) return;
      this.link(false);
      setTimeout(() => {
        if (!this.closed) this.#open();
      }, backOff(this.attempt));
      this.attempt += 1;
    });
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }
}
