/** The queues as one bar to 100 %: drag a border, or focus it and use the arrow keys. */

import { moveShare } from "../../experiment/experiment.js";
import { percent } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { focusedIn, h, isDark, onTheme } from "../../kit/dom.js";

export function shareBar(act) {
  const bar = h("div", { class: "shares", role: "group", "aria-label": "Shares of the queues" });
  let queues = [];
  let off = false;

  const draw = () => {
    const focused = focusedIn(bar)?.dataset.border ?? null;
    const whole = queues.reduce((sum, queue) => sum + queue.share, 0) || 1;
    bar.replaceChildren();
    let start = 0;
    queues.forEach((queue, index) => {
      const part = h(
        "div",
        {
          class: "share",
          "data-queue": queue.name,
          tabindex: "0",
          role: "button",
          "aria-haspopup": "menu",
          "data-tip":
            `${queue.name}: ${percent(queue.share)}` +
            (queue.global_master === undefined || queue.global_master === null
              ? ""
              : `, served by GM ${queue.global_master}`),
        },
        h("span", { class: "share-name" }, queue.name),
        h("span", { class: "share-value" }, percent(queue.share)),
      );
      const room = ((bar.clientWidth || 224) * queue.share) / whole;
      part.dataset.room = room < 24 ? "none" : room < 44 ? "name" : "all";
      part.style.width = `${(100 * queue.share) / whole}%`;
      part.style.setProperty("--hue", ownerColour(queue.global_master ?? index, isDark()));
      bar.append(part);
      start += queue.share;
      if (index < queues.length - 1 && queues.length <= 12) bar.append(border(index, start / whole));
    });
    if (focused !== null) bar.querySelector(`[data-border="${focused}"]`)?.focus();
  };

  const change = (index, delta) => {
    queues = moveShare(queues, index, delta);
    draw();
    act(queues);
  };

  const border = (index, at) => {
    const handle = h("button", {
      class: "share-border",
      type: "button",
      role: "slider",
      "data-border": index,
      disabled: off,
      "aria-label": `Border between ${queues[index].name} and ${queues[index + 1].name}`,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Math.round(at * 100),
      "aria-valuetext": `${queues[index].name} ${percent(queues[index].share)}`,
    });
    handle.style.left = `${at * 100}%`;
    handle.addEventListener("keydown", (event) => {
      const step = {
        ArrowLeft: -0.01,
        ArrowRight: 0.01,
        ArrowDown: -0.01,
        ArrowUp: 0.01,
        PageDown: -0.1,
        PageUp: 0.1,
        Home: -1,
        End: 1,
      }[event.key];
      if (step) {
        event.preventDefault();
        event.stopPropagation();
        change(index, step);
      }
    });
    handle.addEventListener("pointerdown", (event) => drag(event, index));
    return handle;
  };

  const drag = (event, index) => {
    event.preventDefault();
    const from = queues.map((queue) => ({ ...queue }));
    const width = bar.getBoundingClientRect().width;
    const whole = from.reduce((sum, queue) => sum + queue.share, 0) || 1;
    const move = (next) => {
      queues = moveShare(from, index, ((next.clientX - event.clientX) / width) * whole);
      draw();
      act(queues);
    };
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      bar.querySelector(`[data-border="${index}"]`)?.focus(); // the keys go on from there
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
  };

  onTheme(draw);
  return {
    element: bar,
    set(next) {
      queues = next;
      draw();
    },
    disable(value) {
      off = value;
      draw();
    },
  };
}
