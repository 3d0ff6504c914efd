/**
 * Pictures of a run whose jobs are graphs, or whose scheduler solves networks, is a pipeline or tells its messages, in
 * their order. Adding one is a module and a line here.
 *
 * What a picture is and what it may be told: Picture and Mounted in features/graphs/desk.js. Pictures of networks are
 * their `own`: they fetch what they show when run(session) tells them of a run, whatever its state.
 */

import stages from "../features/composer/composer.js";
import flow from "../features/flow/flow.js";
import gantt from "../features/graphs/gantt.js";
import given from "../features/graphs/given.js";
import graph from "../features/graphs/graph.js";
import leftover from "../features/graphs/leftover.js";
import messages from "../features/messages/messages.js";
import pairs from "../features/graphs/pairs.js";
import race from "../features/flow/race.js";
import shares from "../features/graphs/shares.js";
import turns from "../features/graphs/turns.js";

export const PICTURES = [stages, gantt, given, turns, graph, shares, leftover, pairs, flow, race, messages];
