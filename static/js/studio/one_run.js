/** What panels read on a page of one run, which has no studio: no preview, and no run before. */

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

  /** The run is described. */
  describe(/** @type {Meta} */ meta) {
    this.#meta.value = meta;
  }

  /** Another picture is shown. */
  show(/** @type {Picture} */ picture) {
    this.#figures.value = picture;
  }

  ghostPicture() {
    return null;
  }

  /** Exact values of the whole run, when the viewer stands at its end. */
  exactAtEnd() {
    return this.stage?.player.ended ? (this.session?.store.summary ?? null) : null;
  }
}
