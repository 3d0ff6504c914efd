/** Probes that leave a queue without a task: a dotted outline that rises from it and fades. */

import { backlogLayer, countOf } from "../../../run/roles.js";
import { goneWithout } from "../probes.js";
import { faint, scaleOf } from "./pens.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../../../run/frames.js").Picture} Picture */

/** After a longer step of playback, nothing is drawn. */
const MOST_STEP = 3;
const LASTS = 1.5;

export class Leaving {
  /** @type {{machine: number, count: number, at: number}[]} */
  gone = [];
  /** @type {{seq: number, all: Uint8Array | null, t: number} | null} */
  before = null;

  /**
   * Count the probes that left between the previous picture and this one.
   *
   * @param {TasksScene} scene
   * @param {Picture | null} picture
   */
  take(scene, picture) {
    const { meta, track, probes } = scene;
    const layer = meta && backlogLayer(meta);
    if (!picture || !layer || !track || !probes || picture.seq === this.before?.seq) return;
    const bytes = picture.layers[layer.name];
    if (!bytes) return;
    const t = picture.t_ns / track.unit_ns;
    const { before } = this;
    const step = before ? picture.seq - before.seq : 0;
    if (!before?.all || step < 1 || step > MOST_STEP) this.gone = [];
    else
      for (const machine of scene.plan?.ids.subarray(0, scene.plan.count) ?? []) {
        if (bytes[machine] >= before.all[machine]) continue;
        const count = goneWithout(
          { all: countOf(layer, before.all[machine]), known: probes.known(machine, before.t) },
          { all: countOf(layer, bytes[machine]), known: probes.known(machine, t) },
        );
        if (count) this.gone.push({ machine, count, at: t });
      }
    this.before = { seq: picture.seq, all: bytes.slice(), t };
  }

  /** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now @param {number} lag */
  draw(pen, scene, now, lag) {
    const { plan, inks } = scene;
    this.gone = this.gone.filter((each) => now - each.at <= LASTS * lag && now >= each.at - lag);
    if (!plan?.drawn) return;
    const side = 6 * scaleOf(scene);
    for (const { machine, count, at } of this.gone) {
      if (Number.isNaN(plan.x[machine])) continue;
      scene.drew.add("probe-gone");
      const share = Math.max(0, (now - at) / (LASTS * lag));
      const foot = plan.y[machine] + plan.high - side - 2 * scaleOf(scene);
      faint(pen, 1 - share, () => {
        pen.strokeStyle = inks.ink;
        pen.lineWidth = 1.5 * scaleOf(scene);
        pen.setLineDash([2 * scaleOf(scene), 2 * scaleOf(scene)]);
        for (let place = 0; place < Math.min(3, count); place += 1)
          pen.strokeRect(
            plan.x[machine] + 2 * scaleOf(scene) + place * (side + scaleOf(scene)),
            foot - share * plan.high * 0.8,
            side,
            side,
          );
        pen.setLineDash([]);
      });
    }
  }
}
