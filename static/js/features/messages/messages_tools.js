/** The controls of the board of messages, and what pointer and keys do on it. */

import { tellMessage, tellSpan, told } from "./message_plan.js";
import { whole } from "../../kit/format.js";
import { h, ICONS, placeTip, stepButton, targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Lane } from "./message_plan.js"
 * @import { Messages } from "./messages.js"
 */

/**
 * The bar above the board.
 * @param {Messages} board
 */
export function boardTools(board) {
  /**
   * @param {number} by
   * @param {string} label
   * @param {keyof typeof ICONS} path
   */
  const step = (by, label, path) => stepButton(label, ICONS[path], () => board.step(by));
  /**
   * @param {number} factor
   * @param {string} text
   * @param {string} label
   */
  const zoom = (factor, text, label) =>
    h(
      "button",
      { type: "button", class: "layer", "aria-label": label, "data-tip": label, onclick: () => board.zoom(factor) },
      text,
    );
  return h(
    "div",
    { class: "picture-tools" },
    h(
      "div",
      { class: "flow-rounds", role: "group", "aria-label": gettext("Steps") },
      step(-1, gettext("Previous sending or arrival"), "back"),
      step(1, gettext("Next sending or arrival"), "forward"),
      board.where,
    ),
    h(
      "div",
      { class: "layers", role: "group", "aria-label": gettext("Time") },
      zoom(0.5, "−", gettext("A longer time")),
      zoom(2, "+", gettext("A shorter time")),
    ),
    h(
      "div",
      { class: "flow-ask" },
      board.asked,
      h(
        "button",
        { type: "button", class: "button button-small", onclick: () => board.only() },
        gettext("Show only these"),
      ),
    ),
    board.kinds,
  );
}

/**
 * Let pointer and keys act on the board.
 * @param {Messages} board
 */
export function listenToBoard(board) {
  board.place.addEventListener("keydown", (event) => key(board, event));
  board.place.addEventListener("pointermove", (event) => over(board, event));
  board.place.addEventListener("pointerleave", () => {
    board.tip.hidden = true;
  });
  board.place.addEventListener("click", (event) => click(board, event));
  board.place.addEventListener(
    "wheel",
    (event) => {
      if (board.log) {
        event.preventDefault();
        board.zoom(event.deltaY > 0 ? 0.8 : 1.25);
      }
    },
    { passive: false },
  );
}

/**
 * What the pointer is over, in a sentence.
 * @param {Messages} board
 * @param {Element} element
 */
export function wordsAt(board, element) {
  const near = element.closest?.("[data-message], [data-span], [data-lane]");
  const { log } = board;
  if (!near || !log) return "";
  if (near.dataset.message) return tellMessage(log, log.messages[Number(near.dataset.message)], told);
  if (near.dataset.span) return tellSpan(log.spans[Number(near.dataset.span)], told);
  const lane = log.lanes.find((each) => each.id === near.dataset.lane);
  if (!lane) return "";
  return gettext("{label}: {help} Messages in this log: {sent} sent, {received} received.", {
    label: lane.label,
    help: lane.help,
    sent: whole(lane.sent),
    received: whole(lane.received),
  });
}

/**
 * @param {Messages} board
 * @param {PointerEvent} event
 */
function over(board, event) {
  const words = board.log ? wordsAt(board, targetOf(event)) : "";
  board.tip.hidden = !words;
  if (!words) return;
  board.tip.textContent = words;
  placeTip(board.tip, event.clientX, event.clientY);
}

/**
 * @param {Messages} board
 * @param {MouseEvent} event
 */
function click(board, event) {
  const { log } = board;
  const near = log ? targetOf(event).closest?.("[data-message], [data-span], [data-lane]") : null;
  if (!log || !near) return;
  const { message, span, lane } = near.dataset;
  const { studio } = board.desk;
  if (lane) {
    const part = partOf(
      board,
      log.lanes.find((each) => each.id === lane),
    );
    if (part) studio.follow(part);
    return;
  }
  const { task } = message ? log.messages[Number(message)] : log.spans[Number(span)];
  if (task !== null) studio.follow({ kind: "task", task });
}

/**
 * What the inspector calls a lane, if it knows it.
 * @param {Messages} board
 * @param {Lane | undefined} lane
 */
function partOf(board, lane) {
  if (!lane) return null;
  if (lane.stands_for === "machine") return { kind: "machine", machine: lane.number };
  if (lane.stands_for === "owner") return { kind: "owner", owner: lane.number };
  return lane.stands_for === "cluster" ? { kind: "cluster", name: board.desk.meta.clusters[lane.number].name } : null;
}

/**
 * @param {Messages} board
 * @param {KeyboardEvent} event
 */
function key(board, event) {
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowRight: () => board.step(1),
    ArrowLeft: () => board.step(-1),
    "+": () => board.zoom(2),
    "=": () => board.zoom(2),
    "-": () => board.zoom(0.5),
  };
  const act = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? null : acts[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
