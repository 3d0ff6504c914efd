"""The gallery: every question can be run, and so can everything that it says to try next."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone
from pytest_django import Settings

from playground.gallery.service import Entry, gallery
from playground.ground.simulator import parse_experiment, refuse_unsupported
from playground.models import GalleryRun, Run, RunState
from playground.shell import retention
from tests.support import PROJECT
from tests.web.conftest import JsonClient


def changed(experiment: dict[str, Any], path: str, value: Any) -> None:
    """Put a value where a path of the experiment's JSON says."""
    target: Any = experiment
    parts = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", path)]
    for part in parts[:-1]:
        target = target[part]
    target[parts[-1]] = value


@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_a_question_and_what_to_try_next_can_be_run(entry: Entry) -> None:
    first = parse_experiment(entry.experiment)
    refuse_unsupported(first)
    for each in entry.next:
        after = first.to_dict()
        for path, value in (each.change or {}).items():
            changed(after, path, value)
        made = parse_experiment(after)
        refuse_unsupported(made)
        assert each.change is None or made != first, each.text
    for theme in ("light", "dark"):
        card = PROJECT / "static" / "img" / "gallery" / f"{entry.name}-{theme}.png"
        assert card.is_file(), "python -m tests.browser.stills gallery"


def test_tours_point_at_parts_that_the_page_has() -> None:
    text = (PROJECT / "static" / "js" / "features" / "tours" / "tour.js").read_text()
    known = set(re.findall(r"(\w+): \"", text.partition("ANCHORS = {")[2].partition("};")[0]))
    assert {step.at for entry in gallery() for step in entry.tour} <= known


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("two choices", "two-choices"), ("least loaded", "two-choices"), ("dominant resource", "fair-shares"),
        ("delay scheduling", "wait-for-data"),
    ],
)  # fmt: skip
def test_an_idea_of_the_field_finds_its_question(typed: str, name: str) -> None:
    """The page shows the questions in whose texts each typed word stands."""
    found = [entry.name for entry in gallery() if all(word in entry.searched for word in typed.split())]
    assert name in found


@pytest.mark.django_db
@pytest.mark.redis
def test_the_page_lists_the_questions_and_the_studio_takes_one(browser: JsonClient) -> None:
    page = browser.get("/gallery").content.decode()
    entry = gallery()[0]
    assert all(f"/studio?gallery={each.name}" in page for each in gallery())
    studio = browser.get(f"/studio?gallery={entry.name}").content.decode()
    assert entry.question in studio
    unknown = browser.get("/studio?gallery=none")
    assert unknown.status_code == 200
    assert "The gallery has no question “none”" in unknown.content.decode()


def opened(visitor: JsonClient, name: str) -> dict[str, Any] | None:
    """Return the stored experiment that the page of a question begins with."""
    page = visitor.get(f"/studio?gallery={name}").content.decode()
    boot = re.search(r'<script id="boot" type="application/json">(.*?)</script>', page)
    assert boot is not None
    told: dict[str, Any] = json.loads(boot[1])
    assert told["gallery"]["tour"]
    stored: dict[str, Any] | None = told.get("experiment")
    return stored


def shown(visitor: JsonClient, name: str) -> str:
    """Return the run that the page of a question plays, which is nobody's."""
    stored = opened(visitor, name)
    assert stored is not None
    assert not stored["mine"]
    run: str = stored["runs"][0]["id"]
    return run


def finished(run_id: str, *, hours_ago: float) -> Run:
    run = Run.objects.get(public_id=run_id)
    run.recording.save(f"{run_id}.zip", ContentFile(b"recorded"), save=False)
    run.state, run.ended_at = RunState.DONE, timezone.now() - timedelta(hours=hours_ago)
    run.save()
    return run


@pytest.mark.django_db
@pytest.mark.redis
def test_a_question_has_one_run_for_all_which_is_kept_until_it_would_be_another(
    browser: JsonClient, stranger: JsonClient, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT, settings.KEEP_RECORDINGS_BYTES = tmp_path, 0
    name = gallery()[0].name
    first = shown(browser, name)
    assert Run.objects.get().state == RunState.QUEUED
    assert shown(stranger, name) == first, "who comes while it is computed watches the same"
    run = finished(first, hours_ago=24 * 365)
    retention.make_room()
    assert shown(stranger, name) == first
    # Another experiment, or another simulator: recorded anew, and the old one is kept no longer than anybody's.
    GalleryRun.objects.update(key="of an earlier version")
    second = shown(stranger, name)
    assert second != first
    retention.make_room()
    run.refresh_from_db()
    assert run.recording_removed_at is not None
    # Its files are gone, as after a restore without them: anew.
    run = finished(second, hours_ago=1)
    Path(run.recording.path).unlink()
    third = shown(browser, name)
    assert third != second
    # One that failed is nobody's picture: visitors run their own, until it is tried again.
    Run.objects.filter(public_id=third).update(state=RunState.FAILED, ended_at=timezone.now())
    assert opened(browser, name) is None
    Run.objects.filter(public_id=third).update(ended_at=timezone.now() - timedelta(hours=2))
    assert shown(browser, name) != third
    assert GalleryRun.objects.count() == 1


NUMBER = re.compile(r"\d[\d,.]*\d|\d")
#: The names of percentiles are no counts.
PERCENTILE = re.compile(r"\bp\d\d\b")
#: Numbers of a tour's texts that are no counts of the run: an example of a share, and a key.
NO_COUNT = {("fair-shares", 2, "text"): [10.0], ("long-tail", 0, "there"): [0.0]}


def of_the_experiment(entry: Entry) -> dict[tuple[str, int, str], list[float]]:
    """The numbers of a tour's texts that the experiment gives, by question, step and kind of text."""
    if entry.name != "fair-shares":
        return {}
    (cluster,), (large, small) = entry.experiment["topology"]["clusters"], entry.experiment["workload"]["classes"]
    (machine,) = cluster["machines"]
    sizes = [each[kind] for each in (machine, large["demand"], small["demand"]) for kind in ("cpus", "memory_gb")]
    return {(entry.name, 0, "text"): [float(size) for size in sizes]}


@pytest.mark.parametrize("entry", gallery(), ids=lambda entry: entry.name)
def test_numbers_of_a_tours_texts_are_of_its_experiment_or_of_a_claim(entry: Entry) -> None:
    given = of_the_experiment(entry)
    for at, step in enumerate(entry.tour):
        for kind, text in (("text", step.text), ("there", step.there or "")):
            said = [float(each.replace(",", "")) for each in NUMBER.findall(PERCENTILE.sub("", text))]
            wanted = given.get((entry.name, at, kind)) or NO_COUNT.get((entry.name, at, kind))
            assert said == (wanted or []) or (wanted is None and step.checked), (at, text)
    if entry.name == "fair-shares":
        assert entry.tour[0].title == "Ten machines, 24 jobs"
        assert entry.experiment["topology"]["clusters"][0]["machines"][0]["count"] == 10
        assert entry.experiment["workload"]["jobs"] == 24
