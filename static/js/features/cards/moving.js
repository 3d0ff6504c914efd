/**
 * Animated cards: each still picture becomes a canvas that plays the run while it is visible. With reduced motion the
 * stills stay; a button stops all animations.
 */

import { drawMiniature, HIGH, WIDE } from "./miniature.js";
import { isDark, token } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";
import { cellColour, taskColours } from "../../kit/palette.js";
import { ngettext } from "../../kit/words.js";

/** @import { Ink, Miniature, Pen } from "./miniature.js" */

/** The duration of a run's playback, and of its last frame. */
const PLAYS_MS = 9000;
const RESTS_MS = 1000;
/** The time between two frames: 16 a second are enough for small pictures. */
const EACH_MS = 60;
/** The interval for reading the theme's colors, which may change. */
const INKS_MS = 1000;

/** @typedef {{canvas: HTMLCanvasElement, data: Miniature | null, seen: boolean}} Thumb */

/**
 * Animate the pictures of cards.
 * @param {Element} cards  the part of the page with the pictures
 * @param {Element | null | undefined} place  where the stop button goes
 */
export function wireMoving(cards, place = cards.querySelector("[data-cards-search]")?.closest("p")) {
  const thumbs = [...cards.querySelectorAll("[data-moves]")].map(thumbOf);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let playing = false;
  let drawnAt = 0;
  let inks = inksNow();
  let inkedAt = 0;
  const begun = performance.now();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const thumb = thumbs.find((each) => each.canvas === entry.target);
      if (!thumb) continue;
      thumb.seen = entry.isIntersecting;
      if (thumb.seen && !thumb.data) take(thumb);
    }
  });
  const draw = (/** @type {number} */ now) => {
    if (!playing || !cards.isConnected) {
      playing = false;
      return;
    }
    requestAnimationFrame(draw);
    if (now - drawnAt < EACH_MS) return;
    drawnAt = now;
    const at = Math.min(1, ((now - begun) % (PLAYS_MS + RESTS_MS)) / PLAYS_MS) * 1000;
    if (now - inkedAt > INKS_MS) {
      inks = inksNow();
      inkedAt = now;
    }
    for (const thumb of thumbs) if (thumb.seen && thumb.data) paint(thumb, at, inks);
  };
  const play = () => {
    playing = true;
    for (const { canvas } of thumbs) observer.observe(canvas);
    requestAnimationFrame(draw);
  };
  const button = pauseButton(
    (on) => {
      if (on) play();
      else playing = false;
    },
    !still,
    thumbs.length,
  );
  place?.append(button);
  if (!still) play();
}

/** Return a canvas that replaces a still picture once it has something to show. @returns {Thumb} */
function thumbOf(/** @type {HTMLElement} */ image) {
  const view = () => html`<canvas
    class="scheduler-moving"
    width=${WIDE * 2}
    height=${HIGH * 2}
    data-from=${image.dataset.moves}
    aria-hidden="true"
  ></canvas>`;
  /** @type {HTMLCanvasElement} */
  const canvas = made(view);
  image.after(canvas);
  return { canvas, data: null, seen: false };
}

async function take(/** @type {Thumb} */ thumb) {
  const answer = await fetch(thumb.canvas.dataset.from ?? "").catch(() => null);
  if (!answer?.ok) return;
  thumb.data = await answer.json();
}

function paint(
  /** @type {Thumb} */ { canvas, data },
  /** @type {number} */ at,
  /** @type {Record<Ink, string>} */ inks,
) {
  const context = canvas.getContext("2d");
  if (!context || !data) return;
  context.setTransform(2, 0, 0, 2, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = inks.ground;
  context.fillRect(0, 0, WIDE, HIGH);
  drawMiniature(penOf(context, inks), data, at);
  canvas.classList.add("is-drawn");
}

/** @returns {Pen} */
function penOf(/** @type {CanvasRenderingContext2D} */ context, /** @type {Record<Ink, string>} */ inks) {
  const takes = (/** @type {Ink} */ ink, strength = 1) => {
    context.fillStyle = context.strokeStyle = inks[ink];
    context.globalAlpha = strength;
  };
  return {
    rect(x, y, wide, high, ink, strength) {
      takes(ink, strength);
      context.fillRect(x, y, wide, high);
    },
    line(x, y, toX, toY, ink, strength) {
      takes(ink, strength);
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(toX, toY);
      context.stroke();
    },
    dot(x, y, radius, ink, strength) {
      takes(ink, strength);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    },
  };
}

/** Return the colors of the page's theme. */
function inksNow() {
  const dark = isDark();
  const [first, second, third] = taskColours(dark).strong;
  return {
    first,
    second,
    third,
    idle: cellColour(0, dark),
    line: token("ghost"),
    wrong: token("alarm"),
    ink: token("ink"),
    ground: token("ground"),
  };
}

function pauseButton(
  /** @type {(on: boolean) => void} */ act,
  /** @type {boolean} */ on,
  /** @type {number} */ pictures,
) {
  const isOn = signal(on);
  const toggle = () => {
    isOn.value = !isOn.value;
    act(isOn.value);
  };
  return made(() => {
    const words = isOn.value
      ? ngettext("Pause the animation", "Pause the animations", pictures)
      : ngettext("Play the animation", "Play the animations", pictures);
    return html`<button type="button" class="button" data-pictures @click=${toggle}>${words}</button>`;
  });
}
