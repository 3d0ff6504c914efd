"""Files that a user drops, damaged at random: each gives a cluster, or problems with a place and a sentence.

The work that a file causes is counted in machines, tasks and bytes, never in time.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from scheduler_core import ExperimentError, import_served, read_trace
from scheduler_core.inventory.build.importing import Imported, import_files, write_import
from scheduler_core.inventory.build.served import NEXT_TEXT
from scheduler_core.inventory.kubernetes.pods import time_ns as time_of_kubernetes
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.slurm.texts import hosts
from scheduler_core.inventory.slurm.texts import time_ns as time_of_slurm
from scheduler_core.kube.build import build_model
from scheduler_core.kube.configuration import API, KIND, params_of
from scheduler_core.kube.spec import Cluster, Profile
from scheduler_core.limits import Limits
from scheduler_core.schedulers import scheduler_by_name
from scheduler_core.workload.clusters.file import ClusterFile
from tests.support import PROJECT
from tests.tiers import examples

LIMITS = Limits(tasks=3_000, inventory_machines=200, inventory_pods=1_000, inventory_objects=2_000)
SAMPLES = PROJECT / "fixtures" / "clusters"
LONG_PREFIX = "requests." * 2_000 + "cpu"
DEEP: Any = json.loads("[" * 80 + "]" * 80)
TEXTS = [
    "", "a\0b", "\ud800", "\u202e\u200f\u202d", "x" * 5_000, "9" * 400, "-1", "1e99", "5e-324", "1e308", "NaN", "²",
    "-9223372036854775809", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", LONG_PREFIX,
    "9999-12-31T23:59:59", "0001-01-01T00:00:00", "999999-00:00:00", "[" * 300, "n" * 3_000 + "[1-100000]",
    "n[1-999999999999]", "1_[1-1000000]", "a,b;c|d=e", "Pod", "Node", "Event", "NodeName=", "4611686018427387904",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, [], {}, [[]], [None], {"a": {"b": []}}, DEEP, 0, -1, 3, 2.5, 5e-324, -1e308, 1e308, float("nan"),
    float("inf"), 2**31, 2**62, 2**63, -(2**63) - 1, 10**30, 10**400, *TEXTS,
]  # fmt: skip
#: What a parser of YAML resolves by itself; none of it is what kubectl prints.
YAML = [
    "!!bool x",
    "!!timestamp x",
    "!!int ''",
    "!!float ''",
    "!!binary é",
    "!!set {a: b}",
    "!a b",
    "&a [b]",
    ".nan",
    "-.inf",
    "1:99",
    "0x_",
    "0b1",
    "=",
    "{<<: 3}",
    "{<<: {a: b}}",
    "{? [a] : b}",
    "{null: 1}",
    "{true: 1}",
    "{1.5: 1}",
    "2026-99-99",
    "2026-01-01",
    "2026-01-01T00:00:00+99:99",
    "9" * 30,
    "9" * 5_000,
    '"\\ud800"',
    '"\\0"',
    "[" * 90 + "]" * 90,
    "*a",
    "%",
]

META = {"name": "a", "namespace": "n", "labels": {"app": "x"}, "creationTimestamp": "2026-03-02T10:00:00Z"}
EXPRESSION = {"key": "app", "operator": "In", "values": ["x"]}
TERM = {
    "labelSelector": {"matchExpressions": [EXPRESSION]},
    "topologyKey": "kubernetes.io/hostname",
    "namespaces": ["n"],
}
REQUIRED, PREFERRED = (f"{how}DuringSchedulingIgnoredDuringExecution" for how in ("required", "preferred"))
NODE_TERM = {"matchExpressions": [EXPRESSION], "matchFields": [EXPRESSION | {"key": "metadata.name"}]}
POD_TERMS = {REQUIRED: [TERM], PREFERRED: [{"weight": 5, "podAffinityTerm": TERM}]}
CONTAINER = {
    "resources": {"requests": {"cpu": "100m", "memory": "1Gi", "nvidia.com/gpu": 1}, "limits": {"cpu": 1}},
    "ports": [{"hostPort": 80, "protocol": "TCP"}],
    "restartPolicy": "Always",
}
POD = {
    "kind": "Pod",
    "metadata": META | {"ownerReferences": [{"kind": "Job", "name": "j", "controller": True}]},
    "spec": {
        "containers": [CONTAINER],
        "initContainers": [CONTAINER],
        "overhead": {"cpu": "1m"},
        "nodeName": "node",
        "nodeSelector": {"app": "x"},
        "affinity": {
            "nodeAffinity": {
                REQUIRED: {"nodeSelectorTerms": [NODE_TERM]},
                PREFERRED: [{"weight": 1, "preference": NODE_TERM}],
            },
            "podAffinity": POD_TERMS,
            "podAntiAffinity": POD_TERMS,
        },
        "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 3}],
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "minDomains": 1,
                "topologyKey": "z",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {},
            }
        ],
        "priority": 3,
        "priorityClassName": "c",
    },
    "status": {
        "phase": "Running",
        "startTime": "2026-03-02T10:00:00Z",
        "nominatedNodeName": "node",
        "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-03-02T11:00:00Z"}}}],
    },
}
NODE = {
    "kind": "Node",
    "metadata": META | {"name": "node"},
    "spec": {"taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}], "unschedulable": False},
    "status": {
        "allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "2"},
        "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-03-02T12:00:00Z"}],
    },
}
ENDED = {**POD, "metadata": META | {"name": "e"}, "status": {**POD["status"], "phase": "Succeeded"}}  # type: ignore[dict-item]
WAITS = {**POD, "metadata": META | {"name": "w"}, "spec": {"containers": [CONTAINER]}, "status": {"phase": "Pending"}}
FURTHER = [
    {"kind": "PriorityClass", "metadata": {"name": "c"}, "value": 7, "globalDefault": True},
    {"kind": "Namespace", "metadata": {"name": "n", "labels": {"a": "b"}}},
    {"kind": "PodDisruptionBudget", "metadata": META, "spec": {"selector": {}}, "status": {"disruptionsAllowed": 1}},
    {"kind": "ResourceQuota", "metadata": META, "spec": {"hard": {"requests.cpu": "4", "limits.memory": "1Gi"}}},
    {"kind": "Service", "metadata": META, "spec": {"selector": {"app": "x"}}},
    {
        "kind": "Event", "metadata": {"namespace": "n"}, "reason": "Killing", "eventTime": "2026-03-02T10:30:00Z",
        "involvedObject": {"kind": "Pod", "namespace": "n", "name": "a"},
    },
]  # fmt: skip
KUBERNETES = {
    "apiVersion": "v1",
    "kind": "List",
    "items": [NODE, {**NODE, "metadata": META}, POD, ENDED, WAITS, *FURTHER],
}
SCONTROL = {
    "nodes": [
        {
            "name": "n1",
            "cpus": 4,
            "real_memory": {"set": True, "infinite": False, "number": 1_000},
            "gres": "gpu:a:2",
            "state": ["IDLE"],
            "active_features": ["avx"],
        },
    ],
    "partitions": [
        {
            "name": "p",
            "nodes": {"configured": "n[1-3]"},
            "maximums": {"time": {"set": True, "number": 60}},
            "priority": {"tier": 1},
            "flags": ["DEFAULT"],
        },
    ],
    "last_update": 1,
}
SACCT = (
    "JobID|User|Account|Partition|QOS|State|Submit|Start|End|Elapsed|ElapsedRaw|Timelimit|TimelimitRaw|NNodes|AllocCPUS|"
    "ReqMem|ReqTRES|NodeList|Priority|Dependency|JobName\n"
    "1|u|a|p|q|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:01:00|00:01:00|60|04:00:00|240|2|64|128G|"
    "cpu=64,mem=128G,node=2,gres/gpu=2|n[1-2]|5|afterok:3|j\n"
    "2_[1-3]|u|a|p|q|RUNNING|2026-03-02T00:00:00|2026-03-02T00:00:00|Unknown|00:01:00|60|04:00:00|240|1|4|8Gc||n1|5|"
    "aftercorr:1_*,after:3+5|j\n"
    "3|u|a|p|q|PENDING|2026-03-02T00:00:00|Unknown|Unknown|||UNLIMITED||1|4|8Gn||None assigned|5|singleton,2_3|j\n"
)
NODES = (SAMPLES / "scontrol-nodes.txt").read_text()[:760] + "\n" + (SAMPLES / "scontrol-partitions.txt").read_text()
MACHINES = (SAMPLES / "machines.csv").read_text()
CONFIGURATION = {
    "apiVersion": API, "kind": KIND, "percentageOfNodesToScore": 40, "podInitialBackoffSeconds": 2, "extenders": [],
    "profiles": [
        {
            "schedulerName": "default-scheduler",
            "plugins": {
                "score": {"disabled": [{"name": "*"}], "enabled": [{"name": "NodeResourcesFit", "weight": 5}]},
                "postFilter": {"disabled": [{"name": "DefaultPreemption"}]},
            },
            "pluginConfig": [
                {
                    "name": "NodeResourcesFit",
                    "args": {
                        "scoringStrategy": {
                            "type": "RequestedToCapacityRatio",
                            "resources": [{"name": "cpu", "weight": 1}],
                            "requestedToCapacityRatio": {
                                "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
                            },
                        }
                    },
                }
            ],
        }
    ],
}  # fmt: skip

Change = tuple[int, int, Any]
"""Which place, what happens there, and the odd value for it."""
changes = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 5), st.sampled_from(VALUES)), min_size=1, max_size=3
)
texts = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 5), st.sampled_from(TEXTS)), min_size=1, max_size=3)


def damaged(sample: Any, what: list[Change]) -> Any:
    """Return a copy with values dropped, replaced, put into lists or under other names."""
    made = copy.deepcopy(sample)
    for number, act, odd in what:
        places = list(_places(made))
        if not places:
            break
        inside, key = places[number % len(places)]
        if act == 0:
            del inside[key]
        elif act == 1:
            inside[key] = [inside[key]]
        elif act == 2 and isinstance(inside, dict):
            inside[str(odd)] = inside.pop(key)
        elif act == 3 and isinstance(inside, list):
            inside.append(copy.deepcopy(inside[key]))
        else:
            inside[key] = copy.deepcopy(odd)
    return made


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        if depth < 20:
            yield from _places(value[key], depth + 1)


def damaged_text(sample: str, by: str, what: list[Change]) -> bytes:
    """Return a text with cells dropped, doubled or replaced, as UTF-8 or as bytes that are none."""
    lines = [line.split(by) for line in sample.split("\n")]
    for number, act, odd in what:
        places = [(row, cell) for row, line in enumerate(lines) for cell in range(len(line))]
        row, cell = places[number % len(places)]
        line = lines[row]
        if act == 0 and len(line) > 1:
            del line[cell]
        elif act == 1:
            line.insert(cell, line[cell])
        elif act == 2:
            line[cell] = line[cell].split("=")[0] + "=" + odd
        else:
            line[cell] = odd
    text = "\n".join(by.join(line) for line in lines)
    return text.encode("utf-8", "surrogatepass")


def outcome(folder: Path, content: bytes, key: bytes | None = b"k" * 32) -> Imported | ExperimentError:
    """Import a file as the command line does, and as a server does; both must end in words, or in a cluster."""
    path = folder / "dropped"
    path.write_bytes(content)
    served: ExperimentError | None = None
    try:
        import_served(path, folder / "served.cluster", LIMITS)
    except ExperimentError as error:
        served = error
    try:
        imported = import_files([path], Names(key), {"path": "out.cluster"}, limits=LIMITS)
        if imported.content is not None:
            write_import(imported, folder / "out.json")
            read_trace(folder / "out.cluster", "cluster", LIMITS)
    except ExperimentError as error:
        in_words(error)
        return error
    finally:
        if served is not None:
            in_words(served, placed=False)
    bounded(imported, len(content))
    return imported


def in_words(error: ExperimentError, *, placed: bool = True) -> None:
    """Check that each problem has a place and a sentence that somebody can read."""
    assert 0 < len(error.problems) < 50
    for each in error.problems:
        assert each.message
        assert "Error" not in each.message
        assert len(str(each)) < 2_000
        assert each.path or not placed, each


def bounded(imported: Imported, size: int) -> None:
    """Check that a file makes no more than the limits allow, and names no longer than what it holds."""
    found = imported.found
    assert len(found.machines) <= LIMITS.inventory_machines
    assert len(found.tasks) <= LIMITS.tasks
    assert len(found.unknown.fields) <= 201
    assert len(found.notes) < 100
    names = [each.name for each in (*found.machines, *found.tasks)]
    listed = [one for each in found.objects for one in each.get("nodes", ())]
    assert sum(map(len, (*names, *listed))) <= 2 * size + 600 * (len(names) + len(listed))


def model_of(content: ClusterFile) -> None:
    """Build what a run of the scheduler `kubernetes` decides upon."""
    pods = [{**fields, "namespace": "n", "labels": {}} for fields in content.spec_fields()]
    budgets = [{**each.get("spec", {}), **each.get("status", {})} for each in content.further("PodDisruptionBudget")]
    build_model(Cluster(list(content.nodes()), pods, {"n": {}}, budgets), Profile(), len(pods))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dropped")


def test_the_samples_are_whole(folder: Path) -> None:
    for sample in (json.dumps(KUBERNETES), SACCT, json.dumps(SCONTROL), NODES, MACHINES):
        found = outcome(folder, sample.encode())
        # Jobs alone are no cluster.
        assert isinstance(found, Imported) or (sample == SACCT and "no machines" in str(found)), str(found)
    whole = outcome(folder, json.dumps(KUBERNETES).encode())
    assert isinstance(whole, Imported)
    assert whole.content is not None
    assert not whole.found.unknown.fields
    model_of(whole.content)


def test_times_amounts_and_names_that_would_take_more_than_64_bits_or_all_memory(folder: Path) -> None:
    for time in ("9999-12-31T23:59:59", "1683-01-01T00:00:00", "0001-01-01T00:00:00"):
        assert time_of_slurm(time) is None
        assert time_of_kubernetes(f"{time}Z") is None
    assert hosts("n" * 300 + "[1-100000]") == ["n" * 300 + "[1-100000]"]
    assert Names(b"k").resource(LONG_PREFIX).startswith("requests.resource-")
    cpus = {"limits": {"cpu": "1", "nvidia.com/gpu": 2**61}}
    many = POD | {"spec": {"containers": [CONTAINER | {"resources": cpus}] * 3}}
    far = POD | {"metadata": META | {"creationTimestamp": "9999-12-31T23:59:59Z"}}
    for pod in (many, far):
        assert isinstance(outcome(folder, json.dumps(KUBERNETES | {"items": [NODE, pod]}).encode()), Imported)
    ages = SACCT.replace("00:01:00|60", "999999-00:00:00|999999999999")
    assert isinstance(outcome(folder, f"{NEXT_TEXT.decode()}\n{ages}".encode()), ExperimentError)
    (folder / "nodes").write_text(NODES)
    # The length alone tells when a job ended.
    for told in (ages, ages.replace("2026-03-02T00:01:00|", "Unknown|")):
        (folder / "jobs").write_text(told)
        with_jobs = import_files([folder / "nodes", folder / "jobs"], Names(None), {"path": "x.cluster"}, limits=LIMITS)
        assert max(task.duration_ns for task in with_jobs.found.tasks) < 2**63


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("count,cpus\n1,5e-324\n", "line 2: needs a whole"),
        ("count,cpus,type\n200,1," + "x" * 300, "line 2: has a name of more than"),
        ("count,cpus\n1,1e308\n", "line 2: `cpus` is no number"),
        (NEXT_TEXT.decode() + "x\n1|2\n", "file 1: is not JSON"),
        ("kind: List\nitems: 5\n", "neither JSON nor YAML"),
        ("kind: List\nitems: [!!bool x]\n", "line 2: has a tag"),
        ("kind: List\nitems: [{kind: Pod, null: 1}]\n", "neither JSON nor YAML"),
        (
            json.dumps(KUBERNETES | {"items": [NODE, POD | {"spec": {"priority": 10**30}}]}),
            "priority that is too large",
        ),
    ],
    ids=range(8),
)
def test_an_odd_file_is_refused_with_its_place(folder: Path, text: str, says: str) -> None:
    path = folder / "odd"
    path.write_text(text)
    with pytest.raises(ExperimentError) as refused:
        import_served(path, folder / "odd.cluster", LIMITS)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "content",
    [
        b'{"meta": {"slurm": {}}, "nodes": [{"name": "\xff", "cpus": 4, "real_memory": 1000}]}',
        b'{"kind": "List", "items": [{"kind": "\xff", "apiVersion": "v1"}]}',
        b'{"kind": "List", "items": [{"kind": "Node", "metadata": {"name": "a", "labels": {"\xff": "x"}}}]}',
    ],
    ids=range(3),
)
def test_bytes_that_are_no_text_are_refused_in_words(folder: Path, content: bytes) -> None:
    assert isinstance(outcome(folder, content), ExperimentError)


def test_terms_that_lack_what_kubernetes_demands_are_left_out_and_counted(folder: Path) -> None:
    spread = {"maxSkew": 1, "labelSelector": {}}
    near = {REQUIRED: [{"labelSelector": {}}], PREFERRED: [{"weight": 2**40, "podAffinityTerm": TERM}]}
    spec = {**POD["spec"], "topologySpreadConstraints": [spread], "affinity": {"podAffinity": near}}  # type: ignore[dict-item]
    found = outcome(folder, json.dumps(KUBERNETES | {"items": [NODE, POD | {"spec": spec}]}).encode())
    assert isinstance(found, Imported)
    assert found.content is not None
    model_of(found.content)
    assert {name.split(".")[-1] for name in found.found.unknown.fields} == {
        "topologySpreadConstraints[]", f"{REQUIRED}[]", f"{PREFERRED}[]"
    }  # fmt: skip


@given(what=changes, kept=st.booleans())
@examples(200)
def test_a_damaged_export_of_kubernetes(folder: Path, what: list[Change], kept: bool) -> None:
    found = outcome(folder, json.dumps(damaged(KUBERNETES, what)).encode(), None if kept else b"k" * 32)
    if isinstance(found, Imported) and found.content is not None:
        try:
            model_of(found.content)
        except ExperimentError as error:
            in_words(error)


@given(what=changes, odd=st.sampled_from(YAML))
@examples(150)
def test_a_damaged_list_in_yaml(folder: Path, what: list[Change], odd: str) -> None:
    made = damaged(damaged(KUBERNETES["items"], what), [(what[0][0] * 7, 5, "@@")])
    text = json.dumps(made).replace('"@@"', odd)
    outcome(folder, f"apiVersion: v1\nkind: List\nitems: {text}\n".encode())


@given(what=changes)
@examples(150)
def test_a_damaged_export_of_scontrol(folder: Path, what: list[Change]) -> None:
    outcome(folder, json.dumps(damaged(SCONTROL, what)).encode())


@given(what=texts, sample=st.sampled_from([(SACCT, "|"), (NODES, " "), (MACHINES, ",")]))
@examples(300)
def test_a_damaged_text(folder: Path, what: list[Change], sample: tuple[str, str]) -> None:
    outcome(folder, damaged_text(*sample, what))


@given(what=changes)
@examples(200)
def test_a_damaged_configuration_of_kube_scheduler(what: list[Change]) -> None:
    """Its parameters are in their ranges, but for points that do not rise: the model says that in its own words."""
    try:
        params, left = params_of(damaged(CONFIGURATION, what))
    except ExperimentError as error:
        in_words(error)
        return
    assert len(left) < 40
    try:
        scheduler_by_name("kubernetes").params(**params)
        wrong = set()
    except ValidationError as error:
        wrong = {each["loc"] for each in error.errors()}
    assert wrong <= {("shape",)}
