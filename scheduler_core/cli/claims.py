"""Command `claims`: list the claims of papers, programs and this product, and check them by runs."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option, subcommand
from scheduler_core.cli.text import number, table
from scheduler_core.errors import ExperimentError, Problem, UnknownName

if TYPE_CHECKING:
    from scheduler_core.claims import Claim, Found

VERDICTS = ("reproduced", "at-the-edge", "sign-only", "not-reproduced", "cannot-run", "no-evidence")
SEEDS, MOST_SEEDS, LAST_FIRST_SEED = 10, 1000, 1_000_000_000


def _arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="subcommands", metavar="WHAT", required=True)
    listed = subcommand(commands, "list", "List all claims.")
    shown = subcommand(commands, "show", "Show one claim with its experiments.")
    shown.add_argument("id", metavar="ID", help="the id of a claim, as `claims list` shows it")
    run = subcommand(commands, "run", "Run claims and print their verdicts.")
    run.add_argument(
        "ids",
        metavar="ID",
        nargs="*",
        help="claims by id, or all claims of a paper (carbyne) or of a part of the product (gallery)",
    )
    run.add_argument("--all", action="store_true", help="run all claims")
    run.add_argument(
        "--full",
        action="store_true",
        help="use the machines and tasks of the paper or program; the default is a smaller run",
    )
    for command in (listed, shown, run):
        json_option(command)
    run.add_argument("--save", action="store_true", help="save the results for `list` and `table`")
    run.add_argument(
        "--processes",
        type=int,
        choices=range(1, 65),
        metavar="N",
        help="number of papers or parts whose claims run at the same time; the default is 2",
    )
    run.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="number of seeds, in place of the claims' own; the verdict is then over these seeds: reproduced if nine "
        "in ten of them are inside, at the edge from one in ten. The default with --from is 10. From 1 to 1,000.",
    )
    run.add_argument(
        "--from",
        dest="first",
        type=int,
        metavar="SEED",
        help="the first of these seeds; the default is 1. From 0 to 1,000,000,000.",
    )
    made = subcommand(commands, "table", "Write claims as a Markdown table, from the saved results.")
    made.add_argument(
        "source", metavar="SOURCE", help="a paper or a part of the product, such as carbyne, oracle or gallery"
    )
    made.set_defaults(does=_table)
    listed.add_argument(
        "--paper", "--source", dest="source", help="only claims of one paper, program or part of the product"
    )
    listed.add_argument("--verdict", choices=VERDICTS, help="only claims with this verdict")
    listed.set_defaults(does=_list)
    shown.set_defaults(does=_show)
    run.set_defaults(does=_run)


def _claims(args: argparse.Namespace) -> int:
    code: int = args.does(args)
    return code


def _named(names: list[str]) -> list[Claim]:
    from scheduler_core.claims import known_claims

    claims = known_claims()
    found: dict[str, Claim] = {}
    for name in names:
        of_source = {one.id: one for one in claims.values() if one.source == name}
        if name not in claims and not of_source:
            raise UnknownName("claim", name, sorted({*claims, *(one.source for one in claims.values())}))
        found |= of_source or {name: claims[name]}
    return list(found.values())


def _list(args: argparse.Namespace) -> int:
    from scheduler_core.claims import known_claims
    from scheduler_core.claims.counted import counted_lines
    from scheduler_core.claims.over_seeds import known_word, listed
    from scheduler_core.claims.results import saved_results

    known = known_claims().values()
    if args.source is not None and args.source not in (sources := sorted({one.source for one in known})):
        raise UnknownName("paper or source", args.source, sources)
    asked = [one for one in known if args.source in (None, one.source)]
    saved = {name: one.found for name, one in saved_results().items()}
    told = [(one, listed(one, saved.get(one.id))) for one in asked]
    told = [(claim, row) for claim, row in told if args.verdict in (None, row["verdict"])]
    if args.json:
        print(json.dumps([row for _, row in told], indent=1))
        return 0
    from scheduler_core.claims.declared import KNOWN

    rows = [("claim", "verdict", "parameters", "source")]
    rows += [(one.id, row["verdict"], row["known_by"], f"{one.source} {one.ref}".strip()) for one, row in told]
    print(table(rows, right=False))
    print("\n".join(["", "parameters:", *(f"  {known_word(name)}: {text}" for name, text in KNOWN.items())]))
    if args.source is None and args.verdict is None:
        print("\n".join(["", *counted_lines()]))
    return 0


def _show(args: argparse.Namespace) -> int:
    from scheduler_core.claims.declared import KNOWN
    from scheduler_core.claims.outside import Missing
    from scheduler_core.claims.over_seeds import saved_verdict
    from scheduler_core.claims.papers import standing
    from scheduler_core.claims.parts import part_rows
    from scheduler_core.claims.running import experiments_of

    [claim] = _named([args.id])[:1]
    if args.json:
        print(json.dumps(claim.model_dump(mode="json"), indent=1))
        return 0
    print(f"{claim.id} ({claim.source}{', ' + claim.ref if claim.ref else ''})")
    print(textwrap.fill(claim.says, 100, initial_indent="  ", subsequent_indent="  "))
    if claim.missing:
        print(f"  It cannot be run: {claim.missing}")
        return 0
    tick = " ✓" if standing(claim) == "tick" else ""
    print(f"  Verdict: {saved_verdict(claim)}{tick}. {claim.reason}".rstrip())
    if claim.full:
        size = f" With fewer seeds the verdict is: {claim.small}." if claim.small else ""
        takes = claim.full_takes or "longer"
        print(f"  A run with all {len(claim.full['seeds'])} seeds (--full) takes {takes}.{size}")
    print(f"  {KNOWN[claim.known]} {claim.parameters}".rstrip())
    if claim.recorded:
        print(table([("part", "published", "ours", "must be", "verdict"), *_recorded(claim)]))
        print(textwrap.fill(claim.held, 100, initial_indent="  ", subsequent_indent="  "))
    for measure, row in zip(claim.measures, part_rows(claim, None)[len(claim.recorded) :], strict=True):
        unit = f" {row.unit}" if row.unit in ("s", "%", "x") else ""
        published = "" if measure.published is None else f"; published: {number(measure.published)}{unit}"
        print(f"  {row.name} = {measure.of}\n    must be {measure.band}{unit}{published}")
    if claim.why_band:
        print(f"  Why this range: {claim.why_band}")
    try:
        names = ", ".join(experiments_of(claim, claim.seeds[0]))
        print(f"  Experiments (--json prints them): {names}")
    except Missing as error:
        print(f"  {error}")
    return 0


def _table(args: argparse.Namespace) -> int:
    from scheduler_core.claims import known_claims
    from scheduler_core.claims.tables import claims_table

    if args.source not in (sources := sorted({one.source for one in known_claims().values()})):
        raise UnknownName("paper or source", args.source, sources)
    print("\n".join(claims_table(args.source)))
    return 0


def _run(args: argparse.Namespace) -> int:
    from scheduler_core.claims import known_claims
    from scheduler_core.claims.batches import check_batches
    from scheduler_core.claims.over_seeds import ran_over
    from scheduler_core.claims.results import save_results

    if not args.all and not args.ids:
        allowed = "the ids of claims, the name of a paper or of a part of the product, or --all"
        raise ExperimentError([Problem("ID", "is missing", allowed, "`claims list` shows all ids")])
    seeds = _seeds_of(args)
    claims = list(known_claims().values()) if args.all else _named(args.ids)
    done = _told if sys.stderr.isatty() else None
    checked = check_batches(claims, full=args.full, seeds=seeds, processes=args.processes or 2, done=done)
    by_name = {one.id: one for one in checked}
    found = [by_name[claim.id] for claim in claims]
    if args.save:
        save_results(one for one in found if one.figures)
    if args.json:
        told = [ran_over(claim, one, over=bool(seeds)) for claim, one in zip(claims, found, strict=True)]
        print(json.dumps(told, indent=1))
    elif seeds:
        print(table([("claim", "seeds inside", "verdict", "seeds outside"), *_over_seeds(claims, found)], right=False))
    else:
        print(
            table(
                [
                    ("claim, or its part", "published", "ours (median)", "must be", "verdict", "parameters"),
                    *_rows(claims, found),
                ]
            )
        )
        for why in dict.fromkeys(one.why for one in found if one.why):
            print(why)
    # Seeds of one's own ask a question; only the claims' own seeds have a verdict that is expected.
    return int(not seeds and any(_surprises(claim, one) for claim, one in zip(claims, found, strict=True)))


def _seeds_of(args: argparse.Namespace) -> tuple[int, ...]:
    """Return the seeds that take the place of the claims' own; none where the command line names none."""
    if args.seeds is None and args.first is None:
        return ()
    count, first = args.seeds if args.seeds is not None else SEEDS, args.first if args.first is not None else 1
    for option, value, least, most in (("--seeds", count, 1, MOST_SEEDS), ("--from", first, 0, LAST_FIRST_SEED)):
        if not least <= value <= most:
            allowed = f"a whole number from {least} to {most:,}"
            raise ExperimentError([Problem(option, f"is {value}", allowed, "choose a number in this range")])
    if args.save:
        allowed = "the claims' own seeds"
        raise ExperimentError([Problem("--save", "saves no runs with --seeds or --from", allowed, "leave out --save")])
    return tuple(range(first, first + count))


def _over_seeds(claims: list[Claim], found: list[Found]) -> list[tuple[str, ...]]:
    from scheduler_core.claims.over_seeds import contract_word, seeds_inside, verdict_over

    rows: list[tuple[str, ...]] = []
    for claim, one in zip(claims, found, strict=True):
        inside = seeds_inside(claim, one)
        outside = ", ".join(str(seed) for seed, held in inside.items() if not held)
        told = f"{sum(inside.values())} of {len(inside)}" if inside else "–"
        rows.append((claim.id, told, contract_word(verdict_over(claim, one)), outside))
    return rows


def _surprises(claim: Claim, found: Found) -> bool:
    return not found.why and found.verdict != claim.expected_in(full=found.full)


def _told(done: int, of: int) -> None:
    sys.stderr.write(f"\r\033[K{done} of {of} claims" if done < of else "\r\033[K")
    sys.stderr.flush()


def _rows(claims: list[Claim], found: list[Found]) -> list[tuple[str, ...]]:
    import statistics

    from scheduler_core.claims.papers import standing

    rows: list[tuple[str, ...]] = []
    for claim, one in zip(claims, found, strict=True):
        expected = claim.expected_in(full=one.full)
        verdict = one.verdict if one.verdict == expected else f"{one.verdict} (expected: {expected})"
        tick = " ✓" if standing(claim, one.verdict) == "tick" else ""
        told = verdict if claim.runs else f"{verdict} (recorded)"
        rows.append((claim.id, claim.published or "", "", "", told + tick, "" if claim.missing else claim.known))
        rows += _recorded(claim)
        for measure in claim.measures:
            values: list[Any] = [value for value in one.figures.get(measure.name, ()) if value is not None]
            ours = number(statistics.median(values)) if values else "–"
            published = "–" if measure.published is None else number(measure.published)
            rows.append((f"  {measure.name}", published, ours, str(measure.band), ""))
    return rows


def _recorded(claim: Claim) -> list[tuple[str, ...]]:
    """Return the parts of a recorded claim, in the columns of the table of runs."""
    return [
        (
            f"  {part.name}",
            "–" if part.published is None else _with_unit(part.published, part.unit),
            "–" if part.ours is None else _with_unit(part.ours, part.unit),
            "" if part.band is None else str(part.band),
            part.verdict,
        )
        for part in claim.recorded
    ]


def _with_unit(value: float, unit: str) -> str:
    return f"{number(value * 100)} %" if unit == "1" else f"{number(value)} {unit}".rstrip()


COMMAND = Command(
    "claims", "List the claims of papers and of this product, and check them by runs.", _arguments, _claims
)
