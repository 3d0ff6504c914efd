/**
 * The part of a run's machines that a class sees. A projector shows at most 60, so that tasks can be told apart from
 * the back row, unless the step speaks of machines and names no place. A phone shows all, since a zoomed map keeps a
 * finger from scrolling the page; but machines to point at are large enough for a finger. The viewer may move the map.
 */

import { FIT } from "../../draw/map/camera.js";
import { targetOf } from "../../kit/dom.js";

/**
 * @import { ClassShown } from "../../contract/contract"
 * @import { Plan } from "../../draw/map/layout.js"
 * @import { MapView } from "../../draw/map/map.js"
 */

/** The largest number of machines in the part. */
export const FEW = 60;
/** Marks that stand at machines. */
const AT_MACHINES = /^(layer|mark|machine|task):?/;
const ZOOM_KEYS = ["+", "=", "-", "0"];

/**
 * Return the part that a step shows: the machine in its middle, null for the middle of the first cluster. All machines
 * are shown if `few` is false.
 *
 * @param {Pick<ClassShown, "near" | "marks">} shown
 * @param {{onScreen: boolean, points: boolean}} how  `onScreen`: on the projector; `points`: students point at a
 *   machine
 */
export function partOf({ near, marks = [] }, { onScreen, points }) {
  const isNamed = near !== undefined;
  const speaks = points || marks.some((mark) => AT_MACHINES.test(mark));
  return { near: near ?? null, few: onScreen ? isNamed || !speaks : isNamed && points };
}

export class MapPart {
  /**
   * @param {HTMLElement} root  contains the map and its zoom buttons
   * @param {MapView} map
   * @param {boolean} onScreen
   */
  constructor(root, map, onScreen) {
    this.map = map;
    this.onScreen = onScreen;
    this.run = "";
    this.part = partOf({}, { onScreen, points: true });
    /** The layout for which the part was set; it is set again for another one. @type {Plan | null} */
    this.setFor = null;
    /** True if the viewer moved the map. */
    this.isMoved = false;
    for (const kind of /** @type {const} */ (["pointerdown", "wheel", "keydown"]))
      root.addEventListener(kind, (event) => this.#touched(event), { capture: true, passive: true });
  }

  #touched(/** @type {PointerEvent | WheelEvent | KeyboardEvent} */ event) {
    if (event instanceof KeyboardEvent && !event.shiftKey && !ZOOM_KEYS.includes(event.key)) return;
    // The wheel alone scrolls the page.
    if (event.type === "wheel" && !event.ctrlKey) return;
    if (targetOf(event).closest?.(".map, .zoom")) this.isMoved = true;
  }

  /**
   * Choose the part of a run. The viewer's own part stays while the class sees the same one.
   * @param {ClassShown} shown
   * @param {boolean} points
   */
  choose(shown, points = false) {
    const part = partOf(shown, { onScreen: this.onScreen, points });
    if (shown.run === this.run && JSON.stringify(part) === JSON.stringify(this.part)) return;
    [this.run, this.part] = [shown.run, part];
    this.again();
  }

  /** Forget where the viewer or a presenter moved the map. */
  again() {
    [this.setFor, this.isMoved] = [null, false];
  }

  /**
   * Move the map to the part, if the run is drawn and the viewer has not moved the map.
   * @param {string | undefined} drawn  the run on the map
   * @param {number} marked  the machine that a result names; -1 for none
   */
  look(drawn, marked) {
    const { plan } = this.map;
    if (drawn !== this.run || this.isMoved || !plan || plan === this.setFor) return;
    this.setFor = plan;
    if (this.part.few) this.map.showFew(FEW, marked >= 0 ? marked : this.part.near);
    else this.map.moveTo(FIT);
  }
}
