"""Parameters of a scheduler that is one function: those that every such scheduler has, and the function's own."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.world.spec import Params


class ChooseParams(Params):
    """The parameters that every scheduler of one function has."""

    look_ahead: int = Field(
        1,
        ge=1,
        le=10_000,
        title="Look-ahead",
        description="Waiting tasks that the scheduler asks for at each change, in order of arrival. "
        "With more than 1, tasks may overtake one that gets no machine.",
        json_schema_extra={"unit": "tasks"},
    )
