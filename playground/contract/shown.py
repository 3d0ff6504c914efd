"""The state that a presenter shows. The server checks it, because it is sent to every viewer."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_ID = r"^[A-Za-z0-9_-]{1,32}$"
_Owner = Annotated[int, Field(ge=0, le=999)]


class Shown(BaseModel):
    """What a presenter shows: a run, an instant of it, and a place on the map."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

    experiment: str = Field(pattern=_ID)
    """The slug of the experiment."""
    run: str = Field(pattern=_ID)
    """The id of the run."""
    t_s: float = Field(ge=0, le=1e9)
    """The simulated time in seconds."""
    playing: bool
    """Whether playback is on."""
    rate: float = Field(ge=1e-6, le=1e6)
    """Simulated seconds per second of playback."""
    zoom: float | None = Field(default=None, ge=1, le=1e4)
    """The magnification of the map."""
    centre: int | None = Field(default=None, ge=0, le=10**7)
    """The machine in the middle of the map."""
    layer: str | None = Field(default=None, pattern=r"^[\w.-]{1,80}$")
    """The layer that is shown alone; null for all together."""
    owners: list[_Owner] = Field(default_factory=list, max_length=64)
    """The owners whose machines keep their full color; empty for all."""
    pinned: int = Field(default=-1, ge=-1, le=10**7)
    """The machine that the presenter selected; -1 for none."""
    pointed: int = Field(default=-1, ge=-1, le=10**7)
    """The machine under the presenter's pointer; -1 for none."""
