/** The map's camera, its animated moves, and the position that stays while the plan changes. */

import { FIT, cameraAt, clamped, keptOf, panned, placeOf, scaleOf, zoomedAt } from "./camera.js";
import { reducedMotion } from "../../kit/dom.js";

/**
 * @import { Camera, Kept } from "./camera.js"
 * @import { Plan } from "./layout.js"
 */

const FLIGHT_MS = 180;

export class MapEye {
  /** @param {import("./map.js").MapView} map */
  constructor(map) {
    this.map = map;
    /** @type {Camera} */
    this.camera = FIT;
    /** @type {{from: Camera, to: Camera, born: number} | null} */
    this.flight = null;
    /** The position passed to `goTo` before machines existed. @type {Kept | null} */
    this.wanted = null;
    /** The machine passed to `goTo`, until the viewer moves. At an edge, another machine is nearest to the center. */
    this.told = -1;
    /** True if the camera moved since the map was drawn. */
    this.moved = false;
  }

  get factor() {
    return this.map.plan ? scaleOf(this.map.plan, this.camera) : 1;
  }

  /** The camera's position, or its destination during a move. */
  get target() {
    return this.flight?.to ?? this.camera;
  }

  #set(/** @type {Camera} */ camera) {
    this.camera = camera;
    this.moved = true;
    this.map.overDrawn = false;
  }

  /** Move the camera for the viewer, at once or with a short animation. */
  moveTo(/** @type {Camera} */ camera, smooth = false) {
    const { plan, scale, on } = this.map;
    if (!plan) {
      this.camera = camera;
      return;
    }
    this.told = -1;
    const to = clamped(plan, camera, scale);
    this.flight = smooth && !reducedMotion() ? { from: this.camera, to, born: performance.now() } : null;
    if (!this.flight) this.#set(to);
    on.moved?.();
  }

  /**
   * Zoom about a screen position.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   * @param {boolean} smooth
   */
  zoom(factor, x, y, smooth) {
    const { plan, scale } = this.map;
    if (!plan) return;
    this.moveTo(zoomedAt(plan, smooth ? this.target : this.camera, factor, x, y, scale), smooth);
  }

  /** Zoom about the keyboard cursor, else about the center. */
  zoomBy(/** @type {number} */ factor) {
    const { plan, view, parts, cursor, cells } = this.map;
    if (!plan) return;
    const focused = cursor >= 0 && document.activeElement === cells;
    const place = focused ? placeOf(view, parts, cursor) : [plan.width / 2, plan.height / 2];
    this.zoom(factor, place[0], place[1], true);
  }

  pan(/** @type {number} */ dx, /** @type {number} */ dy, smooth = false) {
    const { plan, scale } = this.map;
    if (plan) this.moveTo(panned(plan, this.camera, dx, dy, scale), smooth);
  }

  /** Move the camera just enough to bring a machine well inside the view. */
  reveal(/** @type {number} */ machine) {
    const { view, parts } = this.map;
    const [x, y] = placeOf(view, parts, machine);
    const { sx, sy, width, height } = view;
    const past = (/** @type {number} */ place, /** @type {number} */ cell, /** @type {number} */ all) => {
      const edge = Math.min(cell * 1.5, all / 4);
      return Math.min(0, place - edge) + Math.max(0, place + cell + edge - all);
    };
    const [dx, dy] = [past(x, sx, width), past(y, sy, height)];
    if ((dx || dy) && this.factor > 1) this.pan(-dx, -dy);
  }

  place() {
    const { plan } = this.map;
    const kept = plan && keptOf(plan, this.target);
    return kept ? { ...kept, centre: this.told < 0 ? kept.centre : this.told } : this.wanted;
  }

  goTo(/** @type {Kept | null} */ place) {
    this.wanted = place;
    const { plan, meta, scale } = this.map;
    if (!place || !plan || !meta || meta.outline || place.centre >= meta.machines) return;
    this.wanted = null;
    this.flight = null;
    this.told = place.centre;
    this.#set(cameraAt(plan, place, scale));
  }

  /** Show everything again without notifying the page. */
  reset() {
    this.camera = FIT;
    this.flight = null;
    this.told = -1;
  }

  /**
   * Replace the plan. The machine at the center stays there, though rows may break elsewhere. This ends an animation.
   */
  takePlan(/** @type {Plan} */ plan) {
    const { map, target } = this;
    const kept = map.plan && keptOf(map.plan, target) ? this.place() : null;
    map.plan = plan;
    this.camera = clamped(plan, target, map.scale);
    this.flight = null;
    if (kept) this.goTo({ zoom: target.zoom, centre: kept.centre });
  }

  /** Advance an animated move to the current time. */
  fly(/** @type {number} */ now) {
    if (!this.flight) return;
    const { from, to, born } = this.flight;
    const share = Math.min(1, (now - born) / FLIGHT_MS);
    const eased = 1 - (1 - share) ** 3;
    const between = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * eased;
    const zoom = Math.exp(between(Math.log(from.zoom), Math.log(to.zoom)));
    const here = share === 1 ? to : { zoom, x: between(from.x, to.x), y: between(from.y, to.y) };
    if (share === 1) this.flight = null;
    if (this.map.plan) this.#set(clamped(this.map.plan, here, this.map.scale));
  }
}
