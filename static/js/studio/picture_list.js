/**
 * The pictures for runs with job graphs, flow networks, pipelines or messages, in order. A new one is a module and a
 * line here.
 *
 * features/graphs/desk.js defines Picture and Mounted. Pictures of networks are `own`: they fetch their data when
 * run(session) announces a run, whatever its state.
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
