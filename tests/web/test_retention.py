"""Which recordings go when there are too many, and what a run says afterwards."""

from __future__ import annotations

import io
import os
import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from pytest_django import Settings

from playground.errors import PlaygroundError
from playground.ground.viewers import Viewer
from playground.models import Experiment, Run, RunState, Study, Trace, Upload
from playground.shell import retention
from playground.storage import connections
from playground.traces import service as traces
from playground.traces import uploads
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def finished_run(browser: JsonClient, experiment: dict[str, Any], *, days: float, shared: bool = False) -> Run:
    """Make a finished run with 1,000 bytes of files that ended some days ago."""
    made = Experiment.objects.get(public_id=browser.make(experiment)["id"])
    if shared:
        Experiment.objects.filter(pk=made.pk).update(shared_at=timezone.now())
    ended = timezone.now() - timedelta(days=days)
    run = Run(experiment=made, seed=1, state=RunState.DONE, queued_at=ended, ended_at=ended, summary={"tasks": 1})
    run.recording.save(f"{run.public_id}.zip", ContentFile(b"r" * 900), save=False)
    run.tasks_table.save(f"{run.public_id}.parquet", ContentFile(b"t" * 100), save=False)
    run.save()
    return run


def test_files_that_a_dead_worker_left_are_removed_and_those_of_rows_stay(
    browser: JsonClient, small_experiment: dict[str, Any], tmp_path: Path
) -> None:
    run = finished_run(browser, small_experiment, days=1)
    run.snapshot.save("named.zip", ContentFile(b"s"))
    Run.objects.filter(pk=run.pk).update(state=RunState.PAUSED)
    over = finished_run(browser, small_experiment, days=1)
    over.snapshot.save("over.zip", ContentFile(b"s"))
    left = [default_storage.save(name, ContentFile(b"x")) for name in ("snapshots/left.zip", "runs/left.zip")]
    new = default_storage.save("snapshots/new.zip", ContentFile(b"x"))
    long_ago = time.time() - 7200
    for path in tmp_path.rglob("*.zip"):
        if path.name != "new.zip":
            os.utime(path, (long_ago, long_ago))
    connections.client().delete("retention:files")
    retention.make_room()
    assert [default_storage.exists(name) for name in (*left, "snapshots/over.zip")] == [False] * 3
    assert [default_storage.exists(name) for name in (run.snapshot.name, run.recording.name, new)] == [True] * 3


def kept(*runs: Run) -> list[bool]:
    return [default_storage.exists(run.recording.name) for run in runs]


def test_old_unshared_recordings_go_first_and_the_run_says_so(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    shared = finished_run(browser, small_experiment, days=9, shared=True)
    old = finished_run(browser, small_experiment | {"name": "An old one"}, days=5)
    new = finished_run(browser, small_experiment, days=1)
    settings.KEEP_RECORDINGS_BYTES = 2500
    assert retention.make_room() == 1
    assert kept(shared, old, new) == [True, False, True]
    assert not default_storage.exists(old.tasks_table.name)
    told = browser.read(f"runs/{old.public_id}").json()
    assert (told["state"], told["recording"]) == ("done", "removed")
    assert browser.read(f"runs/{old.public_id}/summary").json() == {"tasks": 1}
    gone = browser.read(f"runs/{old.public_id}/recording")
    assert gone.status_code == 410
    assert "again" in gone.json()["problems"][0]["remedy"]
    assert browser.read(f"runs/{new.public_id}").json()["recording"] == "kept"
    page = browser.get("/experiments").content.decode()
    assert "recording deleted to make room" in page
    assert f"/e/{new.experiment.slug}/preview-light.png" in page
    assert f"/e/{old.experiment.slug}/preview" not in page
    assert retention.make_room() == 0


def test_shared_recordings_go_when_nothing_else_is_left(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    older = finished_run(browser, small_experiment, days=9, shared=True)
    newer = finished_run(browser, small_experiment, days=2, shared=True)
    unshared = finished_run(browser, small_experiment, days=1)
    settings.KEEP_RECORDINGS_BYTES = 1000
    assert retention.make_room() == 2
    assert kept(older, newer, unshared) == [False, True, False]


def test_recordings_are_kept_for_days(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.KEEP_RECORDINGS_DAYS = 30
    old, new = (finished_run(browser, small_experiment, days=days, shared=True) for days in (31, 29))
    assert retention.make_room() == 1
    assert kept(old, new) == [False, True]


def test_only_one_worker_makes_room_at_a_time(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    from playground.storage import connections

    connections.client().delete("retention:done")
    settings.KEEP_RECORDINGS_DAYS = 1
    finished_run(browser, small_experiment, days=2)
    assert retention.make_room_if_due() == 1
    finished_run(browser, small_experiment, days=2)
    assert retention.make_room_if_due() == 0


def test_a_deleted_experiment_comes_back_or_goes_for_good(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    run = finished_run(browser, small_experiment, days=1)
    made = run.experiment
    assert stranger.delete(f"/api/v1/experiments/{made.public_id}").status_code == 403
    assert browser.delete(f"/api/v1/experiments/{made.public_id}").status_code == 204
    for path in (f"experiments/{made.public_id}", f"runs/{run.public_id}", f"runs/{run.public_id}/recording"):
        assert browser.read(path).status_code == 404
    assert browser.get(f"/e/{made.slug}").status_code == 404
    retention.make_room()
    assert stranger.send(f"experiments/{made.public_id}/restore").status_code == 403
    assert browser.send(f"experiments/{made.public_id}/restore").json()["id"] == made.public_id
    assert browser.read(f"runs/{run.public_id}").status_code == 200
    running = browser.send(f"experiments/{made.public_id}/runs", {}).json()
    browser.delete(f"/api/v1/experiments/{made.public_id}")
    assert Run.objects.get(public_id=running["id"]).state == RunState.CANCELLED
    Experiment.objects.filter(pk=made.pk).update(deleted_at=timezone.now() - timedelta(days=2))
    retention.make_room()
    assert not Experiment.objects.filter(pk=made.pk).exists()
    assert kept(run) == [False]
    assert browser.send(f"experiments/{made.public_id}/restore").status_code == 404


def test_an_upload_that_nobody_read_is_swept_away() -> None:
    for name, age_s in (("old", 7200), ("new", 60)):
        default_storage.save(f"{traces.FOLDER}/{name}{traces.UNCHECKED}", ContentFile(b"0 1 1 1\n"))
        path = default_storage.path(f"{traces.FOLDER}/{name}{traces.UNCHECKED}")
        os.utime(path, (time.time() - age_s,) * 2)
    retention.make_room()
    left = [path.name for path in Path(default_storage.path(traces.FOLDER)).iterdir()]
    assert left == [f"new{traces.UNCHECKED}"]


def old_trace(name: str, *, days: float) -> Trace:
    """Keep an uploaded trace of some age."""
    trace = Trace(name=name, format="sparrow", bytes=8, jobs=1, tasks=1, span_s=0.0)
    trace.file.name = f"{traces.FOLDER}/{name}"
    path = Path(default_storage.path(trace.file.name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"0 1 1 1\n")
    trace.save()
    Trace.objects.filter(pk=trace.pk).update(created_at=timezone.now() - timedelta(days=days))
    return trace


def test_traces_that_no_experiment_names_go_after_a_while(
    browser: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.KEEP_TRACES_DAYS = 30
    unused, used, young = (old_trace(name, days=days) for name, days in (("a", 31), ("b", 400), ("c", 29)))
    made = browser.make({**small_experiment, "workload": {"kind": "trace", "trace": used.public_id}})
    retention.make_room()
    assert set(Trace.objects.values_list("public_id", flat=True)) == {used.public_id, young.public_id}
    assert not default_storage.exists(unused.file.name)
    assert default_storage.exists(used.file.name)
    # An experiment that was deleted can be restored for a day, and its trace with it.
    Experiment.objects.filter(public_id=made["id"]).update(deleted_at=timezone.now())
    retention.make_room()
    assert Trace.objects.filter(pk=used.pk).exists()
    Experiment.objects.filter(public_id=made["id"]).update(deleted_at=timezone.now() - 2 * retention.RESTORE_FOR)
    retention.make_room()
    assert not default_storage.exists(used.file.name)


def test_all_viewers_together_may_not_fill_the_disk(settings: Settings) -> None:
    settings.LIMIT_UPLOAD_BYTES = 100
    for number in range(50):
        uploads.begin_upload(length=100, name="x", viewer=Viewer(token=f"secret {number}"))
    with pytest.raises(PlaygroundError, match="no room") as caught:
        uploads.begin_upload(length=1, name="x", viewer=Viewer(token="another"))
    assert caught.value.status == 503


def test_uploads_that_nobody_goes_on_with_go(settings: Settings) -> None:
    viewer = Viewer(token="secret")
    old, new = (uploads.begin_upload(length=5, name=name, viewer=viewer).upload for name in ("old", "new"))
    for upload in (old, new):
        uploads.append_to_upload(upload=upload, offset=0, source=io.BytesIO(b"abc"))
    stray = Path(default_storage.path(f"{uploads.FOLDER}/stray"))
    stray.touch()
    long_ago = timezone.now() - timedelta(hours=settings.KEEP_UPLOADS_HOURS + 1)
    Upload.objects.filter(pk=old.pk).update(touched_at=long_ago)
    os.utime(stray, (long_ago.timestamp(), long_ago.timestamp()))
    retention.make_room()
    assert list(Upload.objects.values_list("name", flat=True)) == ["new"]
    assert [path.name for path in stray.parent.iterdir()] == [f"{new.public_id}.{0:015d}"]


def test_equal_experiments_of_a_browser_are_one_row_and_go_together(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    """Every visit of the studio stores its first experiment: five visits were five rows."""
    theirs = finished_run(stranger, small_experiment, days=1).experiment
    shared = finished_run(browser, small_experiment, days=1, shared=True).experiment
    studied = finished_run(browser, small_experiment, days=1).experiment
    Study.objects.create(experiment=studied, plan={}, runs=0, sent_at=timezone.now())
    visits = [finished_run(browser, small_experiment, days=1).experiment for _ in range(3)]
    other = finished_run(browser, small_experiment | {"name": "Another"}, days=1).experiment

    def listed() -> list[str]:
        return re.findall(r'data-experiment="([^"]+)"', browser.get("/experiments").content.decode())

    rows = [other.public_id, visits[2].public_id, studied.public_id, shared.public_id]
    assert listed() == rows
    assert browser.delete(f"/api/v1/experiments/{visits[2].public_id}").status_code == 204
    assert listed() == [rows[0], *rows[2:]]
    assert stranger.read(f"experiments/{theirs.public_id}").status_code == 200
    assert browser.send(f"experiments/{visits[2].public_id}/restore").status_code == 200
    assert listed() == rows
    assert browser.read(f"experiments/{visits[0].public_id}").status_code == 200


def aged(browser: JsonClient, experiment: dict[str, Any], days: float) -> Experiment:
    made = Experiment.objects.get(public_id=browser.make(experiment)["id"])
    Experiment.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(days=days))
    return made


def test_what_nobody_shared_ran_forked_or_opened_again_goes_after_a_while(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    names = ["new", "unused", "shared", "opened", "forked", "run", "opened long ago"]
    made = {name: aged(browser, small_experiment | {"name": name}, 1 if name == "new" else 31) for name in names}
    assert browser.get(f"/e/{made['shared'].slug}/qr.svg").status_code == 200
    assert browser.read(f"experiments/{made['opened'].public_id}").status_code == 200
    assert browser.send(f"experiments/{made['forked'].public_id}/fork", {}).status_code == 201
    ended = timezone.now() - timedelta(days=31)
    Run.objects.create(experiment=made["run"], seed=1, state=RunState.DONE, queued_at=ended, ended_at=ended)
    Experiment.objects.exclude(name="opened").exclude(opened_at=None).update(opened_at=None)
    Experiment.objects.filter(name="opened long ago").update(opened_at=ended)
    retention.make_room()
    left = set(Experiment.objects.values_list("name", flat=True))
    assert left == {"new", "shared", "opened", "forked", "run"}
    Run.objects.update(created_at=timezone.now() - timedelta(days=91))
    Experiment.objects.filter(name="run").update(created_at=timezone.now() - timedelta(days=91))
    retention.make_room()
    assert not Experiment.objects.filter(name="run").exists(), "its recording went before"


def test_a_link_that_has_gone_says_what_it_was(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    gone = aged(browser, small_experiment | {"name": "My <b>old</b> one"}, 40)
    Experiment.objects.update(opened_at=timezone.now() - timedelta(days=35))
    retention.make_room()
    page = browser.get(f"/e/{gone.slug}")
    assert page.status_code == 410
    text = page.content.decode()
    assert "My &lt;b&gt;old&lt;/b&gt; one" in text
    assert "<b>old" not in text
    assert "Megha" in text
    assert re.search(r'<a class="button" href="/studio" data-held hidden>', text), "a script shows it with its address"
    assert "data-held" not in browser.get("/e/nothing-here").content.decode()
    german = browser.get(f"/e/{gone.slug}", headers={"accept-language": "de"}).content.decode()
    assert "Dieses Experiment wurde entfernt" in german


def test_experiments_that_are_kept_for_good_have_a_quota_that_is_told_with_the_link(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any], settings: Settings
) -> None:
    settings.LIMIT_SHARED_PER_ADDRESS = 2
    slugs = [visitor.make(small_experiment)["slug"] for visitor in (browser, stranger, browser)]
    answers = [browser.get(f"/e/{slug}/qr.svg") for slug in slugs]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert "PLAYGROUND_LIMIT_SHARED_PER_ADDRESS" in answers[2].content.decode()
    assert browser.get(f"/e/{slugs[0]}/qr.svg").status_code == 200, "what is shared stays shared"
    assert stranger.get(f"/e/{slugs[2]}").status_code == 200
    assert Experiment.objects.exclude(shared_at=None).count() == 2


def test_sessions_of_visitors_without_cookies_are_cleared(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    browser.make(small_experiment)
    browser.make(small_experiment)  # shows its cookie
    for _ in range(3):
        JsonClient(headers={"host": "localhost"}).make(small_experiment)
    ends = sorted(Session.objects.values_list("expire_date", flat=True))
    within = timezone.now() + timedelta(days=3)
    assert [end < within for end in ends] == [True, True, True, False]
    Session.objects.filter(expire_date__lt=within).update(expire_date=timezone.now())
    connections.client().delete("retention:sessions")
    retention.make_room()
    assert Session.objects.count() == 1
    assert browser.read(f"experiments/{browser.make(small_experiment)['id']}").json()["mine"]
