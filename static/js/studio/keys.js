/** The studio's keyboard shortcuts; kit/keys.js lists them. Keys typed into a field stay there. */

import { targetOf } from "../kit/dom.js";
import { onStage, share } from "./bar.js";

/** @import { Studio } from "./store.js" */

/** The control that each key operates, for lessons that hide or lock it. @type {Record<string, string>} */
const CONTROL = {
  " ": "play",
  ArrowRight: "play",
  ArrowLeft: "play",
  "[": "play",
  "]": "play",
  j: "play",
  Home: "play",
  End: "play",
  ".": "speed",
  ",": "speed",
  "+": "zoom",
  "=": "zoom",
  "-": "zoom",
  0: "zoom",
  l: "layers",
  s: "share",
};

const SLIDES = /^(Arrow|Page|Home$|End$)/;

export function wireKeys(/** @type {Studio} */ studio) {
  const { stage } = studio;
  const jump = (/** @type {number} */ share) => stage.seek(stage.player.t_ns + share * stage.player.store.endNs);
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const keys = {
    " ": () => stage.toggle(),
    ArrowRight: (event) => (event.shiftKey ? jump(0.1) : stage.step(1)),
    ArrowLeft: (event) => (event.shiftKey ? jump(-0.1) : stage.step(-1)),
    Home: () => stage.seek(0),
    End: () => stage.seek(stage.player.store.endNs),
    "+": () => stage.map.zoomBy(1.6),
    "=": () => stage.map.zoomBy(1.6),
    "-": () => stage.map.zoomBy(1 / 1.6),
    0: () => stage.map.fit(),
    ".": () => stage.scaleRate(Math.SQRT2),
    ",": () => stage.scaleRate(Math.SQRT1_2),
    "]": () => studio.jumps.jump(1),
    "[": () => studio.jumps.jump(-1),
    j: () => studio.jumps.cycle(),
    f: () => studio.jumps.whatIf(),
    l: () => stage.nextLayer(),
    s: () => share(studio),
    t: () => studio.touching?.press(),
    p: () => onStage(studio),
    e: () => studio.openEditor("topology", { keyed: true }),
    Escape: () => studio.moments.escape() || studio.editing.close() || studio.pin(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = targetOf(event);
    // A slider receives the keys that move it; all other keys go to the page.
    const slider = target.matches?.("input[type=range]") && !SLIDES.test(event.key);
    if (!slider && target.closest?.("input, textarea, select, [role=slider]")) return;
    if (event.key === " " && target.closest?.("button, summary, a")) return;
    const act = keys[event.key];
    if (!act || studio.lesson?.locked(CONTROL[event.key])) return;
    event.preventDefault();
    act(event);
  });
}
