"""Verdicts over seeds, and a claim in the words of the outside contract.

A seed is inside if every measure lies in its band under this seed alone. A claim is reproduced if at least 90 % of the
seeds are inside, at the edge if at least 10 % are, and otherwise not reproduced, or reproduced in sign only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from scheduler_core.claims.declared import WORST, Claim, Found, Known, Measure, Recorded, Verdict
from scheduler_core.claims.results import saved_results
from scheduler_core.claims.running import verdict

SeedVerdict = Verdict | Literal["at the edge", "no evidence"]

ENOUGH, SOME = 0.9, 0.1
"""The least shares of seeds inside for `reproduced` and for `at the edge`."""
SEED_VERDICTS: tuple[SeedVerdict, ...] = (
    "reproduced",
    "at the edge",
    "sign only",
    "not reproduced",
    "cannot be run",
    "no evidence",
)
_VERDICTS: dict[SeedVerdict, str] = {"cannot be run": "cannot-run"}
_KNOWN_BY: dict[Known, str] = {"chosen": "chosen-after", "construction": "by-construction"}


def seeds_inside(claim: Claim, found: Found) -> dict[int, bool]:
    """Return which seeds of a run are inside: every measure in its band. Empty for a run without figures."""
    return {seed: one == "reproduced" for seed, one in _by_seed(claim, found).items()}


def verdict_over(claim: Claim, found: Found) -> SeedVerdict:
    """Return the verdict over the seeds of a run, no better than that of the worst recorded part."""
    by_seed = [*_by_seed(claim, found).values()]
    if not by_seed:
        return found.verdict
    recorded: Verdict = max((part.verdict for part in claim.recorded), key=WORST.__getitem__, default="reproduced")
    if WORST[recorded] > WORST["sign only"]:
        return recorded
    inside = by_seed.count("reproduced") / len(by_seed)
    if recorded == "reproduced" and inside >= SOME:
        return "reproduced" if inside >= ENOUGH else "at the edge"
    # What is no longer reproduced is at most right in its direction: by its medians, as the page's table has them.
    return max("sign only", verdict(claim, found.figures), key=WORST.__getitem__)


def stored_verdict(claim: Claim, found: Found | None) -> SeedVerdict:
    """Return a claim's verdict by its saved run; `no evidence` where there is none, or a part was not run yet."""
    if not claim.runs:
        return claim.expected
    if found is None or not_run_yet(claim, found):
        return "no evidence"
    return verdict_over(claim, found)


def saved_verdict(claim: Claim) -> SeedVerdict:
    """Return a claim's verdict by the results file."""
    saved = saved_results().get(claim.id)
    return stored_verdict(claim, saved.found if saved is not None else None)


def not_run_yet(claim: Claim, found: Found | None) -> list[str]:
    """Return the names of the measures that a run has no figures of."""
    return [one.name for one in claim.measures if found is None or not found.figures.get(one.name)]


def contract_word(told: SeedVerdict) -> str:
    """Return the contract's word for a verdict: `sign-only`."""
    return _VERDICTS.get(told, told.replace(" ", "-"))


def known_word(known: Known) -> str:
    """Return the contract's word for how parameters are known: `chosen-after`."""
    return _KNOWN_BY.get(known, known)


def listed(claim: Claim, found: Found | None) -> dict[str, Any]:
    """Return a claim as `claims list --json` gives it, in the words of the outside contract.

    `measure`, `band` and `published` have one entry for each part, in the same order. `figures` has values by part
    and seed.
    """
    parts: list[Recorded | Measure] = [*claim.recorded, *claim.measures]
    bands = [None if one.band is None else one.band.model_dump(exclude_none=True) for one in parts]
    figures: dict[str, dict[str, float | None]] = {
        one.name: {"recorded": one.ours} for one in claim.recorded if one.ours is not None
    }
    if found is not None:
        figures |= {
            one.name: {str(seed): value for seed, value in zip(found.seeds, found.figures[one.name], strict=True)}
            for one in claim.measures
            if found.figures.get(one.name)
        }
    return {
        "id": claim.id,
        "paper": claim.page or claim.source,
        "source": claim.source,
        "place": claim.place,
        "statement": claim.says,
        "measure": [one.name for one in parts],
        "band": bands,
        "published": [one.published for one in parts],
        "known_by": known_word(claim.known),
        "verdict": contract_word(stored_verdict(claim, found)),
        "figures": figures,
        "not_run_yet": not_run_yet(claim, found) if claim.runs else [],
        "reason": claim.missing or claim.reason,
    }


def ran_over(claim: Claim, found: Found, *, over: bool) -> dict[str, Any]:
    """Return a run as `claims run --json` gives it. With `over`, the verdict is that over the seeds."""
    inside = seeds_inside(claim, found)
    return {
        **found.model_dump(mode="json"),
        "verdict": contract_word(verdict_over(claim, found) if over else found.verdict),
        "known_by": known_word(claim.known),
        "inside": {str(seed): held for seed, held in inside.items()},
        "share_inside": sum(inside.values()) / len(inside) if inside else None,
    }


def _by_seed(claim: Claim, found: Found) -> Mapping[int, Verdict]:
    """Return the verdict of the measures under each seed alone."""
    names = [one.name for one in claim.measures]
    if not names or any(len(found.figures.get(name, ())) != len(found.seeds) for name in names):
        return {}
    bare = claim.model_copy(update={"recorded": ()})
    return {
        seed: verdict(bare, {name: (found.figures[name][at],) for name in names}) for at, seed in enumerate(found.seeds)
    }
