"""The settings that students may change by themselves: open parameters with bounds, and the two axes of the wall."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from playground.classes.wrong import problems_of
from playground.contract.classes import ClassKnob, ClassMeasure
from playground.errors import PlaygroundError, ProblemItem, problem
from playground.studies.metric_names import metric_words, plain
from playground.web.words import gettext
from scheduler_core import scheduler_by_name
from scheduler_core.experiment.labels import label_of
from scheduler_core.experiment.options import option_label
from scheduler_core.experiment.places import PARAMS, steps_of, with_value
from scheduler_core.studies.results import unit_of

#: What an axis of the wall may measure, and what a fork keeps of its preview.
MEASURES = (
    "allocation_delay_s.p50", "allocation_delay_s.p90", "allocation_delay_s.p99", "allocation_delay_s.mean",
    "job_completion_s.p50", "job_completion_s.p99", "job_completion_s.mean", "makespan_s", "utilisation.cpus",
    "fairness.entitled_worst", "counters.messages",
)  # fmt: skip
#: What a phone may tell: these measures are at most 1, the others at most this.
_FRACTIONS, _MOST_FIGURE, _ROUNDING = ("utilisation", "fairness"), 1e15, 1e-9
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_PARAMETERS = 6
_FACTOR = 4
_Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]
KnobKind = Literal["number", "integer", "choice", "switch"]
Value = int | float | str | bool
_Choice = Annotated[int, Field(ge=-(10**15), le=10**15)] | _Number | Annotated[str, Field(max_length=200)] | bool


class OpenParameter(BaseModel):
    """A parameter that students may change: within bounds, or to one of some choices."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    path: str = Field(min_length=1, max_length=200)
    """Where the parameter stands in the experiment."""
    least: _Number | None = None
    """The least number. By default a quarter of the experiment's value, where the parameter allows it."""
    most: _Number | None = None
    """The greatest number. By default four times the experiment's value, where the parameter allows it."""
    choices: list[_Choice] = Field(default_factory=list, max_length=12)
    """The values to choose from, instead of bounds. By default the parameter's own choices, if it has any."""

    @model_validator(mode="after")
    def _whole(self) -> OpenParameter:
        if self.choices and (self.least is not None or self.most is not None):
            raise ValueError("give bounds or choices, not both")
        if self.least is not None and self.most is not None and self.least >= self.most:
            raise ValueError("most must be greater than least")
        return self


class Exploration(BaseModel):
    """What a class explores. An axis of the wall is an open parameter or a measured number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    parameters: list[OpenParameter] = Field(min_length=1, max_length=_MOST_PARAMETERS)
    x: str = Field(default="", max_length=200)
    y: str = Field(default=MEASURES[2], max_length=200)

    @model_validator(mode="after")
    def _axes(self) -> Exploration:
        paths = [one.path for one in self.parameters]
        if len(set(paths)) < len(paths):
            raise ValueError("each parameter may be named once")
        for axis in (self.x, self.y):
            if axis and axis not in (*paths, *MEASURES):
                raise ValueError(f"an axis is one of the parameters or of {', '.join(MEASURES)}")
        return self

    @property
    def axes(self) -> tuple[str, str]:
        return self.x or self.parameters[0].path, self.y


def parse_exploration(data: Any) -> Exploration:
    """Check what a teacher lets a class explore. Raises PlaygroundError with every problem."""
    try:
        return Exploration.model_validate(data)
    except ValidationError as error:
        raise _refused(*problems_of(error)) from None


def _refused(*items: ProblemItem) -> PlaygroundError:
    return PlaygroundError(422, "invalid-exploration", "The class cannot explore this", items)


def knobs_of(asked: Exploration, experiment: dict[str, Any]) -> list[ClassKnob]:
    """Return the open parameters of an experiment. Raises PlaygroundError for what it does not have."""
    found, wrong = [], []
    for at, one in enumerate(asked.parameters):
        try:
            found.append(_knob(one, experiment))
        except (LookupError, ValueError) as error:
            allowed = "a path to one value of the experiment, such as scheduler.params.heartbeat_s"
            wrong.append(problem(f"parameters.{at}.path", str(error)[:200], allowed=allowed))
    if wrong:
        raise _refused(*wrong)
    return found


def _knob(asked: OpenParameter, experiment: dict[str, Any]) -> ClassKnob:
    value = _value_at(experiment, asked.path)
    name = experiment["scheduler"]["name"]
    known = _declared(name, asked.path)
    choices = asked.choices or [one for one in known.get("enum") or [] if one is not None]
    if not choices and isinstance(value, str):
        raise LookupError("is a text: name the choices")
    kind: KnobKind = "choice" if choices else "switch" if isinstance(value, bool) else "number"
    if kind == "number" and (known.get("type") == "integer" or (not known and isinstance(value, int))):
        kind = "integer"
    least, most = _bounds(asked, known, value) if kind in ("number", "integer") else (None, None)
    return {
        "path": asked.path,
        "label": label_of(asked.path, [name]) or plain(asked.path.rpartition(".")[2]),
        "help": str(known.get("description", "")),
        "unit": str(known.get("unit", "")) or _unit_of(asked.path),
        "kind": kind,
        "least": least,
        "most": most,
        "choices": choices,
        "names": [option_label(known, one) for one in choices],
        "value": value,
    }


def worded(knobs: list[ClassKnob]) -> list[ClassKnob]:
    """Return open parameters with their names in the reader's language; a class keeps the English ones.

    Units stay English: pages have their plurals.
    """
    return [
        {
            **knob,
            "label": gettext(knob["label"]),
            "help": gettext(knob["help"]),
            "names": [gettext(name) for name in knob["names"]],
        }
        for knob in knobs
    ]


def _unit_of(path: str) -> str:
    if path.endswith(("offered_load", "share")):
        return "share"
    return "s" if path.endswith("_s") else ""


def _declared(scheduler: str, path: str) -> dict[str, Any]:
    if not path.startswith(PARAMS):
        return {}
    known: dict[str, dict[str, Any]] = scheduler_by_name(scheduler).params.model_json_schema()["properties"]
    return known.get(path.removeprefix(PARAMS), {})


def _value_at(experiment: dict[str, Any], path: str) -> Value:
    here: Any = experiment
    for step in steps_of(path):
        here = here[step] if isinstance(here, list) and isinstance(step, int) and step < len(here) else (
            here.get(step) if isinstance(here, dict) else None
        )  # fmt: skip
    if not isinstance(here, bool | int | float | str):
        raise LookupError("is no single value of this experiment")
    return here


def _bounds(asked: OpenParameter, known: dict[str, Any], value: Any) -> tuple[float, float]:
    """Return the bounds: as asked, else four times less and more than the experiment has, where its rules allow it."""
    around = abs(float(value)) or 1.0
    low, high = known.get("minimum", known.get("exclusiveMinimum")), known.get("maximum")
    least = asked.least if asked.least is not None else max(low if low is not None else 0, around / _FACTOR)
    most = asked.most if asked.most is not None else min(high if high is not None else math.inf, around * _FACTOR)
    if least >= most:
        raise LookupError(f"would have bounds from {least:g} to {most:g}: give both")
    return float(least), float(most)


def chosen(knobs: list[ClassKnob], values: dict[str, Any]) -> dict[str, Value]:
    """Return every control's value: the student's, else the teacher's. Raises PlaygroundError naming each fault."""
    known = {knob["path"]: knob for knob in knobs}
    wrong = [
        problem(str(path)[:100], "is not open to students", allowed=", ".join(known))
        for path in values
        if path not in known
    ]
    for path, value in values.items():
        if path in known and not _accepts(known[path], value):
            wrong.append(
                problem(path, "is not allowed", allowed=_allowed(known[path]), label=gettext(known[path]["label"]))
            )
    if wrong:
        raise PlaygroundError(422, "invalid-fork", "This cannot be tried", tuple(wrong))
    return {path: values.get(path, knob["value"]) for path, knob in known.items()}


def _accepts(knob: ClassKnob, value: Any) -> bool:
    if knob["kind"] == "choice":
        return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in knob["choices"])
    if knob["kind"] == "switch" or isinstance(value, bool):
        return isinstance(value, bool) and knob["kind"] == "switch"
    if not isinstance(value, int if knob["kind"] == "integer" else int | float) or not math.isfinite(value):
        return False
    least, most = knob["least"], knob["most"]
    return (least is None or value >= least) and (most is None or value <= most)


def _allowed(knob: ClassKnob) -> str:
    if knob["kind"] == "choice":
        return ", ".join(str(one) for one in knob["choices"])
    if knob["kind"] == "switch":
        return "true, false"
    return f"{'a whole number' if knob['kind'] == 'integer' else 'a number'} from {knob['least']:g} to {knob['most']:g}"


def problems_of_result(digest: str, figures: dict[str, Any]) -> list[ProblemItem]:
    """Return what is wrong with a result that a phone tells: its digest, and a number or null for each measure."""
    wrong = []
    if _DIGEST.fullmatch(digest) is None:
        wrong.append(problem("digest", "is no digest", allowed="64 digits from 0 to 9 and a to f"))
    for name in figures.keys() - set(MEASURES):
        wrong.append(problem(f"figures.{name[:64]}", "is no measure", allowed=", ".join(MEASURES)))
    for name in MEASURES:
        most = 1.0 if name.startswith(_FRACTIONS) else _MOST_FIGURE
        if name not in figures or not _is_figure(figures[name], most):
            what = "is not allowed" if name in figures else "is missing"
            wrong.append(problem(f"figures.{name}", what, allowed=f"a number from 0 to {most:g}, or null"))
    return wrong


def _is_figure(value: Any, most: float) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most + _ROUNDING


def forked_data(experiment: dict[str, Any], values: dict[str, Value]) -> dict[str, Any]:
    """Return the teacher's experiment with a student's values."""
    for path, value in values.items():
        experiment = with_value(experiment, path, value)
    return experiment


def measures() -> list[ClassMeasure]:
    """Return what an axis may measure, in words."""
    return [{"name": name, "label": metric_words(name), "unit": unit_of(name)} for name in MEASURES]
