/** An SVG board of messages: lanes with names, time ticks, bars, arrows, and the clock's line. */

import { cutName } from "./message_plan.js";
import { HUES, ownerColour } from "../../kit/palette.js";
import { groupOf } from "../../run/roles.js";
import { ownerOf } from "../../run/sentences.js";
import { svg } from "../../kit/dom.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { BoardPlan, Lane, MessageLog, Style } from "./message_plan.js"
 */

const CLIP = "message-clip";

/**
 * Return the map's hue of a lane's part of the datacenter, or "" if it has no owner.
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {Lane} lane
 */
export function laneColour(meta, picture, lane) {
  const owner = ownerNumber(meta, picture, lane);
  return owner < 0 ? "" : `light-dark(${ownerColour(owner, false)}, ${ownerColour(owner, true)})`;
}

/**
 * @param {Meta} meta
 * @param {Picture | null} picture
 * @param {Lane} lane
 */
function ownerNumber(meta, picture, lane) {
  if (lane.stands_for === "owner") return lane.number;
  if (lane.stands_for === "group") return lane.number % HUES.length;
  if (lane.stands_for !== "machine") return -1;
  if (meta.groups) return groupOf(meta, lane.number) % HUES.length;
  const owner = meta.owners.length ? ownerOf(meta, picture ?? { layers: {} }, lane.number) : -1;
  return owner < meta.owners.length ? owner : -1;
}

/**
 * Return a sample of a kind's arrows.
 * @param {Style} options
 */
export function sample({ role, dash }) {
  return svg(
    "svg",
    { class: `message-sample message-of-${role}`, width: 18, height: 8, "aria-hidden": "true" },
    svg("line", { class: "message-line", x1: 0, x2: 18, y1: 4, y2: 4, "stroke-dasharray": dash }),
  );
}

/**
 * Draw the board. `of`: {log, plan, styles, head (x of the clock), width, height, colour(lane)}.
 * @param {{log: MessageLog, plan: BoardPlan, styles: Record<string, Style>, head: number, width: number, height:
 *   number, colour: (lane: Lane) => string}} options
 */
export function drawBoard({ log, plan, styles, head, width, height, colour }) {
  const colours = new Map(plan.lanes.map(({ lane }) => [lane.id, colour(lane)]));
  return svg(
    "svg",
    { class: "messages", width, height: Math.max(plan.height, height), "aria-hidden": "true" },
    plan.ticks.map((tick) => [
      svg("line", { class: "message-tick", x1: tick.x, x2: tick.x, y1: 16, y2: plan.height }),
      svg("text", { class: "message-time", x: tick.x, y: 12 }, tick.label),
    ]),
    plan.lanes.map(({ lane, y }) => drawLane(lane, y, plan, width, colours.get(lane.id))),
    svg(
      "clipPath",
      { id: CLIP },
      svg("rect", { x: plan.left, y: 0, width: Math.max(0, width - plan.left), height: plan.height }),
    ),
    svg(
      "g",
      { "clip-path": `url(#${CLIP})` },
      plan.bars.map((bar) => drawBar(bar, plan, log, colours.get(bar.span.lane))),
      plan.arrows.map((arrow) => drawArrow(arrow, log, styles[arrow.message.kind])),
    ),
    svg("line", { class: "message-head", x1: head, x2: head, y1: 16, y2: plan.height }),
  );
}

/**
 * @param {Lane} lane
 * @param {number} y
 * @param {BoardPlan} plan
 * @param {number} width
 * @param {string | undefined} colour
 */
function drawLane(lane, y, plan, width, colour) {
  const name = svg(
    "text",
    { class: "message-label", x: plan.left - 10, y: y + 4, "data-lane": lane.id },
    cutName(lane.label, plan.left - 14),
  );
  const tab = svg("rect", {
    class: "message-tab",
    x: plan.left - 6,
    y: y - plan.laneHeight * 0.3,
    width: 4,
    height: plan.laneHeight * 0.6,
    rx: 1,
    "data-lane": lane.id,
  });
  tab.style.color = colour ?? "";
  return [svg("line", { class: "message-lane", x1: plan.left, x2: width, y1: y, y2: y }), name, colour ? tab : null];
}

/**
 * @param {BoardPlan["bars"][number]} bar
 * @param {BoardPlan} plan
 * @param {MessageLog} log
 * @param {string | undefined} colour
 */
function drawBar(bar, plan, log, colour) {
  const element = svg("rect", {
    class: `message-bar is-${bar.state}${bar.span.task === null ? " is-decision" : ""}`,
    x: bar.x,
    y: bar.y - plan.laneHeight / 4,
    width: bar.width,
    height: plan.laneHeight / 2,
    rx: 2,
    "data-span": log.spans.indexOf(bar.span),
  });
  if (colour) element.style.color = colour;
  return element;
}

/**
 * @param {BoardPlan["arrows"][number]} options
 * @param {MessageLog} log
 * @param {Style} options
 */
function drawArrow({ message, state, x1, y1, x2, y2, dot }, log, { role, dash }) {
  const at = Math.atan2(y2 - y1, x2 - x1);
  /** @param {number} turn */
  const wing = (turn) => `${x2 - 7 * Math.cos(at + turn)},${y2 - 7 * Math.sin(at + turn)}`;
  /** @type {SVGElement[]} */
  const parts = [
    svg("line", { class: "message-reach", x1, y1, x2, y2 }),
    svg("line", { class: "message-line", x1, y1, x2, y2, "stroke-dasharray": dash }),
    svg("polygon", { class: "message-tip", points: `${x2},${y2} ${wing(0.4)} ${wing(-0.4)}` }),
  ];
  if (state === "flying") parts.push(svg("circle", { class: "message-dot", cx: dot[0], cy: dot[1], r: 4 }));
  return svg(
    "g",
    { class: `message is-${state} message-of-${role}`, "data-message": log.messages.indexOf(message) },
    parts,
  );
}
