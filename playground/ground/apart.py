"""Do what strangers' data costs in a process of its own, whose time and memory are bounded.

The process loads one file with a function `answer` and nothing else of the playground, so it starts fast. As a program,
this file is that process.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playground.ground.shared_places import Places

#: Threads of number libraries would reserve memory that nothing uses.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class TooCostly(Exception):
    """Raised when the process reached its bound of time or memory before it answered."""


def ask_apart(
    file: Path,
    asked: dict[str, Any],
    *,
    cpu_s: int,
    wall_s: float,
    memory_bytes: int,
    wait_s: float | None = None,
    places: Places | None = None,
) -> Any:
    """Return what the function `answer` of a file returns for `asked`; both are JSON.

    Raises TooCostly, OSError, and TimeoutError if all `places` are taken for `wait_s` (by default `wall_s`). Without
    `places`, those are meant that lessons and large experiments share.
    """
    text = json.dumps(asked).encode()
    with (places or _shared_places()).place(wall_s if wait_s is None else wait_s):
        command = [sys.executable, "-I", __file__, str(file), str(cpu_s), str(memory_bytes)]
        try:
            ended = subprocess.run(
                command, input=text, capture_output=True, timeout=wall_s, check=False, env=os.environ | _ONE_THREAD
            )
            return json.loads(ended.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            # Nothing or half an answer: the system ended the process at a bound.
            raise TooCostly from None


@functools.cache
def _shared_places() -> Places:
    # Not at the top: the process that works imports nothing else of the playground.
    from playground.ground.shared_places import Places

    # One web process has at most this many processes of this kind at once.
    return Places(2)


def _loaded(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("apart_file", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _main() -> None:
    file, cpu_s, memory_bytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The library lies beside the playground, also where neither is installed.
    sys.path.insert(0, str(Path(__file__).parents[2]))
    module = _loaded(file)
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    sys.stdout.write(json.dumps(module.answer(asked)))


if __name__ == "__main__":
    _main()
