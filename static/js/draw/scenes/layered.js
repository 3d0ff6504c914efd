/**
 * A layered graph from left to right: each node lies one layer after its last parent, with few crossings and straight
 * edges where possible. Based on Sugiyama's method, without dummy nodes for edges that pass a layer.
 */

const SWEEPS = 6;

/**
 * Lay out a graph. `parents[i]` lists the nodes that node i depends on, always lower numbers. Return {layer, y, layers,
 * height} in units of a node.
 * @param {number[][]} parents
 */
export function layered(parents) {
  const count = parents.length;
  const layer = new Int32Array(count);
  /** @type {number[][]} */
  const children = Array.from({ length: count }, () => []);
  parents.forEach((own, node) => {
    for (const parent of own) {
      layer[node] = Math.max(layer[node], layer[parent] + 1);
      children[parent].push(node);
    }
  });
  /** @type {number[][]} */
  const layers = Array.from({ length: count ? Math.max(...layer) + 1 : 0 }, () => []);
  for (let node = 0; node < count; node += 1) layers[layer[node]].push(node);
  const y = new Float64Array(count);
  for (const nodes of layers)
    nodes.forEach((node, place) => {
      y[node] = place - (nodes.length - 1) / 2;
    });
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    for (const nodes of forward ? layers : [...layers].reverse()) settle(nodes, forward ? parents : children, y);
  }
  let top = Infinity;
  let bottom = -Infinity;
  for (const value of y) {
    top = Math.min(top, value);
    bottom = Math.max(bottom, value);
  }
  for (let node = 0; node < count; node += 1) y[node] -= top;
  return { layer, y, layers: layers.length, height: count ? bottom - top + 1 : 0 };
}

/**
 * Move a layer's nodes to the mean position of their neighbors, sorted by it, at least 1 apart.
 * @param {number[]} nodes
 * @param {number[][]} neighbours
 * @param {Float64Array} y
 */
function settle(nodes, neighbours, y) {
  /** @type {Map<number, number>} */
  const places = new Map(nodes.map((node) => [node, mean(neighbours[node], y) ?? y[node]]));
  const wanted = (/** @type {number} */ node) => places.get(node) ?? 0;
  nodes.sort((a, b) => wanted(a) - wanted(b) || a - b);
  // Nodes that would overlap form a group at the mean of their desired positions.
  /** @type {{nodes: number[], sum: number, at: number}[]} */
  const groups = [];
  for (const node of nodes) {
    let group = { nodes: [node], sum: wanted(node), at: wanted(node) };
    for (
      let before = groups[groups.length - 1];
      before && before.at + before.nodes.length > group.at;
      before = groups[groups.length - 1]
    ) {
      groups.pop();
      // `at` is the position of the group's first node; the others follow at distance 1.
      const offset = group.nodes.reduce((sum, each, place) => sum + wanted(each) - (before.nodes.length + place), 0);
      const sum = before.sum + offset;
      group = { nodes: [...before.nodes, ...group.nodes], sum, at: sum / (before.nodes.length + group.nodes.length) };
    }
    groups.push(group);
  }
  for (const group of groups)
    group.nodes.forEach((node, place) => {
      y[node] = group.at + place;
    });
}

function mean(/** @type {number[]} */ nodes, /** @type {Float64Array} */ y) {
  if (!nodes.length) return null;
  let sum = 0;
  for (const node of nodes) sum += y[node];
  return sum / nodes.length;
}
