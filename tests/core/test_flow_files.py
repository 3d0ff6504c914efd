"""DIMACS files, files of changes, and the command that reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scheduler_core.cli import main
from scheduler_core.errors import TraceError
from scheduler_core.flow.dimacs import read_graph, replay, write_graph
from scheduler_core.flow.made_up import cluster_graph, replace_tasks

SMALL = """c five units from 1 to 6
p min 6 8
n 1 5
n 6 -5
a 1 2 0 7 1
a 1 3 0 7 5
a 2 3 0 2 2
a 2 4 0 3 8
a 3 4 0 3 3
a 3 5 0 2 4
a 4 6 0 10 0
a 5 6 0 10 0"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.min"
    path.write_text(SMALL)
    return path


def test_a_file_is_solved(small: Path) -> None:
    found = read_graph(small).network.solve()
    # 2 over 1-2-3-5, 2 over 1-3-4 (one of 2's three may go there instead), the rest over 2-4.
    assert (found.status, found.flow, found.cost) == ("optimal", 5, 38)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    graph = cluster_graph(machines=80, tasks=200, seed=3)
    replace_tasks(graph, 20)
    write_graph(graph.network, tmp_path / "out.min")
    again = read_graph(tmp_path / "out.min").network
    assert len(again.arcs()["arc"]) == len(graph.network.arcs()["arc"])
    assert again.solve() == graph.network.solve()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("p min 6 8", "p max 6 8"), "line 2: is not a minimum-cost flow problem; allowed: `p min NODES ARCS`"),
        (("p min 6 8", ""), "line 3: comes before the problem line; allowed: `p min NODES ARCS` first"),
        (("n 1 5", "p min 6 8"), "line 3: is a second problem line; allowed: one line `p min NODES ARCS`"),
        (("n 1 5", "n 7 5"), "line 3: names a node that does not exist; allowed: 1 to 6, as the problem line says"),
        (("a 1 2 0 7 1", "a 1 0 0 7 1"), "line 5: names a node that does not exist; allowed: 1 to 6"),
        (("a 1 2 0 7 1", "a 1 2 0 7"), "line 5: has 4 fields; allowed: `a TAIL HEAD LOW CAP COST`"),
        (("a 1 2 0 7 1", "a 1 2 0 7 x"), "line 5: holds something other than whole numbers; allowed: `a TAIL"),
        (("a 1 2 0 7 1", "a 1 2 8 7 1"), "line 5: has bounds 8 to 7; allowed: 0 <= LOW <= CAP"),
        (("a 1 2 0 7 1", "a 1 2 0 7 9999999999999"), "line 5: has an amount whose sums would not fit into 64 bits"),
        (("a 1 2 0 7 1", "b 1 2"), "line 5: begins with 'b'; allowed: `p min NODES ARCS`, `n NODE SUPPLY`"),
        (("a 1 2 0 7 1", ""), "has 7 arcs; allowed: 8, as the problem line says"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_by_line(small: Path, change: tuple[str, str], said: str) -> None:
    small.write_text(SMALL.replace(*change, 1))
    with pytest.raises(TraceError) as caught:
        read_graph(small)
    assert said in str(caught.value)


def test_an_empty_file_and_a_hostile_one(tmp_path: Path) -> None:
    path = tmp_path / "odd"
    path.write_text("")
    with pytest.raises(TraceError, match="has no problem line"):
        read_graph(path)
    path.write_bytes(b"\xff\x00" * 100_000)
    with pytest.raises(TraceError, match="line 1: begins with"):
        read_graph(path)
    path.write_text("p min 99999999999 1\n")
    with pytest.raises(TraceError, match="too large"):
        read_graph(path)


def test_every_kind_of_change_is_replayed(small: Path, tmp_path: Path) -> None:
    changes = tmp_path / "changes"
    changes.write_text(
        "x 1 2 0 3 9\ns\n"
        "n 9 2\nn 6 -7\na 9 1 0 5 1\ns\n"
        "c another way\na 1 6 0 2 1\ns\n"
        "x 1 6 0 0 0\nr 9\nn 6 -5\ns\n"
        "r 4\n"
    )
    graph, found = read_graph(small), []
    for count in replay(graph, changes):
        solution = graph.network.solve()
        assert solution == graph.network.solve_cold()
        found.append((count, solution.status, solution.flow, solution.cost))
    # By hand: 1-3 takes all (2 over 5 at 9, 3 over 4 at 8); two more cost 1 to node 1, then 17 over 2 and 4, or 1.
    assert found == [
        (1, "optimal", 5, 42),
        (3, "optimal", 7, 78),
        (1, "optimal", 7, 46),
        (3, "optimal", 5, 42),
        (1, "infeasible", 0, 0),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("r 7", "line 2: names node 7, which there is not"),
        ("a 1 7 0 1 1", "line 2: names node 7, which there is not"),
        ("x 1 6 0 1 1", "line 2: changes an arc that does not exist"),
        ("x 1 2 0 1", "line 2: has 4 fields"),
        ("s 1", "line 2: has 1 fields"),
        ("d 0 5", "line 2: begins with 'd'"),
    ],
)
def test_a_wrong_change_is_said_by_line(
    small: Path, tmp_path: Path, line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = tmp_path / "changes"
    changes.write_text(f"s\n{line}\ns\n")
    assert main(["flow", "replay", str(small), str(changes), "--json"]) == 2
    shown = capsys.readouterr()
    assert f"{changes}: {said}" in shown.err
    # What was solved before is not lost.
    assert [one["cost"] for one in json.loads(shown.out)["batches"]] == [38, 38]


@pytest.mark.parametrize("solver", ["ssp", "scaling", "cold", "ics"])
def test_the_command_solves_and_replays(
    solver: str, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["flow", "solve", str(small), "--solver", solver, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["status"], shown["flow"], shown["cost"]) == ("optimal", 5, 38)
    assert shown["seconds"] > 0
    changes = tmp_path / "changes"
    changes.write_text("x 1 2 0 3 9\ns\n")
    assert main(["flow", "replay", str(small), str(changes), "--solver", solver, "--json"]) == 0
    batches = json.loads(capsys.readouterr().out)["batches"]
    assert [(one["batch"], one["changes"], one["cost"]) for one in batches] == [(0, 0, 38), (1, 1, 42)]
    assert main(["flow", "solve", str(small), "--solver", solver]) == 0
    assert capsys.readouterr().out.startswith("optimal: flow 5, cost 38, in ")


def test_costs_that_would_overflow_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large"
    path.write_text(f"p min 2 1\nn 1 {1 << 30}\nn 2 -{1 << 30}\na 1 2 0 {1 << 40} {1 << 40}\n")
    assert main(["flow", "solve", str(path)]) == 2
    assert "exceed 64 bits" in capsys.readouterr().err
