"""Parameters of the template."""

from __future__ import annotations

from pydantic import Field

from scheduler_core.world.spec import Params


class TemplateParams(Params):
    """Parameters of the template."""

    choices: int = Field(
        2,
        ge=1,
        le=64,
        title="Choices",
        description="Machines drawn for each task; the one with the fewest tasks gets it. More choices shorten waits.",
        json_schema_extra={"unit": "machines"},
    )
