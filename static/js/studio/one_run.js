/** The state of panels on a page of a single run: no studio, no preview. The previous run is the unchanged one. */

import { signal } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Touch, Touched } from "../features/here/touch.js"
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
  /** The run that the reader has changed, while the page shows it. @type {Signal<Touched | null>} */
  touched = signal(null);
  /** The changes of the run, once the page simulates. @type {Touch | null} */
  touching = null;
  /** @type {Pick<Stage, "player"> | null} */
  stage = null;
  /** @type {Signal<{store: FrameStore} | null>} */
  session = signal(null);

  /** Return the picture of the recorded run, or of the run beside, while a changed run is shown. */
  ghostPicture() {
    const beside = this.touching?.branches.other.value ?? this.session.value;
    const store = this.touched.value ? beside?.store : null;
    if (!store || !this.stage) return null;
    const { player } = this.stage;
    return player.ended ? store.growing : store.pictureAtTime(Math.max(player.shownNs, 0));
  }

  /** Return true if playback is at its end: charts of waits show the whole run, and the map may show one instant. */
  isAtEnd() {
    return Boolean(this.stage?.player.ended);
  }

  /** Return the summary of the run on screen, or null. */
  wholeRun() {
    return this.touched.value ? null : (this.session.value?.store.summary ?? null);
  }

  /** Return exact values of the whole run if playback is at its end. */
  exactAtEnd() {
    return this.isAtEnd() ? this.wholeRun() : null;
  }
}
