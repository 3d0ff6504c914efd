"""Import Slurm clusters and CSV files of machines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from scheduler_core.cli.main import main
from scheduler_core.errors import ExperimentError
from scheduler_core.inventory.build.importing import Imported, import_files
from scheduler_core.inventory.build.served import NEXT_TEXT, import_served, is_cluster_export, served_facts
from scheduler_core.inventory.names import Names
from scheduler_core.inventory.slurm.texts import array_tasks, duration_s, gpus, hosts, memory_bytes
from scheduler_core.limits import DEFAULT_LIMITS, Limits
from tests.support import PROJECT

SAMPLES = PROJECT / "fixtures" / "clusters"
NODES = "NodeName=n1 CPUTot=8 RealMemory=1000 State=IDLE\n\nNodeName=n2 CPUTot=8 RealMemory=1000 State=IDLE\n"


def read(tmp_path: Path, sacct: str, nodes: str = NODES, states: str = "") -> Imported:
    files = {"sacct.txt": sacct, "nodes.txt": nodes}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return import_files([tmp_path / name for name in files], Names(None), {"path": "o.cluster"}, states=states)


def test_the_sample_gives_an_experiment_that_runs(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "e.json"
    files = [str(path) for path in sorted(SAMPLES.glob("s*.txt"))]
    assert main(["import-cluster", *files, "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    # 240 jobs, of which every sixth was cancelled, and an array of 20 that waits.
    assert (found["machines"], found["jobs"], found["pending"]) == (24, 220, 20)
    assert found["not_understood"] == {}
    assert simulate(Experiment.from_file(out)).summary["jobs"] == {"total": 220, "completed": 220}


def test_steps_belong_to_their_jobs_and_cancelled_jobs_are_chosen_by_state(tmp_path: Path) -> None:
    sacct = (
        "JobID|State|Submit|Start|End|AllocCPUS\n"
        "1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T00:02:00|4\n"
        "1.batch|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:01:00|2026-01-01T00:02:00|4\n"
        "1.extern|COMPLETED|||||\n1.0|FAILED|||||\n"
        "2|CANCELLED by 17|2026-01-01T00:00:30|Unknown|2026-01-01T00:00:40|4\n"
    )
    assert read(tmp_path, sacct).report()["jobs"] == 1
    assert read(tmp_path, sacct, states="all").report()["jobs"] == 2
    assert read(tmp_path, sacct, states="cancelled").report()["jobs"] == 1
    with pytest.raises(ExperimentError, match="--states"):
        read(tmp_path, sacct, states="GONE")


def test_a_short_line_that_asks_for_many_tasks_or_names_is_refused_or_cut(tmp_path: Path) -> None:
    assert hosts("n[1-999999999999],m", 3) == ["n1", "n2", "n3"]
    assert hosts("a[1,2]b,c") == ["a1b", "a2b", "c"]
    few = Limits(tasks=1_000, inventory_objects=1_000)
    for name, text, limit in (
        ("sacct.txt", "JobID|Submit|State|NNodes\n1_[1-10]|2026-01-01T00:00:00|PENDING|1000\n", "tasks"),
        ("scontrol.txt", "PartitionName=p Nodes=n[1-900]\n" * 2, "inventory_objects"),
    ):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(ExperimentError, match=f"limit '{limit}'"):
            import_files([path], Names(None), {"path": "x"}, limits=few)


@pytest.mark.wide
def test_no_long_line_takes_quadratic_time() -> None:
    # With 20 s of processor time: in quadratic time each takes many minutes, in linear time all of them one second.
    code = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from pathlib import Path
from tempfile import TemporaryDirectory
from scheduler_core.inventory.slurm.texts import gpus, hosts
from scheduler_core.workload.readers.archives import _Parted
from scheduler_core.workload.readers.gwf_workflows import _WithoutHeader
assert len(hosts("a," * 1_000_000, 5)) == 5
assert gpus("(" * 1_000_000) == 0
with TemporaryDirectory() as folder:
    path = Path(folder) / "x"
    path.write_bytes((b"1" + b" " * 250_000 + b"2\\n") * 8)
    with _Parted(path) as file:
        assert file.read(1 << 22) == b"1,2\\n" * 8
    path.write_bytes(b"\\n" * 1_000_000 + b"#")
    with _WithoutHeader(path) as file:
        assert file.read(1 << 21).endswith(b"#")
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=False).returncode == 0


def test_arrays_are_expanded(tmp_path: Path) -> None:
    rows = ("7_3|COMPLETED", "7_[4-10%2]|PENDING", "8_[1,3,5-9:2]|PENDING")
    sacct = "JobID|State|Submit\n" + "".join(f"{row}|2026-01-01T00:00:00\n" for row in rows)
    found = read(tmp_path, sacct).report()
    assert found["jobs"] == 1 + 7 + 5
    assert found["pending"] == 7 + 5


def test_running_jobs_are_placed_where_they_are(tmp_path: Path) -> None:
    sacct = (
        "JobID|State|Submit|Start|End|ReqCPUS|NNodes|NodeList|ReqMem|ReqTRES\n"
        "1|RUNNING|2026-01-01T00:00:00|2026-01-01T00:01:00|Unknown|8|2|n[1-2]|100M|\n"
        "2|PENDING|2026-01-01T00:00:00|Unknown|Unknown|4|1|None assigned|2Gc|cpu=4,mem=8G,gres/gpu=1\n"
    )
    imported = read(tmp_path, sacct)
    first = [(task.machine, task.started_ns) for task in imported.found.tasks]
    assert first == [("n1", 0), ("n2", 0), ("", None)]
    assert imported.report() | {"notes": []} == {
        "source": "slurm", "machines": 2, "jobs": 2, "tasks": 3, "placed": 2, "pending": 1, "later": 0,
        "endless": 0,
        "not_understood": {"resource gpus: no machine has it": 1},
        "not_understood_in": {"resource gpus: no machine has it": []}, "notes": [],
    }  # fmt: skip


def test_nodes_as_text_on_one_line_and_as_json_are_the_same(tmp_path: Path) -> None:
    gres = "gpu:a:2(S:0-1),gpu:b:1"
    text = f"NodeName=n1 CPUTot=64 RealMemory=2000 Gres={gres} State=IDLE+DRAIN ActiveFeatures=f Reason=a b\n"
    sacct = "JobID|State|Submit\n1|PENDING|2026-01-01T00:00:00\n"
    blocks = text.replace(" ", "\n   ")
    thing = {
        "name": "n1", "cpus": 64, "real_memory": {"set": True, "infinite": False, "number": 2000}, "gres": gres,
        "state": ["IDLE", "DRAIN"], "active_features": ["f"], "comment": "secret",
    }  # fmt: skip
    as_json = json.dumps(
        {"meta": {"slurm": {"version": {"major": "24"}}}, "nodes": [thing], "errors": [], "last_update": 1}
    )
    found = [read(tmp_path, sacct, nodes).found.machines for nodes in (text, blocks, as_json)]
    assert found[0] == found[1] == found[2]
    assert found[0][0].capacity == {"cpus": 64_000, "memory_gb": 2_097, "gpus": 3_000}
    assert found[0][0].unschedulable


def test_private_columns_are_dropped_and_unknown_ones_are_counted(tmp_path: Path) -> None:
    head = "JobID|State|Submit|JobName|WorkDir|SubmitLine|Comment|User|Telepathy"
    sacct = f"{head}\n1|PENDING|2026-01-01T00:00:00" + "|s3cret" * 6 + "\n"
    (tmp_path / "s.txt").write_text(sacct)
    (tmp_path / "n.txt").write_text(NODES.replace("State", "Comment=s3cret Reason=s3cret State"))
    out = tmp_path / "out" / "e.json"
    out.parent.mkdir()
    assert main(["import-cluster", str(tmp_path / "s.txt"), str(tmp_path / "n.txt"), "--out", str(out)]) == 0
    assert not [one for one in out.parent.iterdir() if b"s3cret" in one.read_bytes()]
    assert read(tmp_path, sacct).report()["not_understood"] == {"column telepathy": 1}


def test_machines_only(tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    assert main(["import-cluster", str(SAMPLES / "machines.csv"), "--out", str(out)]) == 0
    experiment = Experiment.from_file(out)
    assert [(group.count, group.cpus) for cluster in experiment.topology.clusters for group in cluster.machines] == [
        (40, 16),
        (10, 64),
        (4, 32),
    ]
    (tmp_path / "bad.csv").write_text("count,cpus\n2.5,4\n")
    with pytest.raises(ExperimentError, match=r"bad.csv: line 2"):
        import_files([tmp_path / "bad.csv"], Names(None), {"path": "x"})


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (array_tasks("1-3,7%2"), [range(1, 4), range(7, 8)]), (array_tasks("0-9:3"), [range(0, 10, 3)]),
        (array_tasks("5"), [range(5, 6)]), (array_tasks("9-1"), None),
        (array_tasks("1-99999999"), None),
        (duration_s("1-02:03:04"), 93_784.0), (duration_s("02:03:04"), 7_384.0), (duration_s("03:04"), 184.0),
        (duration_s("90"), 5_400.0), (duration_s("UNLIMITED"), None),
        (memory_bytes("4G"), (4 * 2**30, "")), (memory_bytes("4Gn"), (4 * 2**30, "n")),
        (memory_bytes("500"), (500 * 2**20, "")), (memory_bytes("x"), None),
        (gpus("gpu:a:4(S:0-1)"), 4), (gpus("(null)"), 0), (hosts("n[01-03,7],m"), ["n01", "n02", "n03", "n7", "m"]),
    ],
)  # fmt: skip
def test_notations(found: Any, expected: Any) -> None:
    assert found == expected


def test_texts_that_a_page_has_put_into_one_file_are_read_like_the_files(tmp_path: Path) -> None:
    """A line NEXT_TEXT begins each; the names in it are kept, because the page has replaced them."""
    files = sorted(SAMPLES.glob("s*.txt"))
    sent, target = tmp_path / "sent", tmp_path / "a.cluster"
    sent.write_bytes(b"".join(NEXT_TEXT + b"\n" + path.read_bytes() for path in files))
    assert is_cluster_export(sent)
    import_served(sent, target, DEFAULT_LIMITS)
    expected = import_files(files, Names(None), {"path": "o.cluster"}).report()
    assert served_facts(target)["report"] == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cluster", "sent"]


def test_an_error_in_a_text_that_a_page_has_sent_names_its_number(tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    parts = (NODES.encode(), b"JobID|State\n1|COMPLETED\n", b"nothing that is known\n")
    sent.write_bytes(b"".join(NEXT_TEXT + b"\n" + part for part in parts))
    with pytest.raises(ExperimentError) as refused:
        import_served(sent, tmp_path / "a.cluster", DEFAULT_LIMITS)
    assert refused.value.problems[0].path == "file 3"


def test_what_jobs_nodes_and_partitions_ask_for_and_is_not_carried_is_counted(tmp_path: Path) -> None:
    sacct = (
        "JobID|State|Submit|Constraints|Licenses|Reservation|Partition|ReqTRES\n"
        "1|PENDING|2026-01-01T00:00:00|avx512|matlab:2||a,b|cpu=1,mem=1G,node=1,billing=1\n"
        "2|PENDING|2026-01-01T00:00:00||||a|cpu=1,gres/gpu:x=1,gres/nic=1,license/matlab=2\n"
        "3|PENDING|2026-01-01T00:00:00||(null)|weekend|a|cpu=1\n"
        "3.batch|PENDING|2026-01-01T00:00:00|avx512|||a|cpu=1\n"
    )
    nodes = (
        "NodeName=n1 CPUTot=8 RealMemory=1000 State=IDLE Weight=1 Gres=gpu:x:2(S:0-1,2) CoreSpecCount=2\n\n"
        "NodeName=n2 CPUTot=8 RealMemory=1000 State=IDLE Weight=5 Gres=nic:1,gpu:x:1\n\n"
        "PartitionName=a OverSubscribe=NO PreemptMode=OFF MaxNodes=UNLIMITED State=UP AllowGroups=ALL Nodes=n[1-2]\n\n"
        "PartitionName=b OverSubscribe=EXCLUSIVE PreemptMode=REQUEUE MinNodes=2 State=DOWN Nodes=n2\n\n"
        "ReservationName=weekend StartTime=2026-01-03T00:00:00 Nodes=n1 Licenses=(null) State=INACTIVE\n"
    )
    report = read(tmp_path, sacct, nodes).report()
    assert report["not_understood_in"] == {
        "job: constraints": ["1"],
        "job: further partitions": ["1"],
        "job: generic resources that are no GPUs": ["2"],
        "job: licenses": ["1", "2"],
        "job: reservation": ["3"],
        "node: CoreSpecCount": ["n1"],
        "node: Weight": ["n2"],
        "node: generic resources that are no GPUs": ["n2"],
        "partition: MinNodes": ["b"],
        "partition: OverSubscribe": ["b"],
        "partition: PreemptMode": ["b"],
        "partition: State": ["b"],
        "record ReservationName": ["weekend"],
    }
    assert all(count == len(report["not_understood_in"][field]) for field, count in report["not_understood"].items())
    assert report["machines"] == 2


def test_what_json_of_scontrol_asks_for_and_is_not_carried_is_counted(tmp_path: Path) -> None:
    number = {"set": True, "infinite": False, "number": 4}
    nodes = [{"name": "n1", "cpus": 8, "real_memory": 1000, "state": ["IDLE"], "weight": 9, "gres": "nic:1"}]
    (tmp_path / "nodes.json").write_text(json.dumps({"nodes": nodes}))
    limits = {"maximums": {"nodes": number, "over_time_limit": number | {"set": False}}, "accounts": {"allowed": "x"}}
    partitions = [{"name": "p", "nodes": {"configured": "n1"}, "partition": {"state": ["UP"]}} | limits]
    (tmp_path / "partitions.json").write_text(json.dumps({"partitions": partitions}))
    (tmp_path / "sacct.txt").write_text("JobID|State|Submit\n1|PENDING|2026-01-01T00:00:00\n")
    files = [tmp_path / name for name in ("nodes.json", "partitions.json", "sacct.txt")]
    assert import_files(files, Names(None), {"path": "o"}).report()["not_understood"] == {
        "node: Weight": 1,
        "node: generic resources that are no GPUs": 1,
        "partition: AllowAccounts": 1,
        "partition: MaxNodes": 1,
    }
