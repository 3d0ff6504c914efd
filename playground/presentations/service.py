"""What a presenter may show, and whose right it is."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.errors import not_yours
from playground.experiments.service import get_experiment_by_slug
from playground.ground.viewers import Viewer

_ID = r"^[A-Za-z0-9_-]{1,32}$"
_Owner = Annotated[int, Field(ge=0, le=999)]


class Shown(BaseModel):
    """A presenter's view: which run, its instant, where the map is looked at. Bounded, for all viewers are sent it."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    experiment: str = Field(pattern=_ID)
    run: str = Field(pattern=_ID)
    t_s: float = Field(ge=0, le=1e9)
    playing: bool
    rate: float = Field(ge=1e-6, le=1e6)
    zoom: float | None = Field(default=None, ge=1, le=1e4)
    centre: int | None = Field(default=None, ge=0, le=10**7)
    layer: str | None = Field(default=None, pattern=r"^[\w.-]{1,80}$")
    owners: list[_Owner] = Field(default_factory=list, max_length=64)
    pinned: int = Field(default=-1, ge=-1, le=10**7)
    pointed: int = Field(default=-1, ge=-1, le=10**7)


def shown(state: Any) -> dict[str, Any]:
    """Check what a presenter sent. Raises ValueError with the first place and what is wrong with it."""
    try:
        return Shown.model_validate(state).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"state.{place}: {first['msg']}" if place else f"state: {first['msg']}") from None


def may_present(*, slug: str, viewer: Viewer) -> None:
    """Refuse whoever does not own the experiment. Raises PlaygroundError."""
    if not viewer.owns(get_experiment_by_slug(slug=slug)):
        raise not_yours("experiment")
