"""The arena over HTTP, without workers: what a challenge fixes, what an entry may change, and who waits for whom."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.arena.line import look_after_challenges, remove_old_challenges
from playground.arena.physics import is_physics
from playground.models import Challenge, ChallengeEntry, Run, RunState, Study, StudyRun
from playground.storage import connections
from playground.studies.execution import end_if_over
from playground.studies.service import remove_old_studies
from scheduler_core import SCHEDULERS
from scheduler_core.world.spec import SchedulerSpec
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("broker"), pytest.mark.django_db(transaction=True)]

SEEDS = 5
P99 = {"says": "p99 wait", "value": "run.allocation_delay_s.p99", "unit": "s", "better": "less"}


@pytest.fixture
def spec(small_experiment: dict[str, Any]) -> dict[str, Any]:
    """Give a challenge: Megha with heartbeats of 1 to 20 s, or Sparrow as it is."""
    heartbeat = {"heartbeat_s": {"least": 1, "most": 20}}
    return {
        "title": "Wait less",
        "experiment": small_experiment,
        "objective": P99,
        "limits": [{"says": "makespan", "value": "run.makespan_s", "unit": "s", "at_most": 100}],
        "change": {
            "schedulers": [{"name": "megha", "open": heartbeat}, {"name": "sparrow"}],
            "values": [{"path": "topology.global_masters", "least": 1, "most": 4}],
        },
        "seeds": SEEDS,
    }


def made(browser: JsonClient, spec: dict[str, Any]) -> dict[str, Any]:
    answer = browser.send("challenges", spec)
    assert answer.status_code == 201, answer.content
    told: dict[str, Any] = answer.json()
    return told


def enter(browser: JsonClient, challenge: dict[str, Any], heartbeat_s: float, **more: Any) -> Any:
    part = {"scheduler": {"name": "megha", "params": {"heartbeat_s": heartbeat_s}}}
    return browser.send(f"challenges/{challenge['id']}/entries", {"author": "Ada", "part": part, **more})


def board(browser: JsonClient, challenge: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = browser.read(f"challenges/{challenge['id']}/board").json()
    return told


def finish(
    entry_id: str,
    values: list[float | None],
    *,
    left: int = 0,
    makespan: float = 50,
    final: bool = False,
    skip: int = 0,
) -> None:
    """Write an entry's rows as a worker does when they are done."""
    entry = ChallengeEntry.objects.get(public_id=entry_id)
    study = entry.final if final else entry.study
    assert study is not None
    for number, value in list(enumerate(values))[skip:]:
        summary = {"tasks": {"total": 9, "completed": 9 - left}, "figures": {"objective": value, "limit0": makespan}}
        StudyRun.objects.filter(study=study, number=number).update(state=RunState.DONE, summary=summary)
    assert end_if_over(study)


def baseline_of(challenge: dict[str, Any]) -> str:
    return str(challenge["baseline"])


def row(told: dict[str, Any], entry_id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in told["rows"] if one["id"] == entry_id)
    return found


def problems(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [one["path"] for one in answer.json()["problems"]]


def test_a_challenge_runs_its_baseline_and_hides_its_seeds(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    seeds = Challenge.objects.get(public_id=challenge["id"]).seeds
    assert len(set(seeds)) == SEEDS
    assert all(2**62 <= seed < 2**63 for seed in seeds)
    rows = board(browser, challenge)["rows"]
    assert [(one["role"], one["state"], one["runs"]) for one in rows] == [("baseline", "running", SEEDS)]
    assert [one["name"] for one in challenge["schedulers"]] == ["megha", "sparrow"]
    assert [one["path"] for one in challenge["schedulers"][0]["open"]] == ["heartbeat_s"]


def test_nothing_that_is_read_tells_a_hidden_seed(browser: JsonClient, spec: dict[str, Any], caplog: Any) -> None:
    caplog.set_level("DEBUG")
    challenge = made(browser, spec)
    entry = enter(browser, challenge, 2).json()
    finish(baseline_of(challenge), [1.0] * SEEDS)
    browser.send(f"challenges/{challenge['id']}/close", {})
    row_ = Challenge.objects.get(public_id=challenge["id"])
    hidden = [str(seed) for seed in [*row_.seeds, *row_.final_seeds]]
    assert len(set(hidden)) == 2 * SEEDS
    study = ChallengeEntry.objects.get(public_id=entry["id"]).study
    assert study is not None
    experiment = entry["experiment_id"]
    paths = [
        "/api/v1/challenges", f"/api/v1/challenges/{challenge['id']}", f"/api/v1/challenges/{challenge['id']}/board",
        f"/api/v1/challenges/{challenge['id']}/entries/{entry['id']}", f"/api/v1/experiments/{experiment}",
        f"/api/v1/experiments/{experiment}/studies", f"/api/v1/studies/{study.public_id}",
        f"/api/v1/studies/{study.public_id}/results", f"/api/v1/studies/{study.public_id}/table.csv",
        f"/api/v1/studies/{study.public_id}/figure", f"/studies/{study.public_id}", "/studies", "/arena",
        f"/arena/{challenge['id']}", f"/studio/{experiment}",
    ]  # fmt: skip
    answers = {path: browser.get(path) for path in paths}
    for path, answer in answers.items():
        assert not [seed for seed in hidden if seed in answer.content.decode()], path
    assert answers[f"/api/v1/studies/{study.public_id}"].status_code == 404
    assert answers[f"/studies/{study.public_id}"].status_code == 404
    assert answers[f"/api/v1/experiments/{experiment}/studies"].json() == []
    queued = b"".join(connections.client().lrange("studies", 0, -1))
    assert queued
    assert not [seed for seed in hidden if seed.encode() in queued or seed in caplog.text]
    assert Run.objects.count() == 0


def test_an_entry_beyond_the_challenge_is_refused_by_its_field(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    megha, sparrow = {"name": "megha"}, {"name": "sparrow"}
    for part, path in (
        ({"scheduler": {"name": "eagle"}}, "scheduler.name"),
        ({"scheduler": megha | {"params": {"heartbeat_s": 21}}}, "scheduler.params.heartbeat_s"),
        ({"scheduler": megha | {"params": {"launch_first": False}}}, "scheduler.params.launch_first"),
        ({"scheduler": sparrow | {"params": {"probe_ratio": 4}}}, "scheduler.params.probe_ratio"),
        ({"scheduler": megha | {"params": {"no": 1}}}, "scheduler.params.no"),
        ({"scheduler": []}, "scheduler"),
        ({"values": {"topology.global_masters": 9}}, "topology.global_masters"),
        ({"values": {"network.message_delay_s": 1}}, "network.message_delay_s"),
        ({"seed": 4}, "seed"),
    ):
        answer = browser.send(f"challenges/{challenge['id']}/entries", {"author": "Ada", "part": part})
        assert problems(answer) == [path]
        assert all(one["allowed"] for one in answer.json()["problems"]), path
    assert ChallengeEntry.objects.count() == 1


def test_an_experiment_of_the_studio_is_entered_as_what_it_changes(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    data = challenge["experiment"]
    other = data | {"name": "Mine", "seed": 77, "scheduler": {"name": "megha", "params": {"heartbeat_s": 3}}}
    mine = browser.make(other | {"topology": data["topology"] | {"global_masters": 3}})
    told = browser.send(f"challenges/{challenge['id']}/entries", {"author": "Ada", "experiment_id": mine["id"]})
    assert told.status_code == 202, told.content
    assert {(one["path"], one["after"]) for one in told.json()["changes"]} == {
        ("scheduler.params.heartbeat_s", 3),
        ("topology.global_masters", 3),
    }
    fixed = browser.make(data | {"network": data["network"] | {"message_delay_s": 0.005}})
    answer = browser.send(f"challenges/{challenge['id']}/entries", {"author": "Ada", "experiment_id": fixed["id"]})
    assert problems(answer) == ["network.message_delay_s"]


def test_entries_of_one_person_wait_for_each_other(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    challenge = made(browser, spec)
    first, second = (enter(browser, challenge, heartbeat).json() for heartbeat in (2, 3))
    other = enter(stranger, challenge, 4).json()
    assert [one["state"] for one in (first, second, other)] == ["running", "waiting", "running"]
    finish(first["id"], [1.0] * SEEDS)
    look_after_challenges()
    assert row(board(browser, challenge), second["id"])["state"] == "running"
    assert ChallengeEntry.objects.filter(study=None).count() == 0


def test_the_same_entry_is_the_same_result_at_once(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    challenge = made(browser, spec)
    mine = enter(browser, challenge, 2).json()
    finish(mine["id"], [1.0, 2.0, 3.0, 4.0, 5.0])
    again = enter(browser, challenge, 2).json()
    assert (again["id"], again["state"], again["estimate"]["value"]) == (mine["id"], "ranked", 3.0)
    other = enter(stranger, challenge, 2).json()
    assert other["id"] != mine["id"]
    assert (other["state"], other["estimate"], other["place"]) == ("ranked", again["estimate"], 1)
    # Who withdraws an entry takes no result from others.
    assert browser.delete(f"/api/v1/challenges/{challenge['id']}/entries/{mine['id']}").status_code == 204
    assert row(board(stranger, challenge), other["id"])["estimate"] == again["estimate"]


def test_who_cannot_be_told_from_the_leader_shares_its_place(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    finish(baseline_of(challenge), [10.0, 11.0, 12.0, 13.0, 14.0])
    values = {2: [5.0, 6.0, 7.0, 8.0, 9.0], 3: [5.1, 5.9, 7.2, 7.9, 9.1], 4: [1.0, 1.0, 1.0, 1.0, 1.0]}
    ids = {}
    for heartbeat, found in values.items():
        ids[heartbeat] = enter(browser, challenge, heartbeat).json()["id"]
        finish(ids[heartbeat], found, makespan=50 if heartbeat != 4 else 101)
    unfinished = enter(browser, challenge, 5).json()["id"]
    finish(unfinished, [0.5] * SEEDS, left=1)
    failed = enter(browser, challenge, 6).json()["id"]
    StudyRun.objects.filter(study=ChallengeEntry.objects.get(public_id=failed).study, number=0).update(
        state=RunState.FAILED,
        error_message="The run took longer than 20 s (setting PLAYGROUND_LIMIT_ENTRY_RUN_SECONDS)",
    )
    finish(failed, [None, 1.0, 1.0, 1.0, 1.0], skip=1)
    told = board(browser, challenge)
    assert [(one["id"], one["place"], one["out"]) for one in told["rows"]] == [
        (ids[2], 1, ""),
        (ids[3], 1, ""),
        (baseline_of(challenge), 3, ""),
        (ids[4], 4, "limit"),
        (unfinished, 4, "unfinished"),
        (failed, 4, "failed"),
    ]
    assert "PLAYGROUND_LIMIT_ENTRY_RUN_SECONDS" in row(told, failed)["reason"]
    assert row(told, ids[3])["against_leader"]["verdict"] == "not distinguishable yet"
    assert row(told, ids[2])["against_baseline"]["verdict"] == "less"
    assert row(told, ids[4])["limits"][0]["holds"] is False


def test_fair_play_is_bounded_and_each_limit_names_its_setting(
    browser: JsonClient, spec: dict[str, Any], settings: Settings
) -> None:
    challenge = made(browser, spec)
    settings.LIMIT_ENTRIES_PER_HOUR = 1
    assert enter(browser, challenge, 2).status_code == 202
    answer = enter(browser, challenge, 3)
    assert (answer.status_code, answer["Retry-After"]) == (429, "600")
    assert "PLAYGROUND_LIMIT_ENTRIES_PER_HOUR" in answer.json()["problems"][0]["allowed"]
    ChallengeEntry.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert enter(browser, challenge, 3).status_code == 202
    settings.LIMIT_ENTRIES_PER_ADDRESS = 1
    assert [enter(browser, challenge, 3).status_code for _ in range(2)] == [202, 429]
    settings.LIMIT_ENTRY_TASKS = 100
    assert problems(browser.send("challenges", spec)) == ["experiment.workload.jobs"]


def test_a_challenge_says_what_is_wrong_with_it(browser: JsonClient, spec: dict[str, Any]) -> None:
    def wrong(**changes: Any) -> list[str]:
        return problems(browser.send("challenges", spec | changes))

    assert wrong(seeds=3) == ["seeds"]
    assert wrong(title="") == ["title"]
    for value in (
        "run.by_class.short.job_delay_s.mean",
        "other.makespan_s",
        "figure(run, 'x')",
        "wait(run)",
        "1 +",
        "3",
    ):
        assert wrong(objective=P99 | {"value": value}) == ["objective.value"], value
    assert wrong(change={"schedulers": [{"name": "no-such"}]}) == ["change.schedulers[0].name"]
    assert wrong(change={"schedulers": [{"name": "megha", "open": {"no": {}}}]}) == ["change.schedulers[0].open.no"]
    assert wrong(change={"values": [{"path": "no.such[3]"}]}) == ["change.values[0].path"]
    quicker = [{"path": "network.message_delay_s", "least": 0, "most": 1}]
    assert wrong(change={"values": quicker}) == ["change.values[0].path"], "nobody wins by faster hardware"
    free = {"schedulers": [{"name": "megha", "open": {"match_us": {}}}]}
    assert wrong(change=free) == ["change.schedulers[0].open.match_us"]
    assert wrong(closes_at="yesterday") == ["closes_at"]
    assert wrong(experiment=spec["experiment"] | {"scheduler": {"name": "no"}})[0].startswith("experiment.scheduler")


def test_a_closed_challenge_is_decided_by_new_seeds(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    challenge = made(browser, spec | {"closes_at": (timezone.now() + timedelta(hours=1)).isoformat()})
    mine = enter(browser, challenge, 2).json()["id"]
    finish(baseline_of(challenge), [2.0] * SEEDS)
    finish(mine, [1.0] * SEEDS)
    assert stranger.send(f"challenges/{challenge['id']}/close", {}).status_code == 403
    Challenge.objects.update(closes_at=timezone.now())
    look_after_challenges()
    found = Challenge.objects.get(public_id=challenge["id"])
    assert found.state == "closing"
    assert not set(found.seeds) & set(found.final_seeds)
    assert enter(stranger, challenge, 3).status_code == 409
    assert board(browser, challenge)["rows"][0]["id"] == mine
    finish(baseline_of(challenge), [1.0] * SEEDS, final=True)
    finish(mine, [2.0] * SEEDS, final=True)
    look_after_challenges()
    told = board(browser, challenge)
    assert (told["state"], told["final"], told["rows"][0]["id"]) == ("closed", True, baseline_of(challenge))


def test_what_others_entered_is_hidden_until_the_challenge_closes(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    reference = {"scheduler": {"name": "megha", "params": {"heartbeat_s": 1}}, "note": "The best that we know."}
    challenge = made(browser, spec | {"reference": reference})
    theirs = enter(stranger, challenge, 2).json()
    third = JsonClient(headers={"host": "localhost"}, raise_request_exception=False)
    enter(third, challenge, 7)
    path = f"challenges/{challenge['id']}"

    def seen(by: JsonClient) -> dict[str, bool]:
        return {row["id"]: row["hidden"] for row in board(by, challenge)["rows"] if row["role"] != "baseline"}

    assert not any(seen(browser).values()), "who made the challenge sees all"
    assert {key for key, hidden in seen(stranger).items() if not hidden} == {theirs["id"]}
    rows = [row for row in board(stranger, challenge)["rows"] if row["hidden"]]
    assert len(rows) == 2
    for row in rows:
        assert not row["may_fork"]
        assert [row[name] for name in ("experiment_id", "scheduler", "changes", "note")] == ["", "", [], ""]
        assert stranger.send(f"{path}/entries/{row['id']}/open", {}).status_code == 403
    table = stranger.get(f"/api/v1/{path}/board.csv").content.decode("utf-8-sig")
    assert len(table.splitlines()) == 1 + 4
    assert "The best" not in table
    Challenge.objects.update(state="closed")
    assert not any(seen(stranger).values())
    assert "The best" in stranger.get(f"/api/v1/{path}/board.csv").content.decode("utf-8-sig")


@pytest.mark.parametrize("scheduler", SCHEDULERS, ids=lambda spec: spec.name)
def test_costs_of_decisions_are_no_choice_of_an_entry(scheduler: SchedulerSpec) -> None:
    for name, known in scheduler.params.model_json_schema()["properties"].items():
        if known.get("unit") in ("ns", "µs", "GB/s", "GB"):
            assert is_physics(name), name


def test_only_the_author_withdraws_and_forks_are_as_allowed(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    challenge = made(browser, spec)
    closed = enter(browser, challenge, 2, may_fork=False).json()
    fork = f"experiments/{closed['experiment_id']}/fork"
    assert stranger.send(fork, {}).status_code == 403
    assert stranger.send(f"experiments?made_of={closed['experiment_id']}", challenge["experiment"]).status_code == 403
    opened = enter(stranger, challenge, 3).json()
    assert browser.send(f"experiments/{opened['experiment_id']}/fork", {}).status_code == 201
    path = f"/api/v1/challenges/{challenge['id']}/entries"
    assert browser.delete(f"{path}/{challenge['baseline']}").status_code == 409
    assert stranger.delete(f"{path}/{closed['id']}").status_code == 403
    # Who made the challenge may remove any entry.
    assert browser.delete(f"{path}/{opened['id']}").status_code == 204
    assert not ChallengeEntry.objects.filter(public_id=opened["id"]).exists()


def test_an_entry_opens_as_a_run_under_the_public_seed(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    entry = enter(browser, challenge, 2).json()
    opened = browser.send(f"challenges/{challenge['id']}/entries/{entry['id']}/open", {}).json()
    assert browser.send(f"challenges/{challenge['id']}/entries/{entry['id']}/open", {}).json() == opened
    run = Run.objects.get()
    assert (run.seed, run.experiment.public_id) == (challenge["public_seed"], entry["experiment_id"])
    assert run.public_id in opened["url"]


def test_names_are_shown_as_text(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    for name in ("", " Ada", "a\nb", "a\u202eb", "a" * 41, "a\x00b", 3):
        assert problems(enter(browser, challenge, 2, author=name)) == ["author"], name
    assert enter(browser, challenge, 2, author="</script><b>Ada</b>").status_code == 202
    assert b"</script><b>" not in browser.get(f"/arena/{challenge['id']}").content


def test_entries_outlive_old_studies_and_go_with_their_challenge(browser: JsonClient, spec: dict[str, Any]) -> None:
    challenge = made(browser, spec)
    enter(browser, challenge, 2)
    long_ago = timezone.now() - timedelta(days=400)
    Study.objects.update(created_at=long_ago, state=RunState.DONE)
    remove_old_studies()
    assert Study.objects.count() == 2
    Challenge.objects.update(created_at=long_ago)
    remove_old_challenges()
    assert Challenge.objects.count() == 1
    ChallengeEntry.objects.update(created_at=long_ago)
    remove_old_challenges()
    assert (Challenge.objects.count(), Study.objects.count()) == (0, 0)


def test_a_board_of_a_class_is_its_own(browser: JsonClient, spec: dict[str, Any]) -> None:
    from playground.arena.board import board_payload
    from playground.arena.entries import enter as enter_on
    from playground.ground.viewers import Viewer

    challenge = made(browser, spec)
    row_, viewer = Challenge.objects.get(), Viewer(token="a student's")
    asked = {"author": "Teal Heron", "part": {"scheduler": {"name": "sparrow"}}}
    entry, _ = enter_on(challenge=row_, asked=asked, viewer=viewer, board="class:abcde")
    assert entry.public_id not in json.dumps(board(browser, challenge))
    assert browser.read(f"challenges/{challenge['id']}").json()["entries"] == 0
    told = board_payload(challenge=row_, viewer=viewer, board="class:abcde")
    assert {one["role"] for one in told["rows"]} == {"baseline", "entry"}
    assert row(told, entry.public_id)["mine"] is True


def test_a_policy_of_ones_own_is_entered_and_shown_after_the_close(
    browser: JsonClient, stranger: JsonClient, spec: dict[str, Any]
) -> None:
    """Its text and its knob are values of the entry; a mistake in it is refused by its line and column."""
    spec["change"]["schedulers"].append({"name": "own", "open": "any"})
    challenge = made(browser, spec)

    def enter_policy(text: str, **params: Any) -> Any:
        part = {"scheduler": {"name": "own", "params": {"policy": text, **params}}}
        return stranger.send(f"challenges/{challenge['id']}/entries", {"author": "Ada", "part": part})

    policy = "param weight = 2 from 1 to 3\nscore: weight * machine.free_cpus"
    entry = enter_policy(policy, weight=3)
    assert entry.status_code == 202, entry.content
    assert problems(enter_policy("score: machine.free_cpu")) == ["scheduler.params.policy line 1, column 8"]
    assert row(board(browser, challenge), entry.json()["id"])["hidden"] is False, "its maker sees all"
    third = JsonClient(headers={"host": "localhost"}, raise_request_exception=False)
    assert row(board(third, challenge), entry.json()["id"])["hidden"]
    Challenge.objects.update(state="closed")
    shown = row(board(third, challenge), entry.json()["id"])
    changes = {change["path"]: (change["after"], change["after_words"]) for change in shown["changes"]}
    assert changes["scheduler.params.policy"] == (policy, policy)
    assert changes["scheduler.params.weight"] == (3, "3")
