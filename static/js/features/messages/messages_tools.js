/** The controls of the message board, and its pointer and key actions. */

import { tellMessage, tellSpan, told } from "./message_plan.js";
import { whole } from "../../kit/format.js";
import { ICONS, placeTip, targetOf } from "../../kit/dom.js";
import { stepButton } from "../../kit/step_button.js";
import { element, html, made } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Lane } from "./message_plan.js"
 * @import { Messages } from "./messages.js"
 */

/**
 * Return the bar above the board.
 * @param {Messages} board
 */
export function boardTools(board) {
  /**
   * @param {number} by
   * @param {string} label
   * @param {keyof typeof ICONS} path
   */
  const step = (by, label, path) => stepButton(label, ICONS[path], () => board.step(by));
  const [back, forward] = [
    step(-1, gettext("Previous sending or arrival"), "back"),
    step(1, gettext("Next sending or arrival"), "forward"),
  ];
  // A separate element, because the instant changes at every frame and the kinds do not.
  const kinds = made(() => board.kindsView());
  return element(
    "div",
    "picture-tools",
    () => html`
      <div class="flow-rounds" role="group" aria-label=${gettext("Steps")}>${back}${forward}${board.whereView()}</div>
      <div class="layers" role="group" aria-label=${gettext("Time")}>
        ${zoomView(board, 0.5, "−", gettext("A longer time"))}${zoomView(board, 2, "+", gettext("A shorter time"))}
      </div>
      <div class="flow-ask">
        ${taskView(board)}
        <button type="button" class="button button-small" @click=${() => board.only()}
          >${gettext("Show only these")}</button
        >
      </div>
      ${kinds}`,
  );
}

/**
 * Return the field for a task, whose messages alone are then shown.
 * @param {Messages} board
 */
function taskView(board) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      board.only();
    }
    event.stopPropagation();
  };
  const type = (/** @type {Event} */ event) => {
    board.asked.value = targetOf(event).value;
  };
  return html`<input
    class="finder-input"
    type="text"
    inputmode="numeric"
    aria-label=${gettext("Only messages about a task")}
    placeholder=${gettext("Task…")}
    autocomplete="off"
    .value=${board.asked.value}
    @input=${type}
    @keydown=${press}
  />`;
}

/**
 * @param {Messages} board
 * @param {number} factor
 * @param {string} text
 * @param {string} label
 */
const zoomView = (board, factor, text, label) => html`
  <button type="button" class="layer" aria-label=${label} data-tip=${label} @click=${() => board.zoom(factor)}
    >${text}</button
  >`;

/**
 * Wire pointer and keys of the board.
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
 * Describe what the pointer is over.
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
 * Return the inspector's target for a lane, or null.
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
