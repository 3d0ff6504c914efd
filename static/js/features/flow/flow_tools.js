/** The controls above a network: rounds, what is drawn, and the way of a task. */

import { h, ICONS, stepButton } from "../../kit/dom.js";
import { askTyped } from "./flow_asking.js";
import { gettext } from "../../kit/words.js";

/** @import { FlowPicture } from "./flow.js" */

/**
 * Make all of it and put it into `body`; the parts become members of the picture.
 * @param {FlowPicture} flow
 * @param {HTMLElement} body
 */
export function buildFlow(flow, body) {
  sliderParts(flow);
  toggles(flow);
  flow.parts.key = h("p", { class: "picture-key flow-key" });
  flow.parts.place = h("div", { class: "picture-place" });
  flow.parts.empty = h("p", { class: "desk-empty", role: "status", hidden: true });
  askParts(flow);
  flow.parts.about = h("p", { class: "desk-about flow-about", "aria-live": "polite" });
  flow.parts.ways = h("div", { class: "flow-way", hidden: true });
  body.append(
    toolBar(flow),
    flow.parts.place,
    h(
      "div",
      { class: "flow-foot" },
      h("div", { class: "flow-ask" }, flow.parts.task, flow.parts.ask),
      h("div", { class: "flow-words" }, flow.parts.about, flow.parts.ways),
    ),
  );
  flow.parts.place.append(flow.parts.empty);
  body.addEventListener("keydown", (event) => {
    const by = event.key === "PageUp" ? -1 : event.key === "PageDown" ? 1 : 0;
    if (!by || event.target === flow.parts.task) return;
    event.preventDefault();
    event.stopPropagation();
    flow.step(by);
  });
}

/** @param {FlowPicture} flow */
function toolBar(flow) {
  /**
   * @param {number} by
   * @param {string} label
   * @param {keyof typeof ICONS} path
   */
  const step = (by, label, path) => stepButton(label, ICONS[path], () => flow.step(by));
  return h(
    "div",
    { class: "picture-tools" },
    h(
      "div",
      { class: "flow-rounds", role: "group", "aria-label": gettext("Rounds") },
      step(-1, gettext("Previous round"), "back"),
      flow.parts.slider,
      step(1, gettext("Next round"), "forward"),
      flow.parts.where,
    ),
    h(
      "div",
      { class: "layers", role: "group", "aria-label": gettext("What is shown") },
      flow.parts.follow,
      flow.parts.idleButton,
    ),
    flow.policy.element,
    flow.parts.key,
  );
}

/** @param {FlowPicture} flow */
function sliderParts(flow) {
  flow.parts.slider = h("input", {
    type: "range",
    class: "flow-slider",
    min: "1",
    max: "1",
    step: "1",
    value: "1",
    "aria-label": gettext("Round"),
    oninput: () => {
      flow.follows = false;
      flow.goTo(Number(flow.parts.slider.value));
    },
  });
  flow.parts.where = h("output", { class: "flow-where" });
}

/** @param {FlowPicture} flow */
function toggles(flow) {
  flow.parts.follow = h(
    "button",
    {
      type: "button",
      class: "layer",
      "data-follow": true,
      "data-tip": gettext("Show the round at the clock's instant while the clock moves."),
      onclick: () => {
        flow.follows = !flow.follows;
        flow.goTo(flow.follows ? flow.now() : flow.round);
      },
    },
    gettext("Follow the clock"),
  );
  flow.parts.idleButton = h(
    "button",
    {
      type: "button",
      class: "layer",
      "data-tip": gettext("Show arcs without flow, too."),
      onclick: () => {
        flow.idle = !flow.idle;
        flow.draw();
      },
    },
    gettext("All arcs"),
  );
}

/** @param {FlowPicture} flow */
function askParts(flow) {
  flow.parts.task = h("input", {
    class: "finder-input",
    type: "text",
    inputmode: "numeric",
    "aria-label": gettext("Task"),
    placeholder: gettext("Task…"),
    autocomplete: "off",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        askTyped(flow);
      }
      event.stopPropagation();
    },
  });
  flow.parts.ask = h(
    "button",
    { type: "button", class: "button button-small", "data-why-here": "", onclick: () => askTyped(flow) },
    gettext("Why here?"),
  );
}
