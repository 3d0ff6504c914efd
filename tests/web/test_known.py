"""A known run is not run: it is found again, given to whoever asks, and says nothing about who asked before."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from playground.gallery.shipping import FIRST, to_ship
from playground.known import shipped
from playground.known.results import settle
from playground.known.shipping import MOST_BYTES
from playground.models import Run, RunState
from playground.shell import retention
from scheduler_core import (
    Experiment,
    RecordingReader,
    RunView,
    Simulation,
    outcome_code,
    signature_cards,
    signature_experiment,
)
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def known_runs(settings: Settings, tmp_path: Path) -> None:
    settings.KNOWN_RUNS, settings.MEDIA_ROOT = True, tmp_path / "media"


def asked(visitor: JsonClient, experiment: dict[str, Any], **wishes: Any) -> dict[str, Any]:
    answer = visitor.send("runs", {"experiment": experiment, **wishes})
    assert answer.status_code in (200, 202), answer.content
    started: dict[str, Any] = answer.json()
    return started


def computed(started: dict[str, Any], tmp_path: Path, frames: int = 5) -> Run:
    """Do with a queued run what a worker does."""
    run = Run.objects.select_related("experiment").get(public_id=started["id"])
    simulation = Simulation(Experiment.parse(run.experiment.data), frames=frames)
    frames = sum(1 for _ in simulation.run())
    assert simulation.result is not None
    recording, tasks = tmp_path / "recording.zip", tmp_path / "tasks.parquet"
    RunView(simulation).write_recording(recording)
    simulation.result.tasks.to_parquet(tasks)
    for field, path in ((run.recording, recording), (run.tasks_table, tasks)):
        with path.open("rb") as file:
            field.save(f"{run.public_id}{path.suffix}", file, save=False)
    run.state, run.ended_at, run.frames = RunState.DONE, timezone.now(), frames
    run.summary, run.outcome_digest = simulation.result.summary, simulation.result.summary["outcome_digest"]
    run.save()
    settle(run, simulation.experiment.scheduler.name)
    return run


def test_who_asks_the_same_gets_the_result_at_once_under_an_experiment_of_their_own(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    first = asked(browser, small_experiment | {"name": "mine", "question": "a secret?"})
    assert (first["state"], first["known"]) == ("queued", False)
    run = computed(first, tmp_path)
    again = asked(stranger, small_experiment | {"name": "theirs"})
    assert (again["state"], again["known"], again["frames"]) == ("done", True, run.frames)
    assert again["outcome_digest"] == run.outcome_digest
    assert again["experiment_id"] != first["experiment_id"]
    recording = b"".join(stranger.read(f"runs/{again['id']}/recording").streaming_content)
    (tmp_path / "theirs.zip").write_bytes(recording)
    with zipfile.ZipFile(tmp_path / "theirs.zip") as archive:
        assert json.loads(archive.read("meta.json"))["experiment"]["name"] == "theirs"
        assert not any(b"secret" in archive.read(name) for name in archive.namelist())
    assert stranger.read(f"runs/{again['id']}/tasks.parquet").status_code == 200
    # The files are its own: what becomes of the first run's is no matter.
    retention._remove([run], "test")
    assert stranger.read(f"runs/{again['id']}/tasks.parquet").status_code == 200
    assert asked(browser, small_experiment)["known"], "and are found in their turn"
    # Another seed, or the wish to have it computed, is another matter.
    assert asked(browser, small_experiment, seed=77)["state"] == "queued"


def test_a_fresh_run_is_computed_and_says_whether_it_agrees(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    computed(asked(browser, small_experiment), tmp_path)
    fresh = asked(browser, small_experiment, fresh=True)
    assert (fresh["state"], fresh["known"], fresh["agrees"]) == ("queued", False, None)
    Run.objects.filter(public_id=fresh["id"]).update(fresh=True)
    computed(fresh, tmp_path)
    assert browser.read(f"runs/{fresh['id']}").json()["agrees"] is True
    refused = browser.send("runs", {"experiment": small_experiment, "fresh": "yes"})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == "fresh"


def test_what_other_code_computed_is_not_known(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    run = computed(asked(browser, small_experiment), tmp_path)
    Run.objects.filter(pk=run.pk).update(code_digest="of other code")
    assert asked(browser, small_experiment)["state"] == "queued"


def first_experiment(settings: Settings) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((settings.FIXTURES_DIR / "experiments" / f"{FIRST}.json").read_text())
    return read


def test_the_studios_first_experiment_is_shipped_and_completed_behind_everybody(
    browser: JsonClient, settings: Settings
) -> None:
    found = asked(browser, first_experiment(settings))
    assert (found["state"], found["known"]) == ("done", True)
    run = Run.objects.get(public_id=found["id"])
    whole = Run.objects.filter(background=True)
    assert whole.count() == int(run.brief), "a brief recording is completed, by one run"
    asked(browser, first_experiment(settings))
    assert whole.count() == int(run.brief)
    table = browser.read(f"runs/{found['id']}/tasks.parquet")
    assert (table.status_code, table.json()["type"]) == (409, "not-complete") if run.brief else table.status_code == 200
    waiting = asked(browser, first_experiment(settings), seed=2)
    assert waiting["queue_position"] == 1, "nobody waits for the site's own run"


def test_a_signature_is_shipped_whole(browser: JsonClient) -> None:
    found = asked(browser, signature_experiment("hawk"))
    assert (found["state"], found["known"]) == ("done", True)
    assert not Run.objects.filter(background=True).exists(), "nothing is compiled behind a picture that plays"
    assert browser.read(f"runs/{found['id']}/tasks.parquet").status_code == 200
    assert browser.read(f"runs/{found['id']}/moments").json()["moments"]
    recordings = {each.name: each for each in shipped.read_index(shipped.folder())[1].values()}
    for card in signature_cards():
        kept = recordings[f"signature-{card['name']}"]
        with RecordingReader(shipped.folder() / kept.file) as reader:
            moments = [moment["kind"] for moment in reader.moments()]
        assert not kept.brief, kept.name
        assert card["opens"]["moment"] in moments, kept.name


@pytest.mark.parametrize(("why", "said"), [("damaged", "the file is damaged"), ("too old", "other code made it")])
def test_a_recording_that_does_not_serve_is_computed_anew(
    browser: JsonClient, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture, why: str, said: str
) -> None:
    own = tmp_path / "fixtures"
    shutil.copytree(settings.FIXTURES_DIR / "known", own / "known")
    if why == "damaged":
        with (own / "known" / f"{FIRST}.zip").open("r+b") as file:
            file.seek(1000)
            file.write(b"damage")
    else:
        index = json.loads((own / "known" / shipped.INDEX).read_text())
        index["library"] = "of another day"
        for each in index["recordings"]:
            each["code"] = "of another day"
        (own / "known" / shipped.INDEX).write_text(json.dumps(index))
    first = first_experiment(settings)
    settings.FIXTURES_DIR = own
    shipped.say_once.cache_clear()
    assert asked(browser, first)["state"] == "queued"
    assert asked(browser, first)["state"] == "queued"
    found = [line for line in caplog.messages if line.startswith("the shipped recording")]
    assert found == [f"the shipped recording {FIRST} is not used, its run is computed again: {said}"], "said once"


@wide
def test_shipped_recordings_are_of_todays_code_and_small() -> None:
    library, recordings = shipped.read_index(shipped.folder())
    # A question of the gallery may be a scheduler's example: one experiment under two names.
    assert set(recordings) == {experiment.digest() for experiment in to_ship().values()}, "manage.py ship_recordings"
    for each in recordings.values():
        size = (shipped.folder() / each.file).stat().st_size
        assert size <= MOST_BYTES
        with zipfile.ZipFile(shipped.folder() / each.file) as archive:
            track = sum(file.compress_size for file in archive.infolist() if file.filename == "track.msgpack")
        assert size <= 1.5 * (size - track), f"{each.name}: {size / (size - track):.2f} times as large by its track"
        if library != shipped.library_digest():
            assert each.code == outcome_code(each.scheduler), f"{each.name} is too old: manage.py ship_recordings"
