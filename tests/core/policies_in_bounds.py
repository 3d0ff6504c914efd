"""Run generated policies uncompiled, with every index into an array checked: `... policies_in_bounds FIRST COUNT`.

Needs NUMBA_DISABLE_JIT=1: compiled code reads past the end of an array without a word.
"""

from __future__ import annotations

import sys
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from scheduler_core.schedulers.own.protocol import OwnProtocol
from scheduler_core.schedulers.plugin.checking import watched
from tests.core.policies import text as any_text
from tests.core.test_own import drawn_params, ends_or_says_why


def main(first: int, count: int) -> None:
    """Run the policies of `count` seeds; an index out of bounds is an error that names the seed."""
    loop = OwnProtocol.loop

    def advance(world: Any, state: Any, *rest: Any) -> Any:
        # Compiled code computes in 64 bits; a number of an array of 32 bits alone would overflow here.
        wide = state._replace(code=state.code.astype(np.int64))
        return loop.advance(watched(world), watched(wide), *rest)

    OwnProtocol.loop = SimpleNamespace(**{**vars(loop), "advance": advance})  # type: ignore[assignment]
    for seed in range(first, first + count):
        draw = Random(seed)
        text = any_text(draw)
        try:
            ends_or_says_why(text, drawn_params(draw))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {text!r}") from error


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
