/**
 * Pictures of a run whose jobs are graphs, in their order. Adding one is a module and a line here.
 *
 * A picture: {id, title, question, needs?(meta), mount(body, desk)}; mount returns any of graphs(graphs), moved(t_ns),
 * selected(selection), shown(), listed(), scene() -> {marks, width, height} for exports.
 */

import gantt from "./gantt.js";
import graph from "./graph.js";
import leftover from "./leftover.js";
import pairs from "./pairs.js";
import shares from "./shares.js";

export const PICTURES = [gantt, graph, shares, leftover, pairs];
