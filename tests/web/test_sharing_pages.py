"""The list of a browser's experiments, and what a shared link shows before it is opened."""

from __future__ import annotations

import io
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files import File
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image
from pytest_django import Settings

from playground.models import Experiment, Run, RunState
from playground.runs.results import pictures
from playground.runs.results.colors import shades
from playground.web.qr import qr_svg
from scheduler_core import RecordingReader
from tests.node import node
from tests.support import PROJECT
from tests.tiers import wide
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

RECORDING = PROJECT / "fixtures" / "recordings" / "landing.zip"


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def with_run(made: dict[str, Any]) -> Run:
    """Give an experiment a finished run: the recording of the landing page."""
    experiment = Experiment.objects.get(public_id=made["id"])
    now = timezone.now()
    waits = {"p50": 0.00212, "p99": 3.2}
    run = Run(experiment=experiment, seed=1, state=RunState.DONE, queued_at=now, ended_at=now)
    run.summary = {"allocation_delay_s": waits}
    with RECORDING.open("rb") as file:
        run.recording.save(f"{run.public_id}.zip", File(file), save=False)
    run.save()
    return run


def test_a_shared_link_tells_what_it_is(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    made = browser.make({**small_experiment, "name": 'A "quoted" <name>', "question": "How stale may it be?"})
    page = browser.get(f"/e/{made['slug']}").content.decode()
    assert "og:image" not in page, "there is no run yet to show"
    with_run(made)
    page = browser.get(f"/e/{made['slug']}").content.decode()
    assert "<title>A &quot;quoted&quot; &lt;name&gt; · Scheduler Playground</title>" in page
    assert "How stale may it be? Half of the tasks start within 2.12 ms, 99 % within 3.20 s." in page
    found = re.search('property="og:image" content="([^"]+)"', page)
    assert found is not None
    assert found[1] == f"http://localhost/e/{made['slug']}/preview.png"


@pytest.mark.parametrize(("path", "size"), [("preview.png", (1200, 630)), ("preview-dark.png", (480, 252))])
def test_the_preview_shows_the_map_of_the_run(
    browser: JsonClient, small_experiment: dict[str, Any], path: str, size: tuple[int, int]
) -> None:
    made = browser.make(small_experiment)
    assert browser.get(f"/e/{made['slug']}/{path}").status_code == 404
    run = with_run(made)
    answer = browser.get(f"/e/{made['slug']}/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    image = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert image.size == size
    colors = image.getcolors(1_000_000)
    assert colors is not None
    # Owners differ in hue and machines in how full they are.
    assert len(colors) > 12
    # The picture is kept: it outlives the recording.
    default_storage.delete(run.recording.name)
    assert browser.get(f"/e/{made['slug']}/{path}").content == answer.content


def test_every_machine_has_its_cell_on_the_picture() -> None:
    with RecordingReader(RECORDING) as reader:
        meta, frame = reader.meta, reader.frame(reader.count // 2)
    for width, height in ((1104, 376), (480, 252)):
        plan = pictures._lay_out(meta["clusters"], meta["machines"], width, height)
        places = set(zip(plan.x.tolist(), plan.y.tolist(), strict=True))
        assert len(places) == meta["machines"]
        assert plan.x.min() >= 0
        assert plan.y.min() >= 0
        assert plan.x.max() + plan.size <= width
        assert plan.y.max() + plan.size <= height
    drawn = pictures.draw_map(meta, frame, 480, 252, dark=False)
    assert drawn.shape == (252, 480, 3)


def test_fifty_thousand_machines_fit_as_well() -> None:
    clusters = [{"partitions": [{"first": 5000 * c + 500 * p, "machines": 500} for p in range(10)]} for c in range(10)]
    plan = pictures._lay_out(clusters, 50_000, 1104, 376)
    assert len(set(zip(plan.x.tolist(), plan.y.tolist(), strict=True))) == 50_000
    assert plan.y.max() + plan.size <= 376


def test_the_pictures_colors_are_the_pages() -> None:
    script = (
        "import { shade, HUES } from './static/js/kit/palette.js';"
        "const row = (o, dark) => [0, 1, 77, 200, 255].map((l) => shade(o, l / 255, dark));"
        "const rows = (dark) => [...HUES.keys(), 255].map((o) => row(o, dark));"
        "console.log(JSON.stringify([rows(false), rows(true)]));"
    )
    done = subprocess.run(
        [node(), "--input-type=module", "-e", script], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    for theirs, dark in zip(json.loads(done.stdout), (False, True), strict=True):
        ours = shades(dark)[:, [0, 1, 77, 200, 255]].astype(int)
        assert np.abs(ours - np.array(theirs)).max() <= 1


def test_the_code_holds_the_link_and_marks_it_as_shared(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    made = browser.make(small_experiment)
    assert Experiment.objects.get(public_id=made["id"]).shared_at is None
    plain = browser.get(f"/e/{made['slug']}/qr.svg")
    assert plain["Content-Type"] == "image/svg+xml"
    assert plain.content == qr_svg(f"http://localhost/e/{made['slug']}")
    there = browser.get(f"/e/{made['slug']}/qr.svg?t=12&layer=load").content
    assert there == qr_svg(f"http://localhost/e/{made['slug']}?t=12&layer=load") != plain.content
    odd = browser.get(f"/e/{made['slug']}/qr.svg?t=" + "9" * 5000)
    assert odd.content == plain.content
    assert Experiment.objects.get(public_id=made["id"]).shared_at is not None


def test_a_visit_of_somebody_else_marks_it_as_shared(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make(small_experiment)
    browser.get(f"/e/{made['slug']}")
    assert Experiment.objects.get(public_id=made["id"]).shared_at is None
    stranger.get(f"/e/{made['slug']}/embed")
    assert Experiment.objects.get(public_id=made["id"]).shared_at is not None


def test_the_list_is_this_browsers_alone(
    browser: JsonClient, stranger: JsonClient, small_experiment: dict[str, Any]
) -> None:
    assert "Nothing here yet" in browser.get("/experiments").content.decode()
    made = browser.make({**small_experiment, "name": "Mine", "question": "Why?"})
    with_run(made)
    page = browser.get("/experiments").content.decode()
    for text in ("Mine", "Why?", "Megha", "2.12 ms", "3.20 s", "done", f"/e/{made['slug']}/preview-light.png"):
        assert text in page
    assert "Mine" not in stranger.get("/experiments").content.decode()
    browser.delete(f"/api/v1/experiments/{made['id']}")
    assert "Mine" not in browser.get("/experiments").content.decode()


def test_what_was_dropped_for_the_next_turn_of_a_knob_is_not_listed(
    browser: JsonClient, small_experiment: dict[str, Any]
) -> None:
    made = browser.make({**small_experiment, "name": "Dropped"})
    run = browser.send(f"experiments/{made['id']}/runs", {}).json()
    assert "Dropped" in browser.get("/experiments").content.decode()
    browser.send(f"runs/{run['id']}/cancel")
    assert "Dropped" not in browser.get("/experiments").content.decode()


@wide
def test_the_api_page_needs_no_other_server(browser: JsonClient) -> None:
    page = browser.get("/api/v1/docs").content.decode()
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses
    assert all(re.match(r"/(?!/)", address) for address in addresses)
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))", page), "nothing inline"
    for address in addresses:
        # The documentation's site is built beside, and may not be there yet.
        assert browser.get(address).status_code == 200 or address.startswith("/docs/"), address


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0 s"), (0.0017, "1.70 ms"), (0.000_999_6, "1.00 ms"), (0.1, "100 ms"), (0.9996, "1.00 s"),
        (12.345, "12.3 s"), (600, "10.0 min"), (7200, "2.00 h"), (3.6e7, "10,000 h"),
    ],
)  # fmt: skip
def test_waits_have_three_digits_and_a_unit(value: float, words: str) -> None:
    assert pictures.seconds(value) == words


def test_the_list_names_schedulers_as_people_do(browser: JsonClient, small_experiment: dict[str, Any]) -> None:
    with_run(browser.make(small_experiment))
    page = browser.get("/experiments").content.decode()
    assert "<dd>Megha</dd>" in page
    assert "<dd>3.20 s</dd>" in page
