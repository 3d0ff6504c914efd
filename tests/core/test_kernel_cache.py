"""What is compiled once on a machine serves every checkout of the same code, and no other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scheduler_core.engine import sources
from tests.support import PROJECT
from tests.tiers import wide

pytestmark = pytest.mark.slow


TINY = """
from scheduler_core.engine.jit import kernel

@kernel
def twice(x):
    return {factor} * x

print(twice(21), sum(twice.stats.cache_hits.values()))
"""


TOLD = """
# Twice as much as it is given.
from scheduler_core.engine.jit import kernel


@kernel
def twice(x: int) -> int:
    \"\"\"Give twice the number.\"\"\"
    return {factor} * x  # a comment

print(twice(21), sum(twice.stats.cache_hits.values()))
"""


NAMED = """
import numpy as np
from scheduler_core.engine.jit import kernel
from tiny import Room

@kernel
def first(room):
    return room.places[0] * {factor}

print(first(Room(np.array([21]))), sum(first.stats.cache_hits.values()))
"""
ROOM = "from typing import Any, NamedTuple\n\nclass Room(NamedTuple):\n    places: Any\n"


def said(checkout: Path, cache: Path, factor: int, text: str = TINY) -> str:
    """What a process prints that runs a tiny kernel of a checkout: its answer, and whether it came from the cache."""
    (checkout / "tiny").mkdir(parents=True, exist_ok=True)
    (checkout / "tiny" / "kernel.py").write_text(text.format(factor=factor))
    paths = os.pathsep.join((str(checkout), str(PROJECT)))
    env = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    return subprocess.run(
        [sys.executable, "-m", "tiny.kernel"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=checkout,
        env=env | {"PYTHONPATH": paths, "SCHEDULER_CORE_CACHE": str(cache)},
    ).stdout.strip()


@wide
def test_checkouts_of_the_same_sources_share_kernels_and_an_edited_one_has_its_own(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert said(tmp_path / "one", cache, 2) == "42 0"
    assert said(tmp_path / "other", cache, 2) == "42 1"
    assert said(tmp_path / "edited", cache, 3) == "63 0"


@wide
def test_words_around_the_code_compile_nothing_anew(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert said(tmp_path / "one", cache, 2) == "42 0"
    assert said(tmp_path / "told", cache, 2, TOLD) == "42 1"
    assert said(tmp_path / "edited", cache, 3, TOLD) == "63 0"


@wide
def test_a_kernel_whose_classes_were_moved_is_compiled_anew(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for name, hits in (("here", 0), ("there", 0), ("elsewhere", 0)):
        checkout = tmp_path / name
        (checkout / "tiny").mkdir(parents=True)
        (checkout / "tiny" / f"{name}.py").write_text(ROOM)
        (checkout / "tiny" / "__init__.py").write_text(f"from tiny.{name} import Room\n")
        assert said(checkout, cache, 2, NAMED) == f"42 {hits}"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library in a folder where it can be edited; digests are of what lies there."""
    package = tmp_path / "scheduler_core"
    shutil.copytree(PROJECT / "scheduler_core", package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "_PACKAGE", package)
    monkeypatch.setattr(sources, "_HERE", package / "engine" / "sources.py")
    return package


class Edits:
    """Edits of a library, and the kernels whose digests they change."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.digests = sources.digests_of_kernels(package)

    def write(self, path: str, old: str, new: str) -> None:
        text = (self.package / path).read_text()
        assert old in text
        (self.package / path).write_text(text.replace(old, new, 1))

    def changed(self) -> set[str]:
        """The kernels that have changed since this was asked last."""
        sources._module.cache_clear()
        before, self.digests = self.digests, sources.digests_of_kernels(self.package)
        assert before.keys() == self.digests.keys()
        return {name for name in before if before[name] != self.digests[name]}


PROBING = "schedulers/probing"


def test_what_is_no_part_of_compiled_code_changes_no_digest(checkout: Path) -> None:
    edits = Edits(checkout)
    for path, old, new in (
        ("engine/tasks.py", '    """', '    """Said in other words: '),
        ("engine/tasks.py", "@inner", "# A comment.\n\n\n@inner"),
        ("engine/tasks.py", "w: World", "w: Any"),
        ("engine/sources.py", "_FOLDER", "_WHERE"),
        (f"{PROBING}/sparrow/reasons.py", '"launched"', '"begun"'),
        ("world/spec.py", "fixed: bool = False", "fixed: bool = True"),
        ("run/driver.py", "SLICE_EVENTS = 50_000", "SLICE_EVENTS = 40_000"),
    ):
        edits.write(path, old, new)
    assert edits.changed() == set()


@wide
def test_an_edit_reaches_the_kernels_that_are_made_of_it_and_no_others(checkout: Path) -> None:
    edits = Edits(checkout)
    loops = {name for name in edits.digests if name.endswith("kernel.py:advance")}
    assert len(loops) > 12
    edits.write("engine/records.py", "TASK_UNSCHEDULABLE = range(6)", "TASK_UNSCHEDULABLE = range(0, 6)")
    assert edits.changed() >= loops
    # A code of Eagle's reasons; Phoenix runs what Eagle's loop is made of, with an order of its own.
    edits.write(f"{PROBING}/eagle/reasons.py", "range(STARTED + 1", "range(STARTED + 0 + 1")
    assert edits.changed() == {f"{PROBING}/eagle/kernel.py:advance", f"{PROBING}/phoenix/kernel.py:advance"}
    edits.write("schedulers/shared/probing/sampling.py", "return ", "return 1 * ")
    assert f"{PROBING}/sparrow/kernel.py:advance" in (probes := edits.changed())
    assert not {name for name in probes if name.startswith(("schedulers/queue", "schedulers/dag", "flow"))}
    edits.write("flow/arrays.py", "BARREN = range(4)", "BARREN = range(0, 4)")
    assert "schedulers/flow/kernel.py:advance" in (solving := edits.changed())
    assert all(name.startswith(("flow/", "schedulers/flow/")) for name in solving)


@wide
def test_a_name_that_is_imported_from_elsewhere_is_another_code(checkout: Path) -> None:
    """Both modules define the name, and the kernel is made of both."""
    (checkout / "one.py").write_text("WHAT = 1\n")
    (checkout / "two.py").write_text("WHAT = 2\n")
    (checkout / "made.py").write_text(
        "from scheduler_core.engine.jit import kernel\nfrom scheduler_core.one import WHAT as A\n"
        "from scheduler_core.two import WHAT as B\n\n@kernel\ndef made(x):\n    return x + A - B\n"
    )
    edits = Edits(checkout)
    edits.write("made.py", ".one import WHAT as A", ".two import WHAT as A")
    assert edits.changed() == {"made.py:made"}
