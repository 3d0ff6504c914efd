"""The numbers beside a picture are what is drawn, and what the recording says."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import scheduler_by_name
from scheduler_core.world.spec import SchedulerSpec
from tests.node import node
from tests.recorded import Recorded
from tests.recorded_tasks import Tasks
from tests.support import PROJECT
from tests.tiers import all_but_wide

KNOWN = PROJECT / "fixtures" / "known"
SEED, INSTANTS = 5, 100


def shown_in(path: Path, frames: list[int]) -> list[dict[str, Any]]:
    """What the page's scripts draw and write at these frames of a recording."""
    script = PROJECT / "tests" / "js" / "says_told.mjs"
    asked = json.dumps({"file": str(path), "frames": frames})
    ran = subprocess.run([node(), script], input=asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def spec_of(recorded: Recorded) -> SchedulerSpec:
    return scheduler_by_name(recorded.meta["scheduler"]["name"])


RECORDINGS = sorted(path.stem for path in KNOWN.glob("*.zip"))
FEW = ["gallery-four-queues", "gallery-rack-fails", "gallery-old-news", "signature-eagle", "signature-pigeon"]


@pytest.mark.slow
@pytest.mark.parametrize("name", all_but_wide(RECORDINGS, FEW))
def test_the_numbers_beside_a_picture_are_what_is_drawn_and_what_the_recording_says(name: str) -> None:
    recorded = Recorded.read(KNOWN / f"{name}.zip")
    frames = sorted(random.Random(SEED).sample(range(len(recorded.frames)), min(INSTANTS, len(recorded.frames))))
    tasks = Tasks(recorded) if recorded.track else None
    told = dict(zip(frames, shown_in(KNOWN / f"{name}.zip", frames), strict=True))
    if recorded.track and recorded.track["tasks"].get("long") and spec_of(recorded).work.long_above:
        long = np.frombuffer(recorded.track["tasks"]["long"], np.uint8)
        hues = told[frames[0]]["hues"]
        assert (hues["by"], hues["of"]) == ("length", long.tolist()), "short jobs are blue, long jobs orange"
    for frame, (counters, load) in enumerate(recorded.pictures()):
        if (shown := told.get(frame)) is None:
            continue
        assert shown["says"]["waiting"] == counters["tasks_waiting"]
        assert shown["says"]["machines"] == recorded.meta["machines"]
        assert shown["says"]["busy"] == (None if load is None else int((load > 0).sum()))
        for box in [*(shown["near"] or []), *shown["far"]]:
            assert box["squares"] == min(box["count"], box["room"]), (frame, box)
        if tasks:
            counts = [box["count"] for box in shown["near"]]
            standing = tasks.standing(shown["t_ns"], len(counts))
            # A frame counts a task no more whose second launch is on its way, which a track does not tell.
            assert sum(counts) == min(sum(standing), counters["tasks_waiting"]), frame
            assert counts == standing or sum(counts) < sum(standing), frame
        assert sum(box["count"] for box in shown["far"]) <= counters["tasks_waiting"]
