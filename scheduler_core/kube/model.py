"""The arrays of a Kubernetes cluster: nodes, pods, and how many pods match each selector in each topology domain.

Strings exist only while a model is built (kube.build). Here labels, taints, selectors and topology keys are numbers.

**Classes.** Pods with the same namespace, labels and specification share a row of CLASS. Ranges of flat arrays hold
what a class asks for.

**Counters.** A counter belongs to a selector (or to the owners of an affinity term) and to a topology key. It holds a
number for each domain of the key, that is, for each value of the label. `count_pod` updates the counters when a pod
comes or goes, so no decision walks over the pods of the cluster.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scheduler_core.engine.records import Records

# Filter plugins, as bits of a mask.
NODE_UNSCHEDULABLE, NODE_NAME, TAINT_TOLERATION, NODE_AFFINITY, NODE_PORTS, NODE_RESOURCES_FIT = 1, 2, 4, 8, 16, 32
POD_TOPOLOGY_SPREAD, INTER_POD_AFFINITY = 64, 128
ALL_FILTERS = 255

# Score plugins: rows of `points`, and of `weight`.
TAINTS, AFFINITY, SPREAD, POD_AFFINITY, FIT, BALANCED, IMAGES = range(7)
SCORES = 7

# Why a node refuses a pod: the low bits of a verdict. 0: it does not.
FEASIBLE, CORDONED, OTHER_NAME, TAINTED, OTHER_LABELS, NOT_ENFORCED, PORTS_TAKEN, TOO_LITTLE = range(8)
NO_DOMAIN, SKEWED, NO_COMPANY, OWN_ANTI, THEIR_ANTI, NOT_NAMED, CONFLICT, NO_VICTIMS, NO_HELP = range(8, 17)
KINDS = 17
KIND_MASK = 31
UNRESOLVABLE = 32
"""Bit of a verdict: preemption cannot help on this node."""
LACKING = 8
"""A verdict of TOO_LITTLE has bit LACKING + r for each resource r that the node lacks."""
MOST_RESOURCES = 48

# What a node's labels and taints refuse: bits of `static`.
REFUSED_NAME, REFUSED_TAINT, REFUSED_ENFORCED, REFUSED_LABELS = 1, 2, 4, 8

# Resources that every model has.
PODS, CPU, MEMORY, STORAGE = range(4)

LEAST_ALLOCATED, MOST_ALLOCATED, REQUESTED_TO_CAPACITY = range(3)
MAX_NODE_SCORE = 100

NODE = np.dtype(
    [
        ("head", "i4"),  # its pods, a list in order of their coming
        ("tail", "i4"),
        ("nominee", "i4"),  # the first of the pods that are nominated to it
        ("cordoned", "i4"),  # 1: unschedulable
        ("down", "i4"),  # 1: not ready, which counts as a taint that nobody tolerates
        ("version", "i4"),  # changes with whatever `cached` depends on
    ]
)

POD = np.dtype(
    [
        ("priority", "i8"),
        ("start_ns", "i8"),  # NEVER: not started, later than any other
        ("klass", "i4"),
        ("node", "i4"),
        ("next", "i4"),  # in its node's list
        ("previous", "i4"),
        ("nominated", "i4"),  # node
        ("next_nominee", "i4"),
        ("terminating", "i4"),  # 1: has a deletion time; 2: because of a preemption
        ("mark", "i4"),  # scratch of preemption: violating, victim
    ]
)

CLASS = np.dtype(
    [
        ("group", "i4"),  # of namespace and labels
        ("look", "i4"),  # row of `static`
        ("prefer", "i4"),  # rows of `affinity_raw`, `taint_raw` and `image_raw`; NOBODY: none
        ("taints", "i4"),
        ("images", "i4"),
        ("tolerates_cordon", "i4"),
        ("cached", "i4"),  # row of `cached`; NOBODY: none
        ("alone", "i4"),  # 1: no pod on another node matters to its filters
        ("never", "i4"),  # 1: preemptionPolicy Never
        ("prefers_pods", "i4"),  # 1: has preferred terms of pod affinity or anti-affinity
        ("matches_itself", "i4"),  # 1: matches all of its required terms of pod affinity
        ("all_keys", "i4"),  # 1: nodes that lack a topology key of a soft constraint score 0
        ("named", "i4"),  # 1: only the nodes of its range of `only`; 2: its terms conflict
        ("first_only", "i4"),
        ("end_only", "i4"),
        ("first_update", "i4"),
        ("end_update", "i4"),
        ("first_need", "i4"),  # ranges of `reading`: required affinity, own anti-affinity, others' anti-affinity
        ("end_need", "i4"),
        ("first_avoid", "i4"),
        ("end_avoid", "i4"),
        ("first_theirs", "i4"),
        ("end_theirs", "i4"),
        ("first_own", "i4"),  # preferred terms, others' preferred terms, others' required affinity
        ("end_own", "i4"),
        ("first_liked", "i4"),
        ("end_liked", "i4"),
        ("first_hard", "i4"),
        ("end_hard", "i4"),
        ("first_must", "i4"),  # ranges of `spread`: DoNotSchedule, ScheduleAnyway
        ("end_must", "i4"),
        ("first_soft", "i4"),
        ("end_soft", "i4"),
        ("first_port", "i4"),  # ranges of `port`: its own, and those that conflict with them
        ("end_port", "i4"),
        ("first_clash", "i4"),
        ("end_clash", "i4"),
        ("first_budget", "i4"),  # range of `guarded`: the disruption budgets that match it
        ("end_budget", "i4"),
    ]
)

COUNTER = np.dtype(
    [
        ("first", "i8"),  # of its domains in `tally` and `counted`
        ("total", "i8"),
        ("key", "i4"),  # row of `domain`
        ("domains", "i4"),
        ("eligible", "i4"),  # row of `eligible`: the nodes that count; NOBODY: all
        ("present", "i4"),  # domains with an eligible node
    ]
)

UPDATE = np.dtype([("counter", "i4"), ("amount", "i4"), ("live", "i4"), ("unused", "i4")])
"""What a pod adds to a counter; `live` 1: not while it terminates."""

READING = np.dtype([("counter", "i4"), ("weight", "i4")])
"""A counter that decides about a class, with the weight of what it counts."""

CONSTRAINT = np.dtype(
    [
        ("counter", "i4"),
        ("key", "i4"),
        ("max_skew", "i4"),
        ("min_domains", "i4"),
        ("itself", "i4"),  # 1: the pod matches its own selector
        ("by_host", "i4"),  # 1: the key is the host name, and the counter counts by node
    ]
)
"""A topology spread constraint."""

BUDGET = np.dtype([("allowed", "i8"), ("left", "i8")])
"""A disruption budget: how many disruptions it allows, and scratch."""

CACHED = np.dtype([("verdict", "i8"), ("version", "i4"), ("fit", "i2"), ("balance", "i2")])
"""What a node of a version says to a class: its verdict, and if it is feasible the two scores by resources."""

CANDIDATE = np.dtype([("violations", "i4"), ("victims", "i4"), ("top", "i8"), ("total", "i8"), ("start_ns", "i8")])
"""What preemption would do on a node: victims, the highest of their priorities, the sum of (priority + 2^31), and the
earliest start among those of the highest priority. 0 victims: the node is no candidate."""

SETTINGS = np.dtype(
    [
        ("weight", "i8", (SCORES,)),
        ("strategy", "i8"),
        ("percentage", "i8"),  # of nodes to score; 0: adaptive
        ("candidate_percentage", "i8"),  # of preemption's candidates, and the least number
        ("candidate_least", "i8"),
        ("hard_weight", "i8"),  # hardPodAffinityWeight
        ("ignore_preferred", "i8"),  # ignorePreferredTermsOfExistingPods
        ("filters", "i8"),
        ("offset", "i8"),  # preemption starts at this one of the nodes where it may help
        ("next_start", "i8"),  # of the search for feasible nodes
        ("nominees", "i8"),  # nominated pods
        ("shape_points", "i8"),
        ("found", "i8"),  # results of the last search: feasible nodes, and
        ("examined", "i8"),  # nodes that it looked at
        ("chosen", "i8"),
    ]
)


class Model(NamedTuple):
    """N nodes, P pods, C classes, R resources, K topology keys; other lengths as the classes need them."""

    settings: Records  # (1,) SETTINGS
    node: Records  # (N,) NODE
    pod: Records  # (P,) POD
    klass: Records  # (C,) CLASS
    capacity: npt.NDArray[np.int64]  # (N, R): allocatable, in millicores, bytes and pieces
    used: npt.NDArray[np.int64]  # (N, R): requested by the node's pods; resource PODS counts them
    scored: npt.NDArray[np.int64]  # (N, R): the same as scores count it
    request: npt.NDArray[np.int64]  # (C, R)
    scoring: npt.NDArray[np.int64]  # (C, R): requests as scores count them
    resource: npt.NDArray[np.int64]  # (4, R): weight in the fit score, weight in balance (0, 1), extended, ignored
    shape: npt.NDArray[np.int64]  # (points, 2): utilization and score of the broken line
    static: npt.NDArray[np.uint8]  # (shapes, N): bits REFUSED_*
    affinity_raw: npt.NDArray[np.int32]  # (.., N): sums of weights of preferred node affinity
    taint_raw: npt.NDArray[np.int32]  # (.., N): PreferNoSchedule taints that are not tolerated
    image_raw: npt.NDArray[np.int32]  # (.., N): scores of images
    only: npt.NDArray[np.int32]  # nodes that classes name
    domain: npt.NDArray[np.int32]  # (K, N): number of the node's domain, NOBODY without the label
    eligible: npt.NDArray[np.uint8]  # (.., N)
    counter: Records  # COUNTER
    tally: npt.NDArray[np.int32]  # (all domains of all counters,)
    counted: npt.NDArray[np.uint8]  # 1: the domain has an eligible node
    update: Records  # UPDATE
    reading: Records  # READING
    spread: Records  # CONSTRAINT
    port: npt.NDArray[np.int32]  # numbers of host ports
    taken: npt.NDArray[np.int32]  # (host ports, N): pods that hold the port
    guarded: npt.NDArray[np.int32]  # numbers of budgets
    budget: Records  # BUDGET
    cached: Records  # (classes, N) CACHED, as many classes as there is room for
    verdict: npt.NDArray[np.int64]  # (N,): why each node refuses, of the last search
    feasible: npt.NDArray[np.int32]  # (N,): nodes that the last search found
    points: npt.NDArray[np.int64]  # (SCORES, N): of each found node
    total: npt.NDArray[np.int64]  # (N,)
    low: npt.NDArray[np.int64]  # (constraints of a class,): least count in a domain
    log_weight: npt.NDArray[np.float64]  # (constraints of a class,)
    seen: npt.NDArray[np.int32]  # (domains of a key,): scratch of counting domains
    candidate: Records  # (N,) CANDIDATE
    removed: npt.NDArray[np.int32]  # (P,): scratch of preemption
