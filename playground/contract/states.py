"""States of runs, studies and other computations, as messages name them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

RunState = Literal["queued", "compiling", "running", "paused", "done", "failed", "cancelled"]
"""The state of a run or of a study."""

StateNow = Annotated[
    RunState,
    Field(
        description="What happens now: `queued` (it waits for a worker), `compiling` (its scheduler), `running`, or "
        "`paused`; or how it ended: `done`, `failed` or `cancelled`."
    ),
]
