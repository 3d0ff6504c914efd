"""Check what a presenter may show, and who may present."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from playground.contract.shown import Shown
from playground.errors import not_yours
from playground.experiments.service import get_experiment_by_slug
from playground.ground.viewers import Viewer


def shown(state: Any) -> dict[str, Any]:
    """Check what a presenter sent. Raises ValueError with the first invalid place and its problem."""
    try:
        return Shown.model_validate(state).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"state.{place}: {first['msg']}" if place else f"state: {first['msg']}") from None


def may_present(*, slug: str, viewer: Viewer) -> None:
    """Refuse everybody but the owner of the experiment. Raises PlaygroundError."""
    if not viewer.owns(get_experiment_by_slug(slug=slug)):
        raise not_yours("experiment")
