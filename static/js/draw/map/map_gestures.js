/**
 * Convert pointer and key events on the map into actions: zoom, pan, point, pick, menu. Positions are in device pixels
 * of the map.
 */

const WHEEL_STEP = 1.0018;
const SLOP = 5;
const LONG_PRESS_MS = 550;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @typedef {{x: number, y: number, size: number}} Pinch */

/**
 * The actions of gestures; positions are in device pixels.
 * @typedef {object} Acts
 * @property {(factor: number, x: number, y: number, smooth: boolean) => void} zoom
 * @property {(factor: number) => void} zoomKey
 * @property {(dx: number, dy: number) => void} pan
 * @property {() => boolean} zoomed  returns true if panning is possible
 * @property {() => boolean} hasMenu
 * @property {(x: number, y: number, event: MouseEvent | null) => void} point
 * @property {(x: number, y: number) => void} pick
 * @property {(x: number, y: number, event: MouseEvent) => void} menu
 * @property {(dx: number, dy: number) => void} step
 * @property {(dx: number, dy: number) => void} shift
 * @property {() => void} fit
 * @property {() => void} enter
 * @property {() => void} keyMenu
 * @property {() => void} describe
 */

/**
 * Convert an element's pointer and key events into actions. `wheel`: "ctrl" if the page itself scrolls.
 * @param {HTMLElement} element
 * @param {Acts} act
 */
export function wireGestures(element, act, { wheel = "always" } = {}) {
  new Pointers(element, act);
  element.addEventListener("pointerleave", () => act.point(0, 0, null));
  element.addEventListener(
    "wheel",
    (event) => {
      if (wheel === "ctrl" && !event.ctrlKey) return;
      if (event.deltaY > 0 && !act.zoomed() && !event.ctrlKey) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 33 : 1;
      const factor = WHEEL_STEP ** -(event.deltaY * lines * (event.ctrlKey ? 4 : 1));
      const [x, y] = placeOf(element, event);
      act.zoom(factor, x, y, false);
    },
    { passive: false },
  );
  element.addEventListener("keydown", (event) => onKey(act, event));
}

/**
 * Return an event's position in device pixels of the element.
 * @param {HTMLElement} element
 * @param {MouseEvent} event
 */
function placeOf(element, event) {
  const box = element.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

function onKey(/** @type {Acts} */ act, /** @type {KeyboardEvent} */ event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  /** @type {Record<string, () => void>} */
  const keys = {
    "+": () => act.zoomKey(1.6),
    "=": () => act.zoomKey(1.6),
    "-": () => act.zoomKey(1 / 1.6),
    0: act.fit,
    Enter: act.enter,
    d: act.describe,
    ContextMenu: act.keyMenu,
  };
  if (event.key === "F10" && event.shiftKey) keys.F10 = act.keyMenu;
  const doIt = arrow ? () => (event.shiftKey ? act.shift(...arrow) : act.step(...arrow)) : keys[event.key];
  if (!doIt) return;
  event.preventDefault();
  event.stopPropagation();
  doIt();
}

/** The pressed pointers: one pans, two pinch, and a long press opens the menu. */
class Pointers {
  constructor(/** @type {HTMLElement} */ element, /** @type {Acts} */ act) {
    this.element = element;
    this.act = act;
    /** @type {Map<number, number[]>} */
    this.down = new Map();
    /** @type {{moved: boolean, from?: number[], pinch?: Pinch | null} | null} */
    this.state = null;
    this.timer = 0;
    this.menuAt = 0;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const over of /** @type {const} */ (["pointerup", "pointercancel"]))
      element.addEventListener(over, (event) => this.#release(event));
    element.addEventListener("click", (event) => {
      if (this.state?.moved || event.detail >= 2) return;
      const [x, y] = this.#at(event);
      act.pick(x, y);
    });
    element.addEventListener("dblclick", (event) => {
      const [x, y] = this.#at(event);
      act.pick(x, y); // the first click pinned the machine, the second unpins it
      act.zoom(event.shiftKey ? 0.5 : 2, x, y, true);
    });
    element.addEventListener("contextmenu", (event) => {
      if (!act.hasMenu()) return;
      event.preventDefault();
      clearTimeout(this.timer);
      if (event.button === 2 || event.pointerType === "touch") this.#menu(event);
    });
  }

  #at(/** @type {MouseEvent} */ event) {
    return placeOf(this.element, event);
  }

  #menu(/** @type {MouseEvent} */ event) {
    const now = performance.now();
    if (now - this.menuAt < 700) return;
    this.menuAt = now;
    const [x, y] = this.#at(event);
    this.act.menu(x, y, event);
  }

  #press(/** @type {PointerEvent} */ event) {
    if (event.button !== 0) return;
    this.down.set(event.pointerId, this.#at(event));
    this.element.setPointerCapture(event.pointerId);
    const alone = this.down.size === 1;
    if (alone) this.state = { moved: false, from: this.#at(event) };
    else {
      this.state = { moved: true, pinch: pinchOf(this.down) };
      clearTimeout(this.timer);
    }
    if (event.pointerType !== "touch" || !alone) return;
    this.timer = window.setTimeout(() => {
      if (!this.state || this.state.moved) return;
      this.state.moved = true;
      this.#menu(event);
    }, LONG_PRESS_MS);
  }

  #move(/** @type {PointerEvent} */ event) {
    const { act, down, state } = this;
    const place = this.#at(event);
    const before = down.get(event.pointerId);
    if (!before || !state) {
      act.point(place[0], place[1], event);
      return;
    }
    const [px, py] = before;
    const from = state.from ?? place;
    if (
      down.size === 1 &&
      !state.moved &&
      Math.hypot(place[0] - from[0], place[1] - from[1]) < SLOP * (window.devicePixelRatio || 1)
    )
      return;
    clearTimeout(this.timer);
    state.moved = true;
    down.set(event.pointerId, place);
    if (down.size === 1) {
      this.element.classList.toggle("is-dragging", act.zoomed());
      act.point(0, 0, null);
      act.pan(place[0] - px, place[1] - py);
      return;
    }
    const pinch = pinchOf(down);
    if (state.pinch) {
      act.pan(pinch.x - state.pinch.x, pinch.y - state.pinch.y);
      act.zoom(pinch.size / state.pinch.size, pinch.x, pinch.y, false);
    }
    state.pinch = pinch;
  }

  #release(/** @type {PointerEvent} */ event) {
    clearTimeout(this.timer);
    this.down.delete(event.pointerId);
    this.element.classList.remove("is-dragging");
    if (this.state) this.state.pinch = null;
  }
}

function pinchOf(/** @type {Map<number, number[]>} */ pointers) {
  const [[ax, ay], [bx, by]] = [...pointers.values()];
  return { x: (ax + bx) / 2, y: (ay + by) / 2, size: Math.max(8, Math.hypot(ax - bx, ay - by)) };
}
