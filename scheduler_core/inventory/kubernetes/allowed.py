"""Which fields of Kubernetes objects are kept, as data. Everything else is dropped before anything is stored.

A tree has the fields of an object; a list of one entry stands for a list of such things. A leaf says what its text is:

| leaf | kept as |
|---|---|
| `int`, `bool`, `time`, `quantity` | it is, if it has this form |
| `word` | it is, if it is in `WORDS` |
| `key`, `value` | key or value of a label: a pseudonym, unless well known (`Names`) |
| `labels`, `resources` | an object of keys and values, or of resources and quantities |
| `address` | the pseudonym of an address; `0.0.0.0`, which stands for all addresses, as it is |
| `name:KIND` | the pseudonym of a name of this kind |
| `kind` | it is, if it is a word; otherwise a pseudonym |
| `drop` | nothing: a known field that no scheduler looks at |
| `tell` | nothing: a field that matters to Kubernetes' scheduler and that we do not carry; it is counted |
| `volumes` | nothing; claims of storage are counted: they may tie a pod to a zone |

A field that is in no tree is counted as not understood. The page filters by this same data before anything is uploaded.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.inventory.words import words

Tree = dict[str, Any]

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104
"""Upstream's address of a host port that is bound on all addresses of its node."""
NEXT_FILE = "SchedulerPlaygroundFile"
"""The kind of an object that stands between the objects of two files, where a page sends several as one."""

WORDS = {
    "Honor",
    *words(
        """
        In NotIn Exists DoesNotExist Gt Lt Equal NoSchedule PreferNoSchedule NoExecute DoNotSchedule
        ScheduleAnyway Ignore Always OnFailure Never PreemptLowerPriority TCP UDP SCTP Running Pending
        Succeeded Failed Unknown True False Ready PodScheduled Initialized ContainersReady DisruptionTarget
        metadata.name IfHealthyBudget AlwaysAllow ReplicaSet StatefulSet DaemonSet Deployment
        ReplicationController Job CronJob Node Pod Service Namespace PriorityClass PodDisruptionBudget
        ResourceQuota Event List default-scheduler Scheduled FailedScheduling Killing Completed Evicted Preempted
        Preempting Started SuccessfulDelete
        """
    ),
}

_REQUIRED, _PREFERRED = (f"{how}DuringSchedulingIgnoredDuringExecution" for how in ("required", "preferred"))
_EXPRESSIONS = [{"key": "key", "operator": "word", "values": ["value"]}]
_FIELDS = [{"key": "word", "operator": "word", "values": ["name:node"]}]
_NODE_TERM = {"matchExpressions": _EXPRESSIONS, "matchFields": _FIELDS}
SELECTOR: Tree = {"matchLabels": "labels", "matchExpressions": _EXPRESSIONS}
_POD_TERM = {
    "labelSelector": SELECTOR,
    "namespaces": ["name:ns"],
    "namespaceSelector": SELECTOR,
    "topologyKey": "key",
    "matchLabelKeys": ["key"],
    "mismatchLabelKeys": ["key"],
}
_LIKED: Tree = {"weight": "int", "podAffinityTerm": _POD_TERM}
_POD_TERMS = {_REQUIRED: [_POD_TERM], _PREFERRED: [_LIKED]}
_PREFERENCE: Tree = {"weight": "int", "preference": _NODE_TERM}
_SPREAD: Tree = {
    "maxSkew": "int",
    "minDomains": "int",
    "topologyKey": "key",
    "whenUnsatisfiable": "word",
    "labelSelector": SELECTOR,
    "matchLabelKeys": ["key"],
    "nodeAffinityPolicy": "word",
    "nodeTaintsPolicy": "word",
}
_CONTAINER = {
    "resources": {"requests": "resources", "limits": "resources", "claims": "tell"},
    "ports": [{"hostPort": "int", "protocol": "word", "hostIP": "address"}],
    "restartPolicy": "word",
}
_DROPPED = (
    "activeDeadlineSeconds automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks ephemeralContainers "
    "hostAliases hostIPC hostPID hostUsers hostname hostnameOverride imagePullSecrets os readinessGates restartPolicy "
    "runtimeClassName securityContext serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace "
    "subdomain terminationGracePeriodSeconds"
)
_POD_SPEC: Tree = {
    "containers": [_CONTAINER],
    "initContainers": [_CONTAINER],
    "overhead": "resources",
    "nodeName": "name:node",
    "nodeSelector": "labels",
    "affinity": {
        "nodeAffinity": {
            _REQUIRED: {"nodeSelectorTerms": [_NODE_TERM]},
            _PREFERRED: [_PREFERENCE],
        },
        "podAffinity": _POD_TERMS,
        "podAntiAffinity": _POD_TERMS,
    },
    "tolerations": [{"key": "key", "operator": "word", "value": "value", "effect": "word", "tolerationSeconds": "int"}],
    "topologySpreadConstraints": [_SPREAD],
    "priority": "int",
    "priorityClassName": "name:class",
    "preemptionPolicy": "word",
    "schedulerName": "word",
    "hostNetwork": "bool",
    "schedulingGates": "tell",
    "volumes": "volumes",
    "resourceClaims": "tell",
    "resources": "tell",
    **dict.fromkeys(_DROPPED.split(), "drop"),
}


def _meta(kind: str, *, labels: bool = False) -> Tree:
    meta: Tree = {"name": f"name:{kind}", "namespace": "name:ns", "creationTimestamp": "time"}
    return meta | ({"labels": "labels"} if labels else {})


_TAINTS = [{"key": "key", "value": "value", "effect": "word", "timeAdded": "drop"}]
_NODE_DROPPED = dict.fromkeys(("podCIDR", "podCIDRs", "providerID", "externalID", "configSource"), "drop")
KINDS: dict[str, Tree] = {
    "Pod": {
        "metadata": {
            **_meta("pod", labels=True),
            "deletionTimestamp": "time",
            "ownerReferences": [{"kind": "kind", "name": "name:owner", "controller": "bool"}],
        },
        "spec": _POD_SPEC,
        "status": {
            "phase": "word",
            "startTime": "time",
            "nominatedNodeName": "name:node",
            "conditions": [{"type": "word", "status": "word", "lastTransitionTime": "time"}],
            "containerStatuses": [{"state": {"terminated": {"startedAt": "time", "finishedAt": "time"}}}],
        },
    },
    "Node": {
        "metadata": _meta("node", labels=True),
        "spec": {"taints": _TAINTS, "unschedulable": "bool", **_NODE_DROPPED},
        "status": {
            "allocatable": "resources",
            "capacity": "resources",
            "conditions": [{"type": "word", "status": "word", "lastHeartbeatTime": "time"}],
        },
    },
    "Namespace": {"metadata": _meta("ns", labels=True)},
    "Service": {"metadata": _meta("service"), "spec": {"selector": "labels"}},
    "ReplicaSet": {"metadata": _meta("owner"), "spec": {"selector": SELECTOR}},
    "StatefulSet": {"metadata": _meta("owner"), "spec": {"selector": SELECTOR}},
    "ReplicationController": {"metadata": _meta("owner"), "spec": {"selector": "labels"}},
    "PriorityClass": {
        "metadata": _meta("class"),
        "value": "int",
        "globalDefault": "bool",
        "preemptionPolicy": "word",
    },
    "PodDisruptionBudget": {
        "metadata": _meta("budget"),
        "spec": {"selector": SELECTOR},
        "status": {"disruptionsAllowed": "int"},
    },
    "ResourceQuota": {"metadata": _meta("quota"), "spec": {"hard": "resources"}},
    "Event": {
        "metadata": {"namespace": "name:ns"},
        "reason": "word",
        "involvedObject": {"kind": "word", "namespace": "name:ns", "name": "name:pod"},
        "eventTime": "time",
        "firstTimestamp": "time",
        "lastTimestamp": "time",
    },
}
_HEAVIEST, _LARGEST = 100, 2**31 - 1
NEEDED = {
    id(tree): needed
    for tree, needed in (
        (_EXPRESSIONS[0], {"key": 0, "operator": 0}),
        (_FIELDS[0], {"key": 0, "operator": 0}),
        (_POD_TERM, {"topologyKey": 0}),
        (_LIKED, {"weight": _HEAVIEST, "podAffinityTerm": 0}),
        (_PREFERENCE, {"weight": _HEAVIEST, "preference": 0}),
        (_SPREAD, {"topologyKey": 0, "maxSkew": _LARGEST}),
        (_TAINTS[0], {"key": 0, "effect": 0}),
    )
}
"""The fields that Kubernetes demands of a thing, by its tree. A number goes from 1 to the one given here."""
