/** The state for panels on a page with a single run and no studio: no preview, and no previous run. */

import { signal } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Stage } from "../draw/stage/stage.js"
 * @import { Scheduler } from "../experiment/experiment.js"
 * @import { FrameStore, Picture } from "../run/frames.js"
 * @import { Signal } from "../../vendor/signals/signals-core.mjs"
 */

export class OneRun {
  /** The run's metadata. @type {Signal<Meta | null>} */
  meta = signal(null);
  /** The picture of the page's numbers. @type {Signal<Picture | null>} */
  figures = signal(null);
  /** @type {Signal<Scheduler[]>} */
  schedulers = signal([]);
  livePreview = { told: signal({}), holding: false, words: "", view: () => null };
  news = signal(null);
  /** @type {Pick<Stage, "player"> | null} */
  stage = null;
  /** @type {Signal<{store: FrameStore} | null>} */
  session = signal(null);

  ghostPicture() {
    return null;
  }

  /** Return true if playback is at its end: charts of waits show the whole run, and the map may show one instant. */
  isAtEnd() {
    return Boolean(this.stage?.player.ended);
  }

  /** Return the summary of the run on screen, or null. */
  wholeRun() {
    return this.session.value?.store.summary ?? null;
  }

  /** Return exact values of the whole run if playback is at its end. */
  exactAtEnd() {
    return this.isAtEnd() ? this.wholeRun() : null;
  }
}
