/**
 * Pointers and keys on the map, turned into what they mean: zoom, pan, point, pick, menu. Places in device pixels of
 * the map.
 */

const WHEEL_STEP = 1.0018;
const SLOP = 5;
const LONG_PRESS_MS = 550;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * `act`: zoom(factor, x, y, smooth), pan(dx, dy), zoomed() whether there is anything to pan, point(x, y, event or
 * null), pick(x, y), menu(x, y, event), key moves: step(dx, dy), shift(dx, dy), fit(), enter(), keyMenu(), describe(),
 * leave(). `wheel`: "always", or "ctrl" where the page itself scrolls.
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

/** Where an event is, in device pixels of the element. */
function placeOf(element, event) {
  const box = element.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

function onKey(act, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
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

/** The pointers that are down: one pans, two pinch, one that rests long opens the menu. */
class Pointers {
  constructor(element, act) {
    this.element = element;
    this.act = act;
    this.down = new Map();
    this.state = null; // {moved, from, pinch}
    this.timer = null;
    this.menuAt = 0;
    element.addEventListener("pointerdown", (event) => this.#press(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const over of ["pointerup", "pointercancel"]) element.addEventListener(over, (event) => this.#release(event));
    element.addEventListener("click", (event) => {
      if (!this.state?.moved && event.detail < 2) act.pick(...this.#at(event));
    });
    element.addEventListener("dblclick", (event) => {
      const [x, y] = this.#at(event);
      act.pick(x, y); // the first click pinned what the second now lets go
      act.zoom(event.shiftKey ? 0.5 : 2, x, y, true);
    });
    element.addEventListener("contextmenu", (event) => {
      if (!act.hasMenu()) return;
      event.preventDefault();
      clearTimeout(this.timer);
      if (event.button === 2 || event.pointerType === "touch") this.#menu(event);
    });
  }

  #at(event) {
    return placeOf(this.element, event);
  }

  #menu(event) {
    const now = performance.now();
    if (now - this.menuAt < 700) return;
    this.menuAt = now;
    this.act.menu(...this.#at(event), event);
  }

  #press(event) {
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
    this.timer = setTimeout(() => {
      if (!this.state || this.state.moved) return;
      this.state.moved = true;
      this.#menu(event);
    }, LONG_PRESS_MS);
  }

  #move(event) {
    const { act, down, state } = this;
    const place = this.#at(event);
    if (!down.has(event.pointerId)) {
      act.point(...place, event);
      return;
    }
    const [px, py] = down.get(event.pointerId);
    if (
      down.size === 1 &&
      !state.moved &&
      Math.hypot(place[0] - state.from[0], place[1] - state.from[1]) < SLOP * (window.devicePixelRatio || 1)
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

  #release(event) {
    clearTimeout(this.timer);
    this.down.delete(event.pointerId);
    this.element.classList.remove("is-dragging");
    if (this.state) this.state.pinch = null;
  }
}

function pinchOf(pointers) {
  const [[ax, ay], [bx, by]] = [...pointers.values()];
  return { x: (ax + bx) / 2, y: (ay + by) / 2, size: Math.max(8, Math.hypot(ax - bx, ay - by)) };
}
