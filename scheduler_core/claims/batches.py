"""Run many claims: group the claims that share runs, and check such batches in several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

from scheduler_core.claims.declared import Claim, Found
from scheduler_core.claims.known import known_claims
from scheduler_core.claims.running import check_together

Done = Callable[[int, int], None]


def batches(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    """Return claims by what they share runs with: their source, or a scheduler of a source with many of them."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(_batch_of(claim), []).append(claim)
    return found


def _batch_of(claim: Claim) -> str:
    if claim.source == "knobs":
        return f"knobs-{claim.ref.split()[0]}"
    return f"oracle-{claim.id.split('-')[1]}" if claim.source == "oracle" else claim.source


def check_batches(
    claims: Iterable[Claim],
    *,
    full: bool = False,
    seeds: tuple[int, ...] = (),
    processes: int = 1,
    done: Done | None = None,
) -> Iterator[Found]:
    """Check claims batch by batch, on several processes; results come as batches end.

    `seeds` replaces the claims' own seeds. `done(claims, of)` hears of progress. Raises ExperimentError.
    """
    asked = sorted(batches(claims).values(), key=len, reverse=True)
    of = sum(len(batch) for batch in asked)
    over = 0
    for found in _each(asked, full, seeds, min(processes, len(asked))):
        over += len(found)
        if done is not None:
            done(over, of)
        yield from found


def _each(asked: list[list[Claim]], full: bool, seeds: tuple[int, ...], processes: int) -> Iterator[list[Found]]:
    if processes <= 1:
        yield from (check_together(batch, full=full, seeds=seeds) for batch in asked)
        return
    # Spawned: a forked process would share the threads' locks of compiled kernels.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(_by_names, [claim.id for claim in batch], full, seeds) for batch in asked]
        for future in as_completed(waiting):
            yield future.result()


def _by_names(names: list[str], full: bool, seeds: tuple[int, ...]) -> list[Found]:
    known = known_claims()
    return check_together([known[name] for name in names], full=full, seeds=seeds)
