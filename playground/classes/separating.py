"""Tell which options of a question its runs can tell apart. Pure functions.

An answer counts as right unless the runs show that it is worse than the best option. Pairs of the same seed are
compared by their ratio (waits vary by factors), or by their difference where a number is not above 0. The interval of
95 %, by Student's t over the pairs, has to lie on one side. So no answer is graded by chance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Literal

from playground.classes.scoring import Ends, Scale, on_scale
from scheduler_core.studies.statistics import compare, interval

BySeed = Mapping[int, float]


def ends_of(found: BySeed) -> Ends:
    """Return the ends of the mean's interval; None from a single run. Runs that agree give it no width.

    The interval of a measure that is never negative, such as a wait, ends at 0.
    """
    if len(found) < 2:
        return None
    one = interval(list(found.values()))
    if one.low is None or one.high is None:
        return one.value, one.value
    return (max(0.0, one.low) if min(found.values()) >= 0 else one.low), one.high


def best_of(options: Sequence[BySeed], wanted: Literal["least", "most"]) -> int:
    """Return the number of the option with the least or largest mean."""
    means = [sum(found.values()) / len(found) for found in options]
    return means.index(min(means) if wanted == "least" else max(means))


def tied_with(options: Sequence[BySeed], best: int, wanted: Literal["least", "most"]) -> list[int]:
    """Return the numbers of the options that the runs do not show to be worse than the best one, itself among them."""
    worse = "more" if wanted == "least" else "less"
    return [number for number, found in enumerate(options) if number == best or _verdict(found, options[best]) != worse]


def are_all_alike(places: Sequence[BySeed]) -> bool:
    """Return whether the runs cannot tell any two places of a curve apart."""
    return len(places) > 1 and not any(_verdict(*pair) for pair in itertools.combinations(places, 2))


def spread_of(ends: Sequence[Ends], scale: Scale) -> float:
    """Return the part of the scale, from 0 to 1, that the intervals cover: their mean. An answer there is right."""
    covered = [0.0 if one is None else on_scale(scale, one[1]) - on_scale(scale, one[0]) for one in ends]
    return sum(covered) / len(covered) if covered else 0.0


def _verdict(one: BySeed, other: BySeed) -> Literal["more", "less", ""]:
    """Return whether the runs show one place to have more or less than another; empty if they cannot tell."""
    seeds = [seed for seed in one if seed in other]
    these, those = [one[seed] for seed in seeds], [other[seed] for seed in seeds]
    if len(seeds) < 2:  # an answer of an earlier version, from a single run
        return "" if these == those else "more" if these > those else "less"
    if min(*these, *those) > 0:
        these, those = [math.log(each) for each in these], [math.log(each) for each in those]
    verdict = compare(these, those).verdict
    return "more" if verdict == "more" else "less" if verdict == "less" else ""
