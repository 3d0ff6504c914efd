/** A run that a viewer follows: state, metadata, frames. Emits "state", "meta", "frame", "track", "gone". */

import { FrameStore } from "./frames.js";
import { ApiError, cancelRun, getMeta, getRun, pauseRun, recordingUrl, startRun, trackUrl } from "../contract/api.js";
import { decodeTrack, fetchBytes, fetchRecording } from "../contract/recording.js";
import { RunSocket } from "../contract/socket.js";
import { declared, gettext } from "../kit/words.js";
import { withOwners } from "../kit/names.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Run } from "../contract/api.js"
 */

/**
 * A run as the viewer knows it: first only its state, then the server's fields.
 * @typedef {Partial<Omit<Run, "error" | "state" | "id" | "progress">> & {id: string, state: string, progress: number,
 *   error?: string | {message: string, title?: string} | null, socket_url?: string}} RunState
 * @typedef {Partial<RunState> & {state: string}} ToldState  the input of sentences about a run
 */

const POLL_MS = 1500;
const TRACK_MS = 2000;
/** The page does not fetch the whole track of a run with more tasks. */
const MOST_TASKS = 200_000;
const FINAL = new Set(["done", "failed", "cancelled"]);

export class RunSession extends EventTarget {
  constructor(/** @type {Experiment} */ experiment, /** @type {string} */ experimentId) {
    super();
    this.experiment = experiment;
    this.experimentId = experimentId;
    this.store = new FrameStore();
    /** @type {import("../contract/contract").Meta | null} */
    this.meta = null;
    /** @type {RunState} */
    this.run = { id: "", state: "starting", progress: 0 };
    this.online = true;
    this.closed = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** The server's digest of the experiment. */
    this.digest = "";
    /** True if another user owns the run. Only the owner may cancel it. */
    this.borrowed = false;
  }

  get final() {
    return FINAL.has(this.run.state);
  }
  /**
   * The run's state for this viewer: "offline" without a connection, "receiving" if the run is done but not loaded yet.
   */
  get state() {
    if (this.run.state === "done" && !this.store.complete) return this.online ? "receiving" : "offline";
    return this.online || this.final ? this.run.state : "offline";
  }

  /** Start a run of the experiment and follow it; `fresh` computes it even if its result is known. */
  async start({ fresh = false } = {}) {
    this.follow(await startRun(this.experimentId, { fresh }));
  }

  /** Follow an existing run: live through its socket, or from its recording if it has ended. */
  follow(/** @type {RunState} */ run) {
    if (this.closed) {
      cancelRun(run.id, this.experimentId).catch(() => {});
      return;
    }
    this.#take(run);
    if (this.run.state === "done") {
      this.#load().catch(() => {
        this.#describe();
        this.#connect();
      });
      return;
    }
    this.#describe();
    this.#connect();
    if (!this.final) this.#poll();
  }

  async #describe(tries = 5) {
    try {
      this.#takeMeta(await getMeta(this.run.id));
    } catch {
      if (!this.closed && tries > 0) setTimeout(() => this.#describe(tries - 1), POLL_MS);
    }
  }

  #connect() {
    if (this.closed) return;
    this.socket = new RunSocket(this.run.socket_url || `/ws/runs/${this.run.id}`, () => this.store.lastSeq, {
      frame: (frame) => this.#frame(frame),
      notice: (notice) => this.#take(notice),
      link: (up) => {
        this.online = up;
        this.#tell("state");
      },
      ended: (code, message) => {
        this.#take(code === "cancelled" ? { state: "cancelled" } : { state: "failed", error: message });
        this.#finish();
      },
    });
  }

  /** @param {import("../contract/contract").Frame} frame */
  #frame(frame) {
    if (this.closed || !this.store.append(frame)) return;
    this.#tell("frame");
    if (!frame.end) return;
    this.run = {
      ...this.run,
      state: frame.state && FINAL.has(frame.state) ? frame.state : "done",
      progress: 1,
      eta_s: 0,
    };
    this.socket?.close();
    this.#tell("state");
    this.#track();
    this.#fillIn();
  }

  /** Fetch the track repeatedly while the run is computed. Ignore errors, since the picture works without it. */
  async #track() {
    clearTimeout(this.tracking);
    if (this.closed || !this.meta?.work) return;
    const over = this.run.state === "done";
    if (over && this.store.track && Number(this.store.track.from_ns ?? -1) < 0) return;
    if (over && (this.store.summary?.tasks?.total ?? 0) > MOST_TASKS) {
      this.store.askTrack = async (window) => decodeTrack(await fetchBytes(trackUrl(this.run.id, window)));
      return;
    }
    const asks = over || this.run.state === "running";
    const found = asks ? await fetchBytes(trackUrl(this.run.id)).catch(() => null) : null;
    if (found?.byteLength && !this.closed) {
      this.store.track = decodeTrack(found);
      this.#tell("track");
    }
    const coming = found?.byteLength === 0; // the server is completing a recording that ships with the product
    if (over ? coming : !this.final) this.tracking = setTimeout(() => this.#track(), TRACK_MS);
  }

  /** Load the recording if frames are missing, because the viewer joined late or was slow. */
  #fillIn() {
    const holes = this.store.frames.some(
      (frame, place) => (frame.from_seq ?? frame.seq) !== frame.seq || (place === 0 && frame.seq > 0),
    );
    if (holes) this.#load().catch(() => {});
  }

  async #load() {
    const { meta, frames, summary, track, density } = await fetchRecording(recordingUrl(this.run.id));
    if (this.closed) return;
    const store = new FrameStore();
    for (const frame of frames) store.append(frame);
    if (summary) store.summary = summary; // it has measures that the last frame does not
    store.track = track ?? this.store.track;
    store.density = density;
    store.askTrack = this.store.askTrack;
    this.store = store;
    this.#takeMeta(meta);
    this.#tell("frame");
    this.#tell("state");
  }

  /** @param {import("../contract/contract").Meta} meta */
  #takeMeta(meta) {
    if (!meta || this.meta) return;
    this.meta = withOwners(declared(meta));
    this.#tell("meta");
    if (!this.store.track) this.#track();
  }

  #take(/** @type {(Partial<RunState> & {meta?: import("../contract/contract").Meta | null}) | null} */ news) {
    if (this.closed || !news) return;
    if (news.meta) this.#takeMeta(news.meta);
    const { meta, ...rest } = news;
    if (FINAL.has(this.run.state) && rest.state && !FINAL.has(rest.state)) return;
    if (rest.error && typeof rest.error === "object")
      rest.error = rest.error.message || rest.error.title || gettext("the run stopped with an error");
    this.run = { ...this.run, ...rest };
    this.#tell("state");
  }

  async #poll() {
    if (this.closed) return;
    try {
      const news = await getRun(this.run.id);
      this.#take(news);
      if (this.closed) return;
      if (FINAL.has(this.run.state) && (this.run.state !== "done" || this.store.complete)) {
        this.#finish();
        return;
      }
      if (this.run.state === "done") this.patience = (this.patience || 0) + 1;
      if ((this.patience ?? 0) >= 4) {
        await this.#load();
        this.#finish();
        return;
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.#tell("gone");
        return;
      }
    }
    this.timer = setTimeout(() => this.#poll(), POLL_MS);
  }

  /** Finish a run. One that stopped early sends no last frame; keep the frames received. */
  #finish() {
    if (!this.store.complete && this.store.count) this.store.summary = {};
    this.socket?.close();
    this.#tell("state");
  }

  async cancel() {
    if (!this.run.id || this.final) return;
    this.#take(await cancelRun(this.run.id, this.experimentId));
  }

  /** Pause or resume the computation. */
  async pause() {
    if (!this.run.id || this.final) return;
    this.#take(await pauseRun(this.run.id, this.experimentId, this.run.state === "paused" ? "resume" : "pause"));
  }

  #tell(/** @type {string} */ name) {
    if (!this.closed) this.dispatchEvent(new Event(name));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.tracking);
    this.socket?.close();
  }
}
