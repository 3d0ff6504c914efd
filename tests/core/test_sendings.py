"""What a task tells of the workers that it was compared for, and of those that it was sent to; thought out by hand."""

from __future__ import annotations

from typing import Any

from scheduler_core import Experiment, explain
from tests.core.test_apollo import LATE
from tests.core.test_apollo import few as apollo


def few(scheduler: str, params: dict[str, Any], jobs: list[dict[str, Any]], machines: int) -> Experiment:
    """Machines of one CPU, messages of 10 ms."""
    return Experiment.parse(
        {
            "schema_version": 1,
            "network": {"message_delay_s": 0.01},
            "topology": {"clusters": [{"name": "c", "machines": [{"count": machines, "cpus": 1}]}]},
            "workload": {"kind": "inline", "jobs": [{"arrival_s": 0} | job for job in jobs]},
            "scheduler": {"name": scheduler, "params": params},
        }
    )


def ways(told: dict[str, Any]) -> list[tuple[int, list[tuple[float, int | None, str]]]]:
    """(worker, [when, entries in front, what became of it]) of each row."""
    return [
        (row["worker"], [(round(stop["from_s"], 3), stop["ahead"], stop["end"]) for stop in row["stops"]])
        for row in told["rows"]
    ]


def test_yacc_tells_who_was_compared_who_sent_back_and_who_took_it() -> None:
    """The second job's scheduler does not know of the first one's task that waits: sent at 0.5, again at 3."""
    jobs = [{"durations_s": [1.0] * 2}, {"arrival_s": 0.5, "durations_s": [1.0]}]
    made = few("yacc-d", {"queue_bound": 1}, jobs, 1)
    told = explain(made, 2)["probes"]
    assert told["of"] == "task"
    assert ways(told) == [(0, [(3.01, 0, "given")]), (0, [(0.51, 0, "refused")])]
    assert [(row["won"], row["expected_s"]) for row in told["rows"]] == [(True, 0), (False, 0)]
    assert told["counts"] == {"given": 1, "refused": 1}
    wanted = "Of 1 worker compared, worker 0 had the shortest expected wait, 0 s. 1 worker had sent it back before."
    assert told["why"] == wanted
    before = explain(made, 2, 1.0)["probes"]
    assert before["why"].endswith("That worker sent it back, so it waits at its scheduler.")
    waits = explain(few("yacc-d", {}, jobs, 1), 2, 0.6)["probes"]["rows"][0]
    assert (waits["outcome"], waits["stops"][0]["ahead"], waits["stops"][0]["waited_s"]) == ("waiting", 1, None)


def test_apollo_tells_which_servers_were_compared_and_what_became_of_the_copy() -> None:
    """Server 1 is later than it was thought to be, so at 15 the task is sent to server 2, too, and runs there."""
    made = apollo({"correct_s": 1}, LATE, machines=3)
    told = explain(made, 4)["probes"]
    assert ways(told)[:2] == [(2, [(15.01, 0, "given")]), (1, [(9.51, 0, "dropped")])]
    assert [row["outcome"] for row in told["rows"][2:]] == ["compared"] * 4
    assert [round(row["expected_s"], 2) for row in told["rows"][:2]] == [1.11, 0.51]
    assert told["why"].startswith("Of 3 workers compared, worker 2 had the shortest expected wait, 1.11 s; the next")
    assert told["why"].endswith(" A copy went to another worker; only the earlier of the two starts.")


def test_a_task_without_a_token_waits_beside_the_queue_until_it_gets_one() -> None:
    """The token comes back at 2.01, when the other job's task has begun: it joins an empty queue."""
    jobs = [{"durations_s": [2.0, 3.0]}, {"arrival_s": 1, "durations_s": [1.0]}]
    made = apollo({"tokens": 1}, jobs, machines=1)
    told = explain(made, 1)["probes"]
    assert ways(told) == [(0, [(0.01, None, "upgraded"), (2.02, 0, "given")])]
    assert "waited 2.01 s beside the queue until it got a token" in told["rows"][0]["sentence"]


def test_pcssampler_tells_what_was_remembered_who_sent_back_and_who_was_asked() -> None:
    """Scheduler 0 still believes at 0.5 what worker 1 told at 0.01; scheduler 1 has sent a task there since."""
    jobs = [{"arrival_s": arrival, "durations_s": [1.0]} for arrival in (0, 0.1, 0.5)]
    made = few("pcssampler", {"schedulers": 2}, jobs, 2)
    told = explain(made, 2)["probes"]
    assert ways(told)[1:] == [(1, [(0.51, 0, "refused")]), (1, [(0.53, 1, "answered")])]
    assert told["rows"][0]["won"]
    assert told["why"] == "Of 2 workers probed, worker 0 had the fewest in front, 1. 1 worker had sent it back before."
    first = explain(few("pcssampler", {"schedulers": 1}, jobs, 2), 1)["probes"]
    assert first["why"].startswith("No worker was probed: its scheduler remembered worker 1, which had reported room ")
