"""Field types: a bounded number, a name, a text, a property. Each has its own error message."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from scheduler_core.errors import shown

REFUSED = "refused"

# A date further off than this does not fit, with everything that follows it, into int64 nanoseconds.
LONGEST_S = 1_000_000_000.0
# Whole numbers beyond this change on their way through a browser, whose numbers are doubles.
LARGEST_WHOLE = 2**53 - 1


def refuse(message: str, allowed: str = "", remedy: str = "") -> PydanticCustomError:
    """Return the error for a validator to raise: the problem in a sentence, the allowed values, and the remedy."""
    return PydanticCustomError(REFUSED, "{message}", {"message": message, "allowed": allowed, "remedy": remedy})


class Part(BaseModel):
    """Base of every part of an experiment: frozen, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


#: The smallest number above 0. Sums and quotients of smaller ones leave the range of a double.
SMALLEST = 1e-12


@dataclass(frozen=True)
class Number:
    """A number between two bounds. A `whole` number may read 1 or 1.0; a boolean is no number."""

    low: float
    high: float
    unit: str = ""
    whole: bool = False
    above: bool = False

    @property
    def allowed(self) -> str:
        """Return the accepted values in words."""
        noun = "a whole number" if self.whole else "a number"
        unit = f" ({self.unit})" if self.unit else ""
        if self.above:
            return f"{noun} above {self.low:,g} and at most {_figure(self.high)}{unit}"
        return f"{noun} from {_figure(self.low)} to {_figure(self.high)}{unit}"

    def check(self, value: object) -> float:
        """Return the number, or refuse it."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise refuse(f"is {_kind(value)}, not a number", self.allowed)
        if not math.isfinite(value) if isinstance(value, float) else False:
            raise refuse(f"is {value}, which is not a finite number", self.allowed)
        if self.whole and value != int(value):
            raise refuse(f"is {value}, not a whole number", self.allowed)
        if value < self.low or value > self.high or (self.above and value == self.low):
            raise refuse(f"is {_figure(value)}, which is out of bounds", self.allowed)
        if self.above and self.low == 0 and value < SMALLEST:
            raise refuse(f"is {value:g}, too close to 0 to compute with", f"{self.allowed}, not below {SMALLEST:g}")
        # Adding 0.0 makes 0 of -0.0, which would be another experiment.
        return int(value) if self.whole else float(value) + 0.0

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """Let pydantic call `check` and nothing else."""
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """Describe the bounds in JSON Schema."""
        bound = "exclusiveMinimum" if self.above else "minimum"
        kind = "integer" if self.whole else "number"
        number = int if self.whole else float
        described: dict[str, Any] = {"type": kind, bound: number(self.low), "maximum": number(self.high)}
        return described | ({"x-unit": self.unit} if self.unit else {})


@dataclass(frozen=True)
class Text:
    """A text of bounded length. A `name` is one printable line without leading or trailing blanks."""

    longest: int
    shortest: int = 0
    name: bool = False
    identifier: bool = False

    @property
    def allowed(self) -> str:
        """Return the accepted values in words."""
        if self.identifier:
            return f"a name of 1 to {self.longest} letters, digits and '_' that starts with a letter"
        noun = "one printable line" if self.name else "a text"
        if self.shortest == self.longest:
            return f"{noun} of {self.longest:,} characters"
        return f"{noun} of {self.shortest} to {self.longest:,} characters"

    def check(self, value: object) -> str:
        """Return the text, or refuse it."""
        if not isinstance(value, str):
            raise refuse(f"is {_kind(value)}, not a text", self.allowed)
        if not self.shortest <= len(value) <= self.longest:
            raise refuse(f"has {len(value):,} characters", self.allowed)
        if self.name and (not value.isprintable() or value != value.strip()):
            raise refuse("has blanks around it or characters that cannot be printed", self.allowed)
        if self.identifier and not (value.isascii() and value.isidentifier() and value[0] != "_"):
            raise refuse(f"is {shown(value)}", self.allowed)
        if not is_text(value):
            raise refuse("has characters that are not text", self.allowed)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """Let pydantic call `check` and nothing else."""
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """Describe the lengths in JSON Schema."""
        described: dict[str, Any] = {"type": "string", "minLength": self.shortest, "maxLength": self.longest}
        return described | ({"pattern": "^[A-Za-z][A-Za-z0-9_]*$"} if self.identifier else {})


class Scalar:
    """A JSON value that is not a list or an object: text, number, true or false."""

    ALLOWED = "a text of at most 200 characters, a finite number, true or false"

    @classmethod
    def check(cls, value: object) -> str | float | bool:
        """Return the value, or refuse it."""
        if isinstance(value, bool) or (isinstance(value, str) and len(value) <= 200 and is_text(value)):
            return value
        if isinstance(value, int | float) and math.isfinite(value) and abs(value) <= LARGEST_WHOLE:
            return value
        raise refuse(f"is {_kind(value)}", cls.ALLOWED)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        """Let pydantic call `check` and nothing else."""
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        """Describe the choice in JSON Schema."""
        return {"type": ["string", "number", "boolean"]}


def is_text(value: str) -> bool:
    """Return True if storage and transport accept a text: JSON can contain half characters, which UTF-8 cannot."""
    return not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value)


def _figure(value: float) -> str:
    """Write a number for a person, however long it is."""
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number of more than 18 digits"
    return f"{value:,}" if float(value) != int(value) else f"{int(value):,}"


def _kind(value: object) -> str:
    """Name the kind of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, int | float):
        return f"the number {shown(value)}" if abs(value) < 10**18 else "a very large number"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list | tuple) else "no JSON value"


def whole(high: float, low: int = 1) -> Number:
    """Return a whole number's bounds."""
    return Number(low, high, whole=True)


Name = Annotated[str, Text(64, 1, name=True)]
Identifier = Annotated[str, Text(64, 1, identifier=True)]
Seconds = Annotated[float, Number(0, LONGEST_S, "s")]
PositiveSeconds = Annotated[float, Number(0, LONGEST_S, "s", above=True)]
Share = Annotated[float, Number(0, 1)]
PositiveShare = Annotated[float, Number(0, 1, above=True)]
Index = Annotated[int, Number(0, LARGEST_WHOLE, whole=True)]
Priority = Annotated[int, Number(0, 1_000_000_000, whole=True)]
Amount = Annotated[float, Number(0, 1_000_000)]
