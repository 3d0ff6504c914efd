/** A network's picture for the canvas: its scene, what a point hits, and how it moves. */

import { tellArc, tellNode } from "./network.js";
import { keepIn, networkAt, networkHit, networkScene, networkStep, WHOLE, zoomAt } from "./network_scene.js";
import { askWay } from "./flow_asking.js";

/** What CanvasPicture draws and asks. */
export function flowModel(flow) {
  const size = () => ({ width: flow.picture.width, height: flow.picture.height, idle: flow.idle });
  return {
    scene: (width, height) =>
      flow.network
        ? networkScene(flow.network, flow.plan, flow.camera, {
            width,
            height,
            over: flow.over,
            idle: flow.idle,
            way: flow.way,
          })
        : [],
    hit: (x, y) => (flow.network ? networkHit(flow.network, flow.plan, flow.camera, size(), x, y) : null),
    tell: (item) =>
      !flow.network
        ? ""
        : item.kind === "node"
          ? tellNode(flow.network, item.node)
          : tellArc(flow.network, flow.network.arcs[item.arc]),
    pick: (item) => {
      const node =
        item.kind === "node" ? flow.network.nodes[item.node] : flow.network.nodes[flow.network.arcs[item.arc].tail];
      if (node.kind === "task" && node.members === 1) askWay(flow, node.number);
    },
    step: (item, dx, dy) =>
      flow.network ? networkStep(flow.network, flow.plan, item, dx, dy, { idle: flow.idle }) : null,
    at: (item) => networkAt(flow.network, flow.plan, flow.camera, size(), item),
    reveal: (item) => {
      const [, y] = networkAt(flow.network, flow.plan, flow.camera, size(), item);
      const away = y < 60 ? 60 - y : y > flow.picture.height - 60 ? flow.picture.height - 60 - y : 0;
      flow.camera = keepIn({ ...flow.camera, y: flow.camera.y + away }, flow.picture.height);
    },
    over: (item) => {
      flow.over = item;
      flow.picture.draw();
    },
    zoom: (factor, _x, y) => {
      flow.camera = zoomAt(flow.camera, factor, y, flow.picture.height);
    },
    pan: (_dx, dy) => {
      flow.camera = keepIn({ ...flow.camera, y: flow.camera.y + dy }, flow.picture.height);
    },
    fit: () => {
      flow.camera = WHOLE;
    },
  };
}
