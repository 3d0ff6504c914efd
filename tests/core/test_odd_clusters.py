"""Exports of clusters that a stranger damaged: each is refused in words, or read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from scheduler_core import ExperimentError, first_rows, import_served, is_cluster_export, read_trace, recognize_trace
from scheduler_core.limits import Limits
from scheduler_core.workload.clusters.file import ClusterFile, read_cluster_file, write_cluster_file
from tests.support import PROJECT

SACCT = "JobID|Submit|Start|End|State|ReqCPUS|Priority|TimelimitRaw|ReqTRES\n"
NODE = "NodeName=n1 CPUTot=4 RealMemory={memory} Gres={gres}\n"
PARTITION = "PartitionName=p Nodes={nodes} PriorityTier={tier}\n"
DIGITS = "9" * 5_000
JSON = (PROJECT / "fixtures" / "clusters" / "kubernetes.json").read_bytes()
PACKED = gzip.compress(JSON)
ODD = {
    "a carriage return inside of a line": b"count\rcpus,memory\n1,2,3\n",
    "a cell beyond the reader's limit": b"count,cpus," + b"x" * 140_000 + b"\n",
    "a digit that is no number": (NODE.format(memory="²", gres="gpu:²") + NODE.format(memory="1", gres="")).encode(),
    "too many digits": (NODE.format(memory=DIGITS, gres=f"gpu:{DIGITS}") + NODE.format(memory=1, gres="")).encode(),
    "a partition of odd numbers": PARTITION.format(nodes=f"n[²-9,1-{DIGITS}]", tier="²").encode(),
    "odd numbers of jobs": (SACCT + f"1|²|{DIGITS}|9999-12-31T00:00:00|PENDING|²|{DIGITS}|²|gres/gpu=²\n").encode(),
    "features and flags of another type": json.dumps(
        {"nodes": [{"name": "n", "cpus": 4, "real_memory": 1, "features": [{}, 1, None]}], "last_update": 1}
    ).encode(),
    "flags that are a number": json.dumps({"partitions": [{"name": "p", "flags": 5}], "last_update": 1}).encode(),
    "bytes that are no UTF-8": JSON.replace(b'"kind"', b'"k\xffnd"', 9),
    "a packed file that was cut off": PACKED[:2_000],
    "a packed file that is damaged": PACKED[:1_000] + bytes(200) + PACKED[1_200:],
    "a packed file with a wrong begin": PACKED[:12] + b"\xff" * 40 + PACKED[52:],
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_export_is_refused_in_words(name: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(ODD[name])
    limits = Limits(jobs=10_000, tasks=10_000, machines=1_000)
    refused: list[ExperimentError] = []
    for act in (
        lambda: None if is_cluster_export(source) else recognize_trace(source),
        lambda: first_rows(source),
        lambda: import_served(source, tmp_path / "target", limits),
    ):
        try:
            act()
        except ExperimentError as error:
            refused.append(error)
    said = [each for error in refused for each in error.problems]
    assert said
    assert all(each.message and len(str(each)) < 2_000 and str(source) not in str(each) for each in said)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> ClusterFile:
    path = tmp_path_factory.mktemp("good") / "good.cluster"
    import_served(PROJECT / "fixtures" / "clusters" / "kubernetes.json", path, Limits())
    return read_cluster_file(path)


def changed(table: pa.Table, name: str, values: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, values)


Change = Callable[[ClusterFile], ClusterFile]
CRAFTED: dict[str, Change] = {
    "a head of another type": lambda it: replace(it, head=it.head | {"queue_of": "x"}),
    "an experiment that is a text": lambda it: replace(it, head=it.head | {"experiment": "x"}),
    "a table without a column": lambda it: replace(it, tasks=it.tasks.drop_columns(["queue"])),
    "texts for numbers": lambda it: replace(
        it, specs=changed(it.specs, "demand.cpus", pa.array(["x"] * it.specs.num_rows))
    ),
    "gaps": lambda it: replace(it, tasks=changed(it.tasks, "priority", pa.nulls(it.tasks.num_rows, pa.int64()))),
    "labels with gaps": lambda it: replace(
        it,
        machines=changed(
            it.machines, "labels", pa.array([[("a", None)]] * it.machines.num_rows, pa.map_(pa.string(), pa.string()))
        ),
    ),
    "fields that are no object": lambda it: replace(
        it, specs=changed(it.specs, "fields", pa.array(["[]"] * it.specs.num_rows))
    ),
    "fields that are no JSON": lambda it: replace(
        it, objects=changed(it.objects, "object", pa.array(["{"] * it.objects.num_rows))
    ),
}
DEPENDENCIES = ('{"of": []}', '{"any": 1, "of": []}', '{"any": true, "of": [["after", "1", -1]]}', '"1"')


def depending(text: str) -> Change:
    return lambda it: replace(
        it, specs=changed(it.specs, "fields", pa.array([f'{{"dependency": {text}}}'] * it.specs.num_rows))
    )


CRAFTED |= {f"a dependency {text}": depending(text) for text in DEPENDENCIES}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_cluster_file_made_by_hand_is_refused_in_words(name: str, good: ClusterFile, tmp_path: Path) -> None:
    write_cluster_file(CRAFTED[name](good), tmp_path / "made.cluster")
    with pytest.raises(ExperimentError) as refused:
        read_trace(tmp_path / "made.cluster", "cluster")
    assert refused.value.problems[0].allowed == "a file of import-cluster"


def test_a_damaged_or_locked_archive_is_refused_in_words(good: ClusterFile, tmp_path: Path) -> None:
    path = tmp_path / "made.cluster"
    write_cluster_file(good, path)
    data = path.read_bytes()
    for odd in (
        data[:-200],
        data[:100] + bytes(200) + data[300:],
        data.replace(b"\x00\x00\x00\x00", b"\x01\x00\x08\x00", 3),
    ):
        path.write_bytes(odd)
        with pytest.raises(ExperimentError):
            read_cluster_file(path)
