"""The form of a claim: what is said, which experiments show it, what is measured, and which values bear it out."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from scheduler_core.claims.expressions import Expression

DATA = Path(str(files("scheduler_core"))) / "claims" / "data"

Kind = Literal["figure", "table", "order", "ratio", "sign", "exact"]
Verdict = Literal["reproduced", "sign only", "not reproduced", "cannot be run"]
Known = Literal["given", "assumed", "calibrated", "chosen", "construction"]

KNOWN: dict[Known, str] = {
    "given": "The source gives the parameters.",
    "assumed": "The parameters were assumed before the first run.",
    "calibrated": "The parameters were fitted to this very figure.",
    "chosen": "The parameters were chosen after a look at results.",
    "construction": "The claim holds by construction: it could not have failed.",
}


class Part(BaseModel):
    """Base of all parts: frozen, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Band(Part):
    """The values that bear a claim out, both ends included; an absent end is open."""

    least: float | None = None
    most: float | None = None

    @model_validator(mode="after")
    def _closed_somewhere(self) -> Band:
        if self.least is None and self.most is None:
            raise ValueError("needs `least`, `most` or both: a band without ends cannot be missed")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError("`least` is above `most`")
        return self

    def holds(self, value: float) -> bool:
        """Say whether a value lies in the band; no number never does."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least:g}"
        return f"at most {self.most:g}" if self.least is None else f"{self.least:g} to {self.most:g}"


class Setup(Part):
    """One experiment of a claim: where it begins, and what is changed in it, as {path: value}."""

    of: str | None = None
    """Another setup of the same claim, begun with."""
    experiment: dict[str, Any] | None = None
    """An experiment, written out."""
    file: str | None = None
    """A shipped experiment, by its file under fixtures/ without `.json`, such as `gallery/old-news`."""
    change: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _begins_once(self) -> Setup:
        if sum(one is not None for one in (self.of, self.experiment, self.file)) != 1:
            raise ValueError("begins with exactly one of `of`, `experiment` and `file`")
        return self


class Measure(Part):
    """A number that is measured of the setups' runs under one seed, and the values that bear the claim out.

    `of` is an expression (claims.expressions). The claim holds where the number lies in `band`: its median over the
    seeds, or under `every` seed. `sign` is the weaker band in which at least the direction is the claimed one.
    """

    name: str = Field(max_length=80)
    of: str = Field(max_length=300)
    band: Band
    sign: Band | None = None
    every: bool = False
    published: float | None = None

    @property
    def expression(self) -> Expression:
        """The expression, parsed."""
        return Expression.parse(self.of)


class Recorded(Part):
    """One part of a claim that was measured outside this form: by a test, or by hand as
    docs/development/agreement.md tells.
    """

    name: str = Field(max_length=110)
    unit: Literal["s", "%", "x", ""] = ""
    """Seconds, percent, a factor, or none."""
    published: float | None = None
    ours: float | None = None
    seeds: tuple[float, ...] = ()
    """Our figures seed by seed, where they are known."""
    band: Band | None = None
    verdict: Verdict
    words: str = Field(default="", max_length=240)
    test: str = ""
    """The test that asserts this verdict, as `file::function` under tests/core."""

    @model_validator(mode="after")
    def _agrees_with_its_band(self) -> Recorded:
        if self.ours is None or self.band is None:
            return self
        if self.band.holds(self.ours) != (self.verdict == "reproduced"):
            raise ValueError(f"part {self.name!r}: {self.ours:g} in the band {self.band} is not {self.verdict!r}")
        return self


class Curve(Part):
    """A line of a paper's figure: our values over x, and the published points where there are any."""

    name: str = Field(max_length=80)
    x: tuple[float, ...] = Field(min_length=2)
    ours: tuple[float, ...]
    published: tuple[tuple[float, float], ...] = ()

    @model_validator(mode="after")
    def _as_long(self) -> Curve:
        if len(self.x) != len(self.ours):
            raise ValueError(f"curve {self.name!r}: `ours` needs a value for each of `x`")
        return self


class Chart(Part):
    """The axes of a claim's curves; `s` is seconds."""

    x: str
    y: str
    x_unit: Literal["s", ""] = ""
    y_unit: Literal["s", ""] = ""
    log_x: bool = False
    log_y: bool = False
    curves: tuple[Curve, ...] = Field(min_length=1)


WORST: dict[Verdict, int] = {"reproduced": 0, "sign only": 1, "not reproduced": 2, "cannot be run": 3}


class Claim(Part):
    """One claim with the experiments that check it, or with what was recorded of it."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")]
    source: str
    """The file's name: a paper, a public program, or a part of the product."""
    ref: str = ""
    """Section or figure of the paper; place of the product."""
    says: str = Field(max_length=400)
    kind: Kind
    published: str = ""
    """The published numbers in words where they are not a measure's, or that only words are published."""
    setups: dict[str, Setup] = Field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    why_band: str = ""
    known: Known = "assumed"
    parameters: str = ""
    """How the parameters were come by, in a sentence."""
    reason: str = ""
    """For what is missed: setting unknown, our reading differs, or the claim does not hold in this model."""
    missing: str = ""
    """For what cannot be run: what is missing."""
    recorded: tuple[Recorded, ...] = ()
    """For what is measured outside this form: its parts, each with a verdict of its own."""
    held: str = ""
    """For what is recorded: who measured it, and why it is not run here."""
    chart: Chart | None = None
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    expected: Verdict = "reproduced"
    full: dict[str, Any] = Field(default_factory=dict)
    """Changes that make each setup as large as the source's, and `seeds` for it."""
    full_takes: str = ""

    @model_validator(mode="after")
    def _can_be_checked(self) -> Claim:
        if self.missing:
            if self.setups or self.measures or self.expected != "cannot be run":
                raise ValueError("a claim that cannot be run has no setups or measures, and expects `cannot be run`")
            return self
        if self.recorded:
            return self._as_recorded()
        if not self.setups or not self.measures:
            raise ValueError("needs setups and measures, `recorded`, or `missing`")
        for name, setup in self.setups.items():
            if setup.of is not None and setup.of not in self.setups:
                raise ValueError(f"setup {name!r} begins with {setup.of!r}, which is none of {sorted(self.setups)}")
        for measure in self.measures:
            if unknown := measure.expression.names - set(self.setups):
                raise ValueError(f"measure {measure.name!r} names {sorted(unknown)}; setups: {sorted(self.setups)}")
        if self.expected not in ("reproduced", "cannot be run") and not self.reason:
            raise ValueError("a claim that is expected to be missed says why in `reason`")
        return self

    def _as_recorded(self) -> Claim:
        if self.setups or self.measures or not self.held:
            raise ValueError("a recorded claim has no setups or measures, and says in `held` who measured it")
        worst = max((part.verdict for part in self.recorded), key=WORST.__getitem__)
        if self.expected != worst:
            raise ValueError(f"the verdict of the worst of its parts is {worst!r}, not {self.expected!r}")
        if worst != "reproduced" and not self.reason:
            raise ValueError("a claim that is missed says why in `reason`")
        return self

    @property
    def runs(self) -> bool:
        """Whether its experiments are here."""
        return bool(self.setups)

    @property
    def ticked(self) -> bool:
        """Whether a reproduced claim shows a tick: its parameters were given, or assumed beforehand."""
        return self.known in ("given", "assumed")


class Found(Part):
    """What the runs of a claim gave: figures by measure and seed, and the verdict."""

    id: str
    verdict: Verdict
    figures: dict[str, tuple[float | None, ...]]
    seeds: tuple[int, ...]
    full: bool = False


@functools.cache
def written_claims() -> dict[str, Claim]:
    """Return the claims of the files by id, in their order; raises ValueError naming the file and the claim."""
    claims: dict[str, Claim] = {}
    for path in sorted(path for path in DATA.glob("*/*.toml") if path.parent.name != "knobs"):
        for number, data in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["claim"]):
            try:
                claim = Claim.model_validate({"source": path.stem} | data)
            except ValidationError as error:
                raise ValueError(f"{path.name}, claim {data.get('id', number + 1)}: {error}") from None
            if claim.id in claims:
                raise ValueError(f"{path.name}: there are two claims {claim.id!r}")
            claims[claim.id] = claim
    return claims
