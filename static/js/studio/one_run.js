/** The state for panels on a page with a single run and no studio: no preview, and no previous run. */

import { signal } from "../kit/view.js";

/**
 * @import { Meta } from "../contract/contract"
 * @import { Stage } from "../draw/stage/stage.js"
 * @import { FrameStore, Picture } from "../run/frames.js"
 */

export class OneRun {
  /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Meta | null>} */
  #meta = signal(null);
  /** @type {import("../../vendor/signals/signals-core.mjs").Signal<Picture | null>} */
  #figures = signal(null);
  /** @type {import("../experiment/experiment.js").Scheduler[]} */
  schedulers = [];
  livePreview = { told: signal({}), holding: false, words: "", view: () => null };
  news = null;
  /** @type {Pick<Stage, "player"> | null} */
  stage = null;
  /** @type {{store: FrameStore} | null} */
  session = null;

  get meta() {
    return this.#meta.value;
  }
  get figures() {
    return this.#figures.value;
  }

  /** Set the run's metadata. */
  describe(/** @type {Meta} */ meta) {
    this.#meta.value = meta;
  }

  /** Show another picture. */
  show(/** @type {Picture} */ picture) {
    this.#figures.value = picture;
  }

  ghostPicture() {
    return null;
  }

  /** Return exact values of the whole run if playback is at its end. */
  exactAtEnd() {
    return this.stage?.player.ended ? (this.session?.store.summary ?? null) : null;
  }
}
