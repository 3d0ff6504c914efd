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
  const pointers = new Map();
  let state = null; // {x, y, moved, pinch}
  let timer = null;
  let menuAt = 0;
  const at = (event) => {
    const box = element.getBoundingClientRect();
    const scale = window.devicePixelRatio || 1;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  const openMenu = (event) => {
    const now = performance.now();
    if (now - menuAt < 700) return;
    menuAt = now;
    act.menu(...at(event), event);
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, at(event));
    element.setPointerCapture(event.pointerId);
    if (pointers.size === 1) state = { moved: false, from: at(event) };
    else {
      state = { moved: true, pinch: pinchOf(pointers) };
      clearTimeout(timer);
    }
    if (event.pointerType === "touch" && pointers.size === 1) {
      timer = setTimeout(() => {
        if (state && !state.moved) {
          state.moved = true;
          openMenu(event);
        }
      }, LONG_PRESS_MS);
    }
  });
  element.addEventListener("pointermove", (event) => {
    const place = at(event);
    if (!pointers.has(event.pointerId)) {
      act.point(...place, event);
      return;
    }
    const [px, py] = pointers.get(event.pointerId);
    if (
      pointers.size === 1 &&
      !state.moved &&
      Math.hypot(place[0] - state.from[0], place[1] - state.from[1]) < SLOP * (window.devicePixelRatio || 1)
    )
      return;
    clearTimeout(timer);
    state.moved = true;
    pointers.set(event.pointerId, place);
    if (pointers.size === 1) {
      element.classList.toggle("is-dragging", act.zoomed());
      act.point(0, 0, null);
      act.pan(place[0] - px, place[1] - py);
      return;
    }
    const pinch = pinchOf(pointers);
    if (state.pinch) {
      act.pan(pinch.x - state.pinch.x, pinch.y - state.pinch.y);
      act.zoom(pinch.size / state.pinch.size, pinch.x, pinch.y, false);
    }
    state.pinch = pinch;
  });
  const release = (event) => {
    clearTimeout(timer);
    pointers.delete(event.pointerId);
    element.classList.remove("is-dragging");
    if (state) state.pinch = null;
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => act.point(0, 0, null));
  element.addEventListener("click", (event) => {
    if (!state?.moved && event.detail < 2) act.pick(...at(event));
  });
  element.addEventListener("dblclick", (event) => {
    act.pick(...at(event)); // the first click pinned what the second now lets go
    act.zoom(event.shiftKey ? 0.5 : 2, ...at(event), true);
  });
  element.addEventListener("contextmenu", (event) => {
    if (!act.hasMenu()) return;
    event.preventDefault();
    clearTimeout(timer);
    if (event.button === 2 || event.pointerType === "touch") openMenu(event);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      if (wheel === "ctrl" && !event.ctrlKey) return;
      if (event.deltaY > 0 && !act.zoomed() && !event.ctrlKey) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 33 : 1;
      act.zoom(WHEEL_STEP ** -(event.deltaY * lines * (event.ctrlKey ? 4 : 1)), ...at(event), false);
    },
    { passive: false },
  );
  element.addEventListener("keydown", (event) => {
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
  });
}

function pinchOf(pointers) {
  const [[ax, ay], [bx, by]] = [...pointers.values()];
  return { x: (ax + bx) / 2, y: (ay + by) / 2, size: Math.max(8, Math.hypot(ax - bx, ay - by)) };
}
