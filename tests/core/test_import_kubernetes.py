"""Import Kubernetes clusters: what is read, what is dropped, what is refused, and what a run makes of it."""

from __future__ import annotations

import hmac
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from scheduler_core import Experiment, simulate
from scheduler_core.cli.main import main
from scheduler_core.errors import ExperimentError
from scheduler_core.inventory import stream
from scheduler_core.inventory.build.importing import Imported, import_files, write_import
from scheduler_core.inventory.build.tables import _labels
from scheduler_core.inventory.kubernetes.for_pages import as_module
from scheduler_core.inventory.names import Names, new_key
from scheduler_core.inventory.quantities import quantity
from scheduler_core.limits import Limits
from scheduler_core.workload.clusters.file import read_cluster_file
from tests.support import PROJECT
from tools.sample_clusters import node, pod, stamp

SAMPLE = PROJECT / "fixtures" / "clusters" / "kubernetes.json"
KEY = b"k" * 32


def read(tmp_path: Path, *documents: Any, key: bytes | None = None, limits: Limits | None = None) -> Imported:
    paths = []
    for number, document in enumerate(documents):
        path = tmp_path / f"{number}.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        paths.append(path)
    return import_files(paths, Names(key), {"path": "out.cluster"}, limits=limits or Limits())


def items(*things: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": list(things)}


def a_pod(name: str = "p", **spec: Any) -> dict[str, Any]:
    container = {"name": "c", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "n", "creationTimestamp": stamp(100)},
        "spec": {"containers": [container], **spec},
        "status": {"phase": "Running" if "nodeName" in spec else "Pending"},
    }


def test_the_sample_gives_an_experiment_that_runs(tmp_path: Path) -> None:
    out = tmp_path / "e.json"
    assert main(["import-cluster", str(SAMPLE), "--out", str(out), "--json"]) == 0
    result = simulate(Experiment.from_file(out))
    assert result.summary["tasks"]["total"] == 420
    assert result.summary["tasks"]["endless"] == 336
    assert result.summary["tasks"]["completed"] == 84
    key = out.with_suffix(".names-key")
    assert key.stat().st_mode & 0o077 == 0
    # The same files and the same key give the same cluster, byte by byte.
    again = tmp_path / "again.json"
    assert main(["import-cluster", str(SAMPLE), "--out", str(again), "--names-key", str(key)]) == 0
    assert again.with_suffix(".cluster").read_bytes() == out.with_suffix(".cluster").read_bytes()


@pytest.mark.parametrize("scheduler", ["kubernetes", "fifo"])
def test_services_hold_their_machines_and_wait_for_nothing(tmp_path: Path, scheduler: str) -> None:
    """One machine of 16 CPUs: a service holds 10, so of two pending pods with 4 CPUs one fits and then the other."""
    service = a_pod("s", nodeName="node-0000")
    service["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "10"
    service["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "rs", "controller": True}]
    waiting = [a_pod(f"w{number}") for number in range(2)]
    for one in waiting:
        one["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "4"
    imported = read(tmp_path, items(node(0), service, *waiting))
    assert imported.report() | {"notes": [], "not_understood_in": {}} == {
        "source": "kubernetes", "machines": 1, "pods": 3, "placed": 1, "pending": 2, "later": 0, "endless": 1,
        "not_understood": {}, "not_understood_in": {}, "notes": [],
    }  # fmt: skip
    out = tmp_path / "e.json"
    imported.experiment["workload"]["durations"] = {"Pod": {"kind": "constant", "value": 100.0}}
    imported.experiment["scheduler"] = {"name": scheduler}
    write_import(imported, out.with_name("out.json"))
    result = simulate(Experiment.from_file(out.with_name("out.json")))
    starts = sorted(result.tasks["first_start_ns"] // 10**9)
    assert starts == [0, 0, 100]
    assert result.summary["finished"] == "drained"
    assert result.summary["tasks"] == {"total": 3, "completed": 2, "unfinished": 0, "unschedulable": 0, "endless": 1}
    assert result.summary["allocation_delay_s"]["max"] == pytest.approx(100, abs=1)
    # The service is in no wait: two tasks have one, of which one is 100 s.
    assert result.summary["allocation_delay_s"]["mean"] == pytest.approx(50, abs=1)


@pytest.mark.parametrize(
    ("second", "starts"), [("10.0.0.2", [0, 0]), ("10.0.0.1", [0, 50]), ("0.0.0.0", [0, 50]), (None, [0, 50])]
)
def test_a_host_port_is_bound_on_one_address_which_becomes_a_pseudonym(
    tmp_path: Path, second: str | None, starts: list[int]
) -> None:
    """Two pods want the same port of the only machine."""
    pods = [a_pod("a"), a_pod("b")]
    for one, address in zip(pods, ("10.0.0.1", second), strict=True):
        port = {"hostPort": 80} | ({"hostIP": address} if address else {})
        one["spec"]["containers"][0]["ports"] = [port]
    imported = read(tmp_path, items(node(0), *pods), key=KEY)
    assert imported.report()["not_understood"] == {}
    imported.experiment["workload"]["durations"] = {"Pod": {"kind": "constant", "value": 50.0}}
    imported.experiment["scheduler"] = {"name": "kubernetes"}
    write_import(imported, tmp_path / "out.json")
    result = simulate(Experiment.from_file(tmp_path / "out.json"))
    assert sorted(result.tasks["first_start_ns"] // 10**9) == starts
    assert b"10.0.0." not in (tmp_path / "out.cluster").read_bytes() + (tmp_path / "out.json").read_bytes()


def test_claims_of_storage_are_counted_for_each_pod(tmp_path: Path) -> None:
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "c"}}
    pods = [
        a_pod("a", volumes=[claim]),
        a_pod("b", volumes=[claim]),
        a_pod("c", volumes=[{"name": "x", "emptyDir": {}}]),
    ]
    assert read(tmp_path, items(node(0), *pods)).report()["not_understood"] == {
        "Pod.spec.volumes[].persistentVolumeClaim": 2
    }


def test_a_service_needs_a_time_at_which_the_run_stops(tmp_path: Path) -> None:
    service = a_pod("s", nodeName="node-0000")
    service["metadata"]["ownerReferences"] = [{"kind": "DaemonSet", "name": "d", "controller": True}]
    imported = read(tmp_path, items(node(0), service))
    del imported.experiment["stop"]
    write_import(imported, tmp_path / "out.json")
    with pytest.raises(ExperimentError, match="1 tasks of the cluster have no end"):
        simulate(Experiment.from_file(tmp_path / "out.json"))


def test_a_machine_more_leaves_the_others_who_they_are(tmp_path: Path) -> None:
    """Machines are found by group and place, so another count of a group moves no pod to another machine."""
    kinds = [node(0), node(1), node(3), node(4)]
    for it in kinds:
        it["metadata"]["labels"].pop("topology.kubernetes.io/zone")
    pods = [a_pod(f"p{number}", nodeName=f"node-{number:04d}") for number in (0, 1, 3, 4)]
    imported = read(tmp_path, items(*kinds, *pods))
    groups = imported.experiment["topology"]["clusters"][0]["machines"]
    assert [group["count"] for group in groups] == [2, 2]
    imported.experiment["workload"]["durations"] = None
    imported.experiment["stop"] = {"when": "at_s", "at_s": 10.0}
    places = {}
    for first, second in ((2, 2), (3, 2), (1, 2)):
        groups[0]["count"], groups[1]["count"] = first, second
        write_import(imported, tmp_path / "out.json")
        table = simulate(Experiment.from_file(tmp_path / "out.json")).tasks
        places[first] = sorted(table["machine"].tolist())
    assert (places[2], places[3]) == ([0, 1, 2, 3], [0, 1, 3, 4])
    # The pod of the machine that has gone waits, and starts on one of the others.
    assert len(places[1]) == 4
    assert set(places[1]) == {0, 1, 2}


def test_kubernetes_sees_labels_taints_affinity_and_priorities_of_the_file(tmp_path: Path) -> None:
    """By hand: each of four pods that wait can go to one node only, and the last one preempts a pod there."""
    nodes = [node(number) for number in (0, 3, 6, 9)]
    for number, it in enumerate(nodes):
        it["metadata"]["labels"] = {"kubernetes.io/hostname": it["metadata"]["name"], "disk": f"d{number}"}
        it["status"]["allocatable"] = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    nodes[1]["spec"]["taints"] = [{"key": "for", "value": "some", "effect": "NoSchedule"}]
    nodes[3]["spec"]["unschedulable"] = True
    beside = a_pod("beside", nodeName="node-0006")
    beside["metadata"]["labels"] = {"app": "x"}
    low = a_pod("low", nodeName="node-0000", priority=-5)
    low["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "4"
    low["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "rs", "controller": True}]
    tolerant = a_pod("tolerant", priority=30, tolerations=[{"key": "for", "operator": "Exists"}])
    tolerant["spec"]["nodeSelector"] = {"disk": "d1"}
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "kubernetes.io/hostname"}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    friend = a_pod("friend", priority=20, affinity={"podAffinity": required})
    high = a_pod("high", priority=2_000_000_000, affinity={"podAntiAffinity": required})
    imported = read(tmp_path, items(*nodes, beside, low, tolerant, friend, high))
    imported.experiment["workload"]["durations"] = None
    imported.experiment["stop"] = {"when": "at_s", "at_s": 100.0}
    write_import(imported, tmp_path / "out.json")
    content = read_cluster_file(tmp_path / "out.cluster")
    names = content.machines.column("name").to_pylist()
    result = simulate(Experiment.from_file(tmp_path / "out.json"))
    # `low` was preempted at time 0 and waits: the node has 3 CPUs left, and it needs 4. The others run.
    assert (
        sorted(names[one] for one in result.tasks["machine"]) == ["node-0000"] * 2 + ["node-0003"] + ["node-0006"] * 2
    )
    assert result.summary["tasks"] == {"total": 5, "completed": 0, "unfinished": 1, "unschedulable": 0, "endless": 4}
    assert result.summary["counters"]["preemptions"] == 1


def secret_everywhere(thing: Any, secret: str) -> Any:
    """Put fields with a secret into every object."""
    if isinstance(thing, dict):
        planted = {
            name: value if name == "matchLabels" else secret_everywhere(value, secret) for name, value in thing.items()
        }
        return planted | {"note": secret, "password": secret}
    if isinstance(thing, list):
        return [secret_everywhere(value, secret) for value in thing]
    return thing


@pytest.mark.parametrize("key", [KEY, None], ids=["pseudonyms", "names kept"])
def test_no_secret_of_another_field_gets_into_any_output(tmp_path: Path, key: bytes | None, capsys: Any) -> None:
    secret = "hunter2secret"
    named = "plain" if key is None else secret
    it = secret_everywhere(pod(7, 4), secret)
    it["metadata"]["labels"] = {"app": "a"}
    it["spec"]["nodeSelector"] = {"kubernetes.io/os": "linux"}
    it["metadata"]["annotations"] = {secret: secret}
    it["metadata"]["managedFields"] = [{"manager": secret}]
    container = it["spec"]["containers"][0]
    container |= {
        "image": secret, "command": [secret], "env": [{"name": secret, "value": secret}], "name": secret,
        "volumeMounts": [{"name": secret, "mountPath": secret}],
    }  # fmt: skip
    container["resources"] = {"requests": {"cpu": "1", "memory": "1Gi"}}
    it["spec"] |= {
        "volumes": [{"secret": {"secretName": secret}}], "serviceAccountName": secret, "hostAliases": [{"ip": secret}],
        "imagePullSecrets": [{"name": secret}], "hostname": secret, "schedulerName": secret,
    }  # fmt: skip
    it["status"] |= {"message": secret, "podIP": secret, "phase": "Running", "reason": secret}
    machine = secret_everywhere(node(0), secret)
    machine["metadata"]["labels"] = {"kubernetes.io/hostname": "h"}
    machine["status"]["allocatable"] = {"cpu": "8", "memory": "8Gi", "pods": "110", "memory-note": secret}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": named}, "data": {secret: secret}}
    event = {
        "kind": "Event", "metadata": {"name": named}, "reason": secret, "message": secret,
        "involvedObject": {"kind": "Pod", "name": "x", "uid": secret}, "source": {"component": secret},
    }  # fmt: skip
    odd = {"apiVersion": "v1", "kind": named, "metadata": {"name": named}}
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "all.json"
    path.write_text(json.dumps(items(machine, it, config, event, odd) | {"note": secret}))
    options = ["--keep-names"] if key is None else []
    out = tmp_path / "out" / "e.json"
    out.parent.mkdir()
    assert main(["import-cluster", str(path), "--out", str(out), "--json", *options]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["pods"] == found["machines"] == 1
    texts = {"stdout": printed.out, "stderr": printed.err}
    for made in out.parent.iterdir():
        texts[made.name] = made.read_bytes().decode("latin-1")
        if zipfile.is_zipfile(made):
            content = read_cluster_file(made)
            texts["head"] = json.dumps(content.head)
            for name in ("machines", "tasks", "specs", "objects"):
                texts[name] = str(getattr(content, name).to_pydict())
    assert [name for name, text in texts.items() if secret in text] == []


def test_names_become_pseudonyms_and_selectors_still_match(tmp_path: Path) -> None:
    sample = json.loads(SAMPLE.read_text())
    imported = read(tmp_path, sample, key=KEY)
    write_import(imported, tmp_path / "out.json")
    content = read_cluster_file(tmp_path / "out.cluster")
    told = json.dumps([*content.nodes(), *content.pods(), *content.further("PodDisruptionBudget")])
    names = ("node-0007", "replicaset-", "team-", "shop", "zone-a", "example.com", "keep-most")
    assert [name for name in names if name in told] == []
    words = ("topology.kubernetes.io/zone", "ScheduleAnyway", "nvidia.com/gpu", "NoSchedule", "linux")
    assert [word for word in words if word not in told] == []
    spread = [one for one in content.pods() if one.get("topologySpreadConstraints")]
    for one in spread:
        wanted = one["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]
        assert wanted.items() <= one["labels"].items()
    assert {one["priority"] for one in content.pods()} == {1000, 0, -5}
    other = read(tmp_path, sample, key=new_key())
    assert other.found.machines[0].name != imported.found.machines[0].name


def test_what_is_not_understood_is_counted_by_field(tmp_path: Path) -> None:
    gated = a_pod("a", schedulingGates=[{"name": "g"}], futureField={"x": 1})
    gated["spec"]["tolerations"] = [{"operator": "Near", "key": "k"}]
    broken = a_pod("b")
    broken["metadata"]["labels"] = {"app": 3}
    odd = a_pod("c")
    odd["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "many"
    found = read(tmp_path, items(node(0), gated, broken, odd, {"kind": "Gateway"})).report()
    assert found["not_understood"] == {
        "Pod.metadata.labels": 1,
        "Pod.spec.containers[].resources.requests (a quantity)": 1,
        "Pod.spec.futureField": 1,
        "Pod.spec.schedulingGates": 1,
        "Pod.spec.tolerations[].operator": 1,
        "kind Gateway": 1,
    }
    assert found["not_understood_in"]["Pod.spec.futureField"] == ["Pod a"]
    assert found["pods"] == 3


def test_strange_labels_and_priorities_are_accepted(tmp_path: Path) -> None:
    high = a_pod("a", priority=2_000_000_000)
    high["metadata"]["labels"] = {"a-b.c/d": "x=y", "q": "1.2_3-4"}
    low = a_pod("b", priority=-5)
    machine = node(0)
    machine["metadata"]["labels"]["team.example.com/a-b"] = "c=d"
    imported = read(tmp_path, items(machine, high, low))
    write_import(imported, tmp_path / "out.json")
    pods = {one["name"]: one for one in read_cluster_file(tmp_path / "out.cluster").pods()}
    assert pods["a"]["priority"] == 2_000_000_000
    assert pods["b"]["priority"] == -5
    assert pods["a"]["labels"] == {"a-b.c/d": "x=y", "q": "1.2_3-4"}
    simulate(Experiment.from_file(tmp_path / "out.json"))


def test_two_snapshots_give_arrivals_and_ends(tmp_path: Path) -> None:
    def at(seconds_ago: float) -> dict[str, Any]:
        machine = node(0)
        machine["status"]["conditions"][0]["lastHeartbeatTime"] = stamp(seconds_ago)
        return machine

    stays, leaves, told = (a_pod(name, nodeName="node-0000") for name in ("stays", "leaves", "told"))
    for one in (stays, leaves, told):
        one["metadata"]["creationTimestamp"] = stamp(5_000)
    comes = a_pod("comes", nodeName="node-0000")
    comes["metadata"]["creationTimestamp"] = stamp(600)
    comes["status"] = {
        "phase": "Succeeded", "startTime": stamp(590),
        "containerStatuses": [{"state": {"terminated": {"finishedAt": stamp(190)}}}],
    }  # fmt: skip
    end = {
        "kind": "Event", "reason": "Killing", "lastTimestamp": stamp(400),
        "involvedObject": {"kind": "Pod", "namespace": "n", "name": "told"},
    }  # fmt: skip
    imported = read(tmp_path, items(at(1_000), stays, leaves, told), items(at(0), stays, comes), items(end))
    tasks = {task.name: task for task in imported.found.tasks}
    assert imported.found.span_ns == 1_000 * 10**9
    assert tasks["comes"].arrival_ns == 400 * 10**9
    assert tasks["comes"].duration_ns == 400 * 10**9
    assert tasks["told"].duration_ns == 600 * 10**9
    assert 0 <= tasks["leaves"].duration_ns <= 1_000 * 10**9
    assert tasks["stays"].duration_ns == -1
    assert [tasks[name].machine for name in ("stays", "leaves", "comes")] == ["node-0000", "node-0000", ""]


def test_yaml_lines_and_several_files_are_the_same_cluster(tmp_path: Path) -> None:
    whole = read(tmp_path, items(node(0), node(1), pod(0, 2), pod(13, 2)), key=KEY)
    parts = read(tmp_path, items(node(0), pod(13, 2)), items(pod(0, 2)), node(1), key=KEY)
    text = tmp_path / "all.yaml"
    documents = [items(node(0), node(1), pod(0, 2)), pod(13, 2)]
    text.write_text(yaml.safe_dump_all(json.loads(json.dumps(documents))))
    as_yaml = import_files([text], Names(KEY), {"path": "out.cluster"})
    lines = tmp_path / "lines.json"
    lines.write_text("\n".join(json.dumps(one) for one in (node(0), node(1), pod(0, 2), pod(13, 2))))
    as_lines = import_files([lines], Names(KEY), {"path": "out.cluster"})
    typed = read(
        tmp_path, {"kind": "NodeList", "items": [_bare(node(0)), _bare(node(1))]}, items(pod(0, 2), pod(13, 2)), key=KEY
    )
    for other in (parts, as_yaml, as_lines, typed):
        assert sorted(task.name for task in other.found.tasks) == sorted(task.name for task in whole.found.tasks)
        assert {one.name: one for one in other.found.machines} == {one.name: one for one in whole.found.machines}
        assert other.report()["placed"] == whole.report()["placed"]


def _bare(it: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in it.items() if name not in ("kind", "apiVersion")}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"items": [' + '{"a": [' * 80 + "]}" * 80 + "]}", "more than 64 levels"),
        ('{"items": [{"kind": "Pod"', "ends in the middle"),
        ('{"items": [{"kind": "Pod", "metadata": {} {}}]}', "not JSON"),
        ("]", "not in a known format"),
        ('{"kind": "List", "items": []}', "no machines"),
        ('{"items": [{"kind": "Node", "x": "' + "y" * 5_000_000 + '"}]}', "limit 'inventory_object_bytes'"),
        ("kind: List\nitems: &a [{kind: Pod}]\nmore: *a\n", "alias"),
        ("kind: List\nitems: " + "[" * 100 + "]" * 100, "nested too deeply"),
        ("kind: [\n", "neither JSON nor YAML"),
    ],
)
def test_bad_input_is_refused_with_the_place_and_no_traceback(
    tmp_path: Path, capsys: Any, text: str, says: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    assert main(["import-cluster", str(path), "--out", str(tmp_path / "e.json")]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bad.json"]


def test_limits_are_named(tmp_path: Path) -> None:
    for limit in ({"inventory_pods": 1}, {"inventory_machines": 1}, {"inventory_objects": 2}, {"inventory_bytes": 100}):
        with pytest.raises(ExperimentError, match=next(iter(limit))):
            read(tmp_path, items(node(0), node(1), a_pod("a"), a_pod("b")), limits=Limits(**limit))


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1000])
def test_objects_are_found_whatever_the_blocks(tmp_path: Path, monkeypatch: Any, size: int) -> None:
    monkeypatch.setattr(stream, "_BLOCK", size)
    documents = [items({"kind": "Pod", "n": 'a"{]\\', "x": [{"y": []}]}, {"kind": "Node"}), {"kind": "Node", "z": {}}]
    path = tmp_path / "x.json"
    path.write_text(
        "\n".join(json.dumps(one, indent=size % 3) for one in documents) + json.dumps([{"kind": "Pod"}, {}])
    )
    found = [json.loads(one.data) for one in stream.objects(path, Limits())]
    assert found == [*documents[0]["items"], documents[1], {"kind": "Pod"}, {}]


@pytest.mark.parametrize(
    ("text", "amount"),
    [("100m", 1),
     ("1500m", 2), ("1Gi", 2**30), ("1e3", 1000), ("2k", 2000), (3, 3), ("0", 0), ("-1", None), ("x", None),
     ("1E", 10**18), ("9e99", None)],
)  # fmt: skip
def test_quantities_round_up_as_kubernetes_does(text: Any, amount: int | None) -> None:
    assert quantity(text) == amount


def test_effective_requests_count_init_containers_sidecars_and_overhead(tmp_path: Path) -> None:
    """By hand: containers 1 + 2 and a sidecar of 1; an init container of 5 beside it; max(4, 6) + 0.5."""

    def of(cpus: str, **more: Any) -> dict[str, Any]:
        return {"name": "c", "resources": {"requests": {"cpu": cpus}}, **more}

    it = a_pod()
    it["spec"] |= {
        "containers": [of("1"), of("2")],
        "initContainers": [of("1", restartPolicy="Always"), of("5")],
        "overhead": {"cpu": "500m"},
    }
    assert read(tmp_path, items(node(0), it)).found.specs[0].fields["requests"] == {"cpu": 6500}


def test_the_pages_filter_is_made_of_the_same_list() -> None:
    page = PROJECT / "static" / "js" / "features" / "traces" / "cluster_allowed.js"
    assert page.read_text() == as_module(), "python -m scheduler_core.inventory.kubernetes.for_pages > FILE"


COUNTED = {
    "notUnderstood": {"Pod.spec.later": 7, "<b>": 1},
    "notUnderstoodIn": {"Pod.spec.later": ["Pod pod-0123456789ab", "Pod my-secret-name", "<b>"], "<b>": ["Pod"]},
}
"""What a page has counted: fields and objects that have another form are left out."""


def test_what_a_page_has_filtered_is_read_like_the_file_itself(tmp_path: Path) -> None:
    mark = {"kind": "SchedulerPlaygroundFile"}
    lines = [mark, node(0), a_pod("a"), mark, a_pod("b"), mark | COUNTED]
    found = read(tmp_path, "\n".join(json.dumps(one) for one in lines)).report()
    assert (found["machines"], found["pods"]) == (1, 2)
    assert found["not_understood"] == {"Pod.spec.later": 7}
    assert found["not_understood_in"] == {"Pod.spec.later": ["Pod pod-0123456789ab"]}


def test_a_machine_more_of_a_group_has_its_labels(tmp_path: Path) -> None:
    it = node(0)
    it["metadata"]["labels"] = {"kubernetes.io/hostname": "node-0000", "disk": "fast"}
    pods = [a_pod(f"p{number}", nodeSelector={"disk": "fast"}) for number in range(2)]
    for one in pods:
        one["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "16"
    imported = read(tmp_path, items(it, *pods))
    imported.experiment["workload"]["durations"] = {"Pod": {"kind": "constant", "value": 10.0}}
    started = {}
    for count in (1, 2):
        imported.experiment["topology"]["clusters"][0]["machines"][0]["count"] = count
        write_import(imported, tmp_path / "out.json")
        tasks = simulate(Experiment.from_file(tmp_path / "out.json")).tasks
        started[count] = sorted(tasks["first_start_ns"] // 10**9)
    assert started == {1: [0, 10], 2: [0, 0]}


def test_pods_in_a_row_that_are_alike_are_read_like_any_others(tmp_path: Path) -> None:
    small = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}], "strange": 1}
    large = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}], "strange": 1}
    same = [a_pod(f"p{number}", **(large if number in (2, 5) else small)) for number in range(7)]
    # The same fields with another one that is not understood, and the same in another order.
    same.append(a_pod("q0", **large, odd=1))
    same.append(a_pod("q1", **dict(reversed(large.items()))))
    found = read(tmp_path, items(node(0), *same))
    demands = {task.name: found.found.specs[task.spec].demand["cpus"] for task in found.found.tasks}
    assert demands == {f"p{number}": 2000 if number in (2, 5) else 1000 for number in range(7)} | {
        "q0": 2000,
        "q1": 2000,
    }
    assert len(found.found.specs) == 2
    assert found.found.unknown.fields == {"Pod.spec.strange": 9, "Pod.spec.odd": 1}


@pytest.mark.parametrize("key", [KEY, b"short", b"k" * 100])
def test_a_pseudonym_is_an_hmac_of_kind_and_name(key: bytes) -> None:
    names = Names(key)
    for kind, name in (("pod", "web-0"), ("ns", "web-0"), ("pod", "größe"), ("pod", "web-0")):
        digest = hmac.digest(key, f"{kind}:{name}".encode(), "sha256").hex()
        assert names.of(kind, name) == f"{kind}-{digest[:12]}"


def test_labels_filled_by_columns_are_written_like_pairs() -> None:
    rows: list[dict[str, str]] = [{"a": "1", "b": ""}, {}, {"a": "1"}, {"b": "2", "a": "3"}]
    for some in (rows, [], [{}]):
        by_pairs = pa.array([list(one.items()) for one in some], pa.map_(pa.string(), pa.string()))
        written = []
        for column in (by_pairs, _labels(some)):
            buffer = io.BytesIO()
            pq.write_table(pa.table({"labels": column}), buffer, compression="zstd")
            written.append(buffer.getvalue())
        assert written[0] == written[1]
