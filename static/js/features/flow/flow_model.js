/** The canvas model of a network: its scene, its hit test, and its camera. */

import { tellArc, tellNode } from "./network.js";
import { keepIn, networkAt, networkHit, networkScene, networkStep, WHOLE, zoomAt } from "./network_scene.js";
import { askWay } from "./flow_asking.js";

/**
 * @import { FlowPicture } from "./flow.js"
 * @import { NetworkItem } from "./network_scene.js"
 */

/**
 * Return the model of a CanvasPicture.
 * @param {FlowPicture} flow
 */
export function flowModel(flow) {
  const size = () => ({ width: flow.picture.width, height: flow.picture.height, idle: flow.idle.value });
  const placeOf = (/** @type {NetworkItem} */ item) =>
    flow.drawn && flow.plan ? networkAt(flow.drawn, flow.plan, flow.camera, size(), item) : [0, 0];
  return {
    scene: (/** @type {number} */ width, /** @type {number} */ height) =>
      flow.drawn && flow.plan
        ? networkScene(flow.drawn, flow.plan, flow.camera, {
            width,
            height,
            over: flow.over,
            idle: flow.idle.value,
            way: flow.way,
          })
        : [],
    hit: (/** @type {number} */ x, /** @type {number} */ y) =>
      flow.drawn && flow.plan ? networkHit(flow.drawn, flow.plan, flow.camera, size(), x, y) : null,
    tell: (/** @type {NetworkItem} */ item) =>
      !flow.drawn
        ? ""
        : item.kind === "node"
          ? tellNode(flow.drawn, item.node)
          : tellArc(flow.drawn, flow.drawn.arcs[item.arc]),
    pick: (/** @type {NetworkItem} */ item) => {
      const { drawn: network } = flow;
      const node = network?.nodes[item.kind === "node" ? item.node : network.arcs[item.arc].tail];
      if (node?.kind === "task" && node.members === 1) askWay(flow, node.number);
    },
    step: (/** @type {NetworkItem | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) =>
      flow.drawn && flow.plan ? networkStep(flow.drawn, flow.plan, item, dx, dy, { idle: flow.idle.value }) : null,
    at: (/** @type {NetworkItem} */ item) => placeOf(item),
    reveal: (/** @type {NetworkItem} */ item) => {
      const [, y] = placeOf(item);
      const away = y < 60 ? 60 - y : y > flow.picture.height - 60 ? flow.picture.height - 60 - y : 0;
      flow.camera = keepIn({ ...flow.camera, y: flow.camera.y + away }, flow.picture.height);
    },
    over: (/** @type {NetworkItem | null} */ item) => {
      flow.over = item;
      flow.picture.draw();
    },
    zoom: (/** @type {number} */ factor, /** @type {number} */ _x, /** @type {number} */ y) => {
      flow.camera = zoomAt(flow.camera, factor, y, flow.picture.height);
    },
    pan: (/** @type {number} */ _dx, /** @type {number} */ dy) => {
      flow.camera = keepIn({ ...flow.camera, y: flow.camera.y + dy }, flow.picture.height);
    },
    fit: () => {
      flow.camera = WHOLE;
    },
  };
}
