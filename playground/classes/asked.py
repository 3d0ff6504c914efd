"""Check a teacher's question. It has no answer, because a run computes the answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from playground.classes.names import typed_line
from playground.classes.scoring import Scale
from playground.classes.wrong import problems_of
from playground.errors import PlaygroundError

_Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]
_Value = _Number | Annotated[str, Field(max_length=200)] | bool
#: Fewer seeds give an interval too wide to tell anything apart.
_LEAST_SEEDS = 3


class Asked(BaseModel):
    """A question as a teacher asks it. The answer is computed: it is no part of it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: Literal["choice", "number", "curve", "point"]
    text: str = Field(min_length=1, max_length=300)
    metric: str = Field(default="allocation_delay_s.p99", pattern=r"^[\w.-]{1,100}$")
    best: Literal["least", "most"] = "least"
    schedulers: list[Annotated[str, Field(pattern=r"^[\w.-]{1,64}$")]] = Field(default_factory=list, max_length=8)
    path: str = Field(default="", max_length=200)
    values: list[_Value] = Field(default_factory=list, max_length=12)
    repeats: int = Field(default=5, ge=1, le=10)
    low: _Number = 0
    high: _Number = 1
    log: bool = False
    target: Literal["machine", "task"] = "machine"
    reason: str = Field(default="", max_length=64)
    after_s: float = Field(default=0, ge=0, le=1e9, allow_inf_nan=False)

    @model_validator(mode="after")
    def _whole(self) -> Asked:
        options = len(self.schedulers) or len(self.values)
        numbers = [one for one in self.values if isinstance(one, int | float) and not isinstance(one, bool)]
        if bool(self.path) != bool(self.values):
            raise ValueError("the parameter that varies (path) and its values go together: give both or neither")
        if self.kind == "choice" and (options < 2 or (self.schedulers and self.values)):
            raise ValueError("a choice needs at least two options: schedulers, or values of a parameter (path)")
        if self.kind == "curve" and (len(numbers) < 2 or len(numbers) != len(self.values) or self.schedulers):
            raise ValueError("a curve needs a parameter (path) and at least two numbers as its values")
        if self.kind == "curve" and numbers != sorted(set(numbers)):
            raise ValueError("the values of a curve must be distinct and ascending")
        if self.kind in ("number", "point") and (self.values or self.schedulers):
            raise ValueError(
                f"in a question of the kind {self.kind} nothing varies: leave out schedulers, path and values"
            )
        if self.kind == "point" and not self.reason:
            raise ValueError("a machine or a task to point at needs a reason, such as preempted")
        if self.kind in ("number", "curve") and (self.high <= self.low or (self.log and self.low <= 0)):
            raise ValueError(
                "the scale has to end (high) above its beginning (low), and a logarithmic scale begins above 0"
            )
        return self

    @property
    def scale(self) -> Scale:
        return Scale(self.low, self.high, self.log)

    def plan(self) -> dict[str, Any]:
        """Return the plan of the study that computes the answer, over at least three seeds: one run is chance."""
        axes = [{"path": self.path, "values": self.values}] if self.values else []
        return {
            "axes": axes,
            "schedulers": [{"name": name} for name in self.schedulers],
            "repeats": max(_LEAST_SEEDS, self.repeats),
        }


def parse_asked(data: Any) -> Asked:
    """Check a question. Raises PlaygroundError with every problem."""
    try:
        asked = Asked.model_validate(data)
    except ValidationError as error:
        items = tuple(problems_of(error))
        raise PlaygroundError(422, "invalid-question", "The question cannot be asked", items) from None
    return asked.model_copy(update={"text": typed_line(asked.text, path="text", most=300)})
