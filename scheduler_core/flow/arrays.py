"""The arrays of a flow network for repeated solves. They hold all state, so a snapshot is a copy.

Each arc is two *halves*, one at its tail and one at its head, which know each other. The halves of a node lie side by
side, so a search reads memory in order; a node that needs more room moves to a block of twice the size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records, records

# States of a node; from a barren one a search has found nothing, so that none starts there again in this solve.
GONE, FRESH, PRICED, BARREN = range(4)

# In which lists a node is: bits of `listed`. A reused row stays in them.
IN_UNEVEN, IN_FRESH, IN_QUEUE, IN_MOVED = 1, 2, 4, 8
WATCHED = 16
"""Bit of `listed`: whoever made the node wants to know when flow at it moves (`moved`)."""

SMALLEST_BLOCK = 4
BLOCK_SIZES = 28
"""A block has room for SMALLEST_BLOCK << k halves."""

NETWORK = np.dtype(
    [
        ("nodes", "i8"),  # rows of `node` in use or free
        ("free_node", "i8"),
        ("arcs", "i8"),
        ("free_arc", "i8"),
        ("halves", "i8"),
        ("live_nodes", "i8"),
        ("live_arcs", "i8"),
        ("fresh", "i8"),
        ("dirty", "i8"),
        ("uneven", "i8"),
        ("moved_nodes", "i8"),
        ("frontier", "i8"),
        ("ties", "i8"),
        ("closed", "i8"),
        ("search", "i8"),  # number of the search that goes on; nodes remember the last that saw them
        ("cost", "i8"),
        ("supply", "i8"),  # sum over the nodes: 0 in a network with a feasible flow
        ("largest_cost", "i8"),
        ("root", "i8"),  # the node that takes most, or -1: the sink of a scheduler's graph
        # Counters of work, which stand for time: they do not depend on the machine.
        ("searches", "i8"),
        ("scanned", "i8"),
        ("moved", "i8"),
        ("changed", "i8"),
    ]
)

NODE = np.dtype(
    [
        ("first", "i4"),
        ("count", "i4"),
        ("block", "i4"),  # the size of its block is SMALLEST_BLOCK << block; -1 for none
        ("state", "i4"),
        ("supply", "i8"),
        ("excess", "i8"),  # supply + what flows in - what flows out
        ("price", "i8"),
        ("distance", "i8"),
        ("seen", "i4"),
        ("closed", "i4"),
        ("via", "i4"),  # the half by which the search came; of a free row, the next free one
        ("listed", "i4"),
    ]
)

HALF = np.dtype(
    [
        ("to", "i4"),
        ("mate", "i4"),
        ("arc", "i4"),  # twice the arc's number, plus 1 at its head
        ("unused", "i4"),
        ("residual", "i8"),  # what more could flow from here to `to`
        ("back", "i8"),  # what more could flow from `to` to here: the mate's residual
        ("cost", "i8"),
    ]
)

ARC = np.dtype([("half", "i4"), ("dirty", "i4"), ("low", "i8"), ("cap", "i8")])
FRONTIER = np.dtype([("distance", "i8"), ("node", "i8")])


class Net(NamedTuple):
    """A flow network with its flow and its prices."""

    network: Records  # (1,) NETWORK
    node: Records  # (nodes,) NODE
    half: Records  # (halves,) HALF, in blocks
    arc: Records  # (arcs,) ARC
    free_block: npt.NDArray[np.int32]  # (BLOCK_SIZES,): the first free block of each size, -1 for none
    fresh: npt.NDArray[np.int32]  # (nodes,): nodes that have no price yet
    dirty: npt.NDArray[np.int32]  # (arcs,): arcs that may have become better or worse than the prices say
    uneven: npt.NDArray[np.int32]  # (nodes,): nodes with an excess or a deficit
    moved: npt.NDArray[np.int32]  # (nodes,): watched nodes at which flow has moved; whoever reads it empties it
    closed: npt.NDArray[np.int32]  # (nodes,): nodes of one search with a final distance
    ties: npt.NDArray[np.int32]  # (halves + 1,): nodes at the current distance of the search
    frontier: Records  # (halves,) FRONTIER, a heap


def empty_net(nodes: int, arcs: int, halves: int) -> Net:
    """Return an empty network with room for numbers of nodes, arcs and halves (a block is up to twice its content)."""
    net = Net(
        network=records(1, NETWORK),
        node=records(nodes, NODE),
        half=records(halves, HALF),
        arc=records(arcs, ARC),
        free_block=np.full(BLOCK_SIZES, -1, np.int32),
        fresh=np.zeros(nodes, np.int32),
        dirty=np.zeros(arcs, np.int32),
        uneven=np.zeros(nodes, np.int32),
        moved=np.zeros(nodes, np.int32),
        closed=np.zeros(nodes, np.int32),
        ties=np.zeros(halves + 1, np.int32),
        frontier=records(halves, FRONTIER),
    )
    net.network.free_node = net.network.free_arc = net.network.root = -1
    return net


def larger(net: Net, nodes: int, arcs: int, halves: int) -> Net:
    """Return the same network with more room; everything keeps its place."""
    made = empty_net(nodes, arcs, halves)
    for old, new in zip(net, made, strict=True):
        new[: len(old)] = old
    return made
