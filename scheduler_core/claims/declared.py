"""The form of a claim: its sentence, its experiments, its measures, and the values that confirm it."""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from scheduler_core.claims.charts import Band, Chart, Unit
from scheduler_core.claims.expressions import Expression
from scheduler_core.claims.setups import Part, Setup, with_parents

DATA = Path(str(files("scheduler_core"))) / "claims" / "data"

Kind = Literal["figure", "table", "order", "ratio", "sign", "exact"]
Verdict = Literal["reproduced", "sign only", "not reproduced", "cannot be run"]
Known = Literal["given", "assumed", "calibrated", "chosen", "construction"]

KNOWN: dict[Known, str] = {
    "given": "The source gives the parameters.",
    "assumed": "The parameters were assumed before the first run.",
    "calibrated": "The parameters were fitted to figures of a paper: this claim's own or others.",
    "chosen": "The parameters were chosen after results were seen.",
    "construction": "The claim holds by construction, so it could not have failed.",
}


_SECTION = re.compile(r"[\dIVX][\dIVX.]*(-[A-Z])?(,| and |$)")


class Measure(Part):
    """A measured number of the setups' runs under one seed, and the values that bear the claim out.

    `of` is an expression (claims.expressions). The claim holds where the number lies in `band`: its median over the
    seeds, or under `every` seed. `sign` is the weaker band in which at least the direction is the claimed one.
    """

    name: str = Field(max_length=110)
    of: str = Field(max_length=2000)
    band: Band
    sign: Band | None = None
    every: bool = False
    published: float | None = None
    no_effect: float | None = None
    """The value without any effect. The band is then the published value and a quarter of its difference from this."""
    catalogue: Band | None = None
    """The range of the catalogue of published claims, where it differs from `band`."""
    unit: Unit | None = None
    """The unit; by the name where none is given (claims.parts)."""
    words: str = Field(default="", max_length=240)

    @property
    def expression(self) -> Expression:
        """The expression, parsed."""
        return Expression.parse(self.of)


class Recorded(Part):
    """One part of a claim with a measurement outside this form, by hand, as docs/development/agreement.md tells."""

    name: str = Field(max_length=110)
    unit: Unit = ""
    published: float | None = None
    ours: float | None = None
    seeds: tuple[float, ...] = ()
    """Our figures seed by seed, where they are known."""
    band: Band | None = None
    verdict: Verdict
    catalogue: Band | None = None
    """The range of the catalogue of published claims, where it differs from `band`."""
    words: str = Field(default="", max_length=240)

    @model_validator(mode="after")
    def _agrees_with_its_band(self) -> Recorded:
        if self.ours is None or self.band is None:
            return self
        if self.band.holds(self.ours) != (self.verdict == "reproduced"):
            raise ValueError(f"part {self.name!r}: {self.ours:g} in the band {self.band} is not {self.verdict!r}")
        return self


WORST: dict[Verdict, int] = {"reproduced": 0, "sign only": 1, "not reproduced": 2, "cannot be run": 3}


class Claim(Part):
    """One claim with the experiments that check it, or with results from elsewhere."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")]
    source: str
    """The file's name: a paper, a public program, or a part of the product."""
    page: str = ""
    """The paper whose page shows the claim, if that is not the source."""
    ref: str = ""
    """Section or figure of the paper, or place in the product."""
    says: str = Field(max_length=400)
    kind: Kind
    published: str = ""
    """The published numbers in words if no measure has them, or a note that no numbers are published."""
    setups: dict[str, Setup] = Field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    why_band: str = ""
    known: Known = "assumed"
    parameters: str = ""
    """The origin of the parameters, in a sentence."""
    reason: str = ""
    """Why a claim is not reproduced: unknown settings, our reading differs, or it does not hold in this model."""
    missing: str = ""
    """The missing input of a claim that cannot be run."""
    recorded: tuple[Recorded, ...] = ()
    """Parts that are measured outside this form, each with its own verdict; a claim may have measures as well."""
    held: str = ""
    """For what is recorded: who measured it, and why it is not run here."""
    chart: Chart | None = None
    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    expected: Verdict = "reproduced"
    """The verdict in full size."""
    small: Verdict | None = None
    """The verdict under the fewer seeds of a test, where it is another one."""
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
            self._check_recorded()
        if not self.recorded and not self.measures:
            raise ValueError("needs setups and measures, `recorded`, or `missing`")
        for name, setup in self.setups.items():
            if setup.of is not None and setup.of not in self.setups:
                raise ValueError(f"setup {name!r} begins with {setup.of!r}, which is none of {sorted(self.setups)}")
        for measure in self.measures:
            if unknown := measure.expression.names - set(self.setups):
                raise ValueError(f"measure {measure.name!r} names {sorted(unknown)}; setups: {sorted(self.setups)}")
        if self.small is not None and not self.full:
            raise ValueError("`small` is for a claim with a `full` size")
        if self.expected not in ("reproduced", "cannot be run") and not self.reason:
            raise ValueError("a claim that is expected to be missed says why in `reason`")
        return self

    def _check_recorded(self) -> None:
        if not self.held:
            raise ValueError("a claim with recorded parts says in `held` who measured them")
        worst = max((part.verdict for part in self.recorded), key=WORST.__getitem__)
        if WORST[self.expected] < WORST[worst] or (not self.measures and self.expected != worst):
            raise ValueError(f"the verdict of the worst of its parts is {worst!r}, not {self.expected!r}")

    def expected_in(self, *, full: bool) -> Verdict:
        """Return the verdict that a run in this size is to have."""
        return self.expected if full or self.small is None else self.small

    @property
    def place(self) -> str:
        """Where the source says it, written out: `Section 5.2.1, Figure 4`."""
        return f"Section {self.ref}" if _SECTION.match(self.ref) else self.ref

    @property
    def named(self) -> frozenset[str]:
        """The setups with measured runs; the others are starting points."""
        curves = self.chart.curves if self.chart is not None else ()
        expressions = [one.expression for one in self.measures] + [
            of for each in curves for of in each.points().values()
        ]
        return frozenset().union(*(one.names for one in expressions))

    @property
    def runs(self) -> bool:
        """Whether its measures are here."""
        return bool(self.measures)

    @property
    def ticked(self) -> bool:
        """Whether a reproduced claim shows a tick: the source gives its parameters, or we assumed them beforehand."""
        return self.known in ("given", "assumed")


class Found(Part):
    """The results of a claim's runs: figures by measure and seed, and the verdict."""

    id: str
    verdict: Verdict
    figures: dict[str, tuple[float | None, ...]]
    seeds: tuple[int, ...]
    full: bool = False
    why: str = ""
    """For what cannot be run: what is missing, and how to get it."""


@functools.cache
def written_claims() -> dict[str, Claim]:
    """Return the claims of the files by id, in their order; raises ValueError naming the file and the claim."""
    claims: dict[str, Claim] = {}
    for path in sorted(path for path in DATA.glob("*/*.toml") if path.parent.name != "knobs"):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        source = "oracle" if path.parent.name == "oracle" else path.stem
        for number, data in enumerate(table["claim"]):
            try:
                claim = _with_shared({"source": source, "page": table.get("page", "")} | data, table.get("setups", {}))
            except ValidationError as error:
                raise ValueError(f"{path.name}, claim {data.get('id', number + 1)}: {error}") from None
            if claim.id in claims:
                raise ValueError(f"{path.name}: there are two claims {claim.id!r}")
            claims[claim.id] = claim
    return claims


def _with_shared(data: dict[str, Any], shared: dict[str, Any]) -> Claim:
    """Make a claim; setups of its file that its expressions name, or its setups begin with, become its own."""
    if not shared or "missing" in data:
        return Claim.model_validate(data)
    setups = {name: Setup.model_validate(one) for name, one in (shared | data.get("setups", {})).items()}
    texts = [one["of"] for one in data.get("measures", ())]
    texts += [of for curve in data.get("chart", {}).get("curves", ()) for of in curve.get("of", ())]
    named = set(data.get("setups", {})).union(*(Expression.parse(text).names for text in texts))
    used = with_parents(named, setups)
    return Claim.model_validate(data | {"setups": {name: one for name, one in setups.items() if name in used}})
