"""Command `ask`: answer a question about an experiment by a search over runs."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from scheduler_core.cli.command import Command, json_option
from scheduler_core.cli.interrupt import end_if_interrupted
from scheduler_core.cli.text import number, seconds, table
from scheduler_core.errors import ExperimentError, Problem

if TYPE_CHECKING:
    from scheduler_core.ask.asking import Progress
    from scheduler_core.ask.question import Question

_MOST_MOVES = 10
_MOST_MACHINES = 40


def _arguments(parser: argparse.ArgumentParser) -> None:
    # Questions load the compiler, which no other command waits for. Their own arguments are parsed when one is asked.
    parser.add_argument("name", metavar="QUESTION", help="`machines`, `load`, `knob`, `failure`, `off` or `lose`")
    parser.add_argument("rest", metavar="…", nargs=argparse.REMAINDER, help="its arguments: see `ask QUESTION --help`")


def question_parser(question: Question) -> argparse.ArgumentParser:
    """Build the parser of one question's arguments."""
    parser = argparse.ArgumentParser(
        prog=f"python -m scheduler_core ask {question.name}", description=question.help, allow_abbrev=False
    )
    parser.add_argument("experiment", metavar="EXPERIMENT.json", help="an experiment's file")
    parser.add_argument(
        "--promise", metavar="TEXT", required=True, help="a measure and a bound: 'allocation_delay_s.p99 <= 5'"
    )
    for name, field in question.options.model_fields.items():
        help_text = " ".join((field.description or "").split()).replace("%", "%%")
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="VALUE", help=help_text)
    parser.add_argument("--seeds", metavar="N", default="5", help="runs of each tried value, under other seeds (5)")
    parser.add_argument("--processes", metavar="N", help="how many processes run; by default one for each processor")
    json_option(parser)
    return parser


def _options(args: argparse.Namespace, question: Question) -> dict[str, Any]:
    """Return the given options by name, as JSON where they are; names stay texts."""
    found: dict[str, Any] = {}
    for name, field in question.options.model_fields.items():
        text = getattr(args, name)
        if text is not None:
            found[name] = _value(text, field.annotation)
    return found


def _value(text: str, annotation: Any) -> Any:
    if "tuple" in str(annotation):
        return [one.strip() for one in text.split(",") if one.strip()]
    if "str" in str(annotation):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ExperimentError([Problem(name, f"is '{text}'", "a whole number")]) from None


class _Line:
    """Tells the cost before the search, and then how far it is: on a terminal in one line."""

    def __init__(self, processes: int) -> None:
        self._processes, self._said, self._shown, self._last = processes, False, sys.stderr.isatty(), -1

    def told(self, progress: Progress) -> None:
        """End if Ctrl-C came; show the progress."""
        end_if_interrupted()
        if progress.done > 1 and not self._said:
            self._said = True
            left = progress.expected * progress.run_s / self._processes
            self._write(
                f"at most about {progress.expected:,} runs of {seconds(progress.run_s)}, {seconds(left)} in all\n"
            )
        if self._shown and progress.done != self._last:
            self._last = progress.done
            self._write(f"\r\033[K{progress.done:,} of at most about {progress.expected:,} runs")

    def close(self) -> None:
        """Remove the line."""
        if self._last >= 0:
            self._write("\r\033[K")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _ask(args: argparse.Namespace) -> int:
    from scheduler_core.ask import question_by_name
    from scheduler_core.ask.asking import ask_question
    from scheduler_core.ask.running import processes_here
    from scheduler_core.experiment import Experiment

    question = question_by_name(args.name)
    args = question_parser(question).parse_args(args.rest)
    experiment = Experiment.from_file(args.experiment)
    processes = processes_here() if args.processes is None else _whole(args.processes, "processes")
    if not 1 <= processes <= 256:
        raise ExperimentError([Problem("processes", f"is {processes}", "a whole number from 1 to 256")])
    line = _Line(processes)
    try:
        found = ask_question(
            experiment,
            question.name,
            args.promise,
            _options(args, question),
            seeds=_whole(args.seeds, "seeds"),
            processes=processes,
            told=line.told,
        )
    finally:
        line.close()
    print(json.dumps(found, indent=2) if args.json else _report(found))
    return 0


def _report(found: dict[str, Any]) -> str:
    lines = [found["sentence"]]
    if found["low"] is not None and found["high"] is not None and found["question"] not in ("knob", "lose"):
        lines.append(_bounds(found))
    if found["question"] == "machines":
        lines.append("Every number of machines has the same jobs: fewer machines mean a higher load.")
    if any(one["low"] is not None and one["low"] < 0 for one in found["tried"]):
        lines.append("Intervals by Student's t that reach below 0 are cut at 0. More seeds make them narrower.")
    lines += [f"Note: {note}" for note in found["notes"]]
    lines += ["", table(_rows(found))]
    if "plan" in found:
        lines += ["", *_plan(found)]
    elif found["question"] == "off" and found["answer"]:
        lines += ["", *_off(found)]
    lines += ["", f"{found['runs']:,} runs, {len(found['seeds'])} seeds each. {found['seeds_change']}"]
    return "\n".join(lines)


def _bounds(found: dict[str, Any]) -> str:
    if found["low"] == found["high"]:
        return f"The 95 % intervals of {found['measure']} leave no other answer."
    return f"From {_plain(found['low'])} to {_plain(found['high'])} by the 95 % intervals of {found['measure']}."


def _rows(found: dict[str, Any]) -> list[tuple[str, ...]]:
    first: tuple[str, ...] = ("value", found["measure"], "low", "high", "promise")
    if "against" in found:
        first = (*first, f"under {found['against']}")
    return [first, *(_row(one) for one in found["tried"])]


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    value = f"{one['knob']} = {_plain(one['value'])}" if one.get("knob") else _plain(one["value"])
    if isinstance(one["value"], list):
        value = " ".join(str(count) for count in one["value"])
    low = one["low"] if one["low"] is None else max(0.0, one["low"])  # no measure of a promise can be negative
    numbers = (number(each) for each in (one["measured"], low, one["high"]))
    against = (number(one["against"]),) if "against" in one else ()
    return (value, *numbers, "kept" if one["kept"] else "cannot run" if "refused" in one else "broken", *against)


def _plain(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.10g}"


def _plan(found: dict[str, Any]) -> list[str]:
    """Return a plan period by period, and what it saves."""
    rows: list[tuple[str, ...]] = [("from", "until", "machines off", "machine-hours")]
    for one in found["plan"]:
        times = (_plain(round(one[end], 3)) + " s" for end in ("from_s", "until_s"))
        rows.append((*times, f"{len(one['machines']):,}", number(one["machine_hours"])))
    saved = f", which cost {number(found['saved'])}" if "saved" in found else ""
    whole = number(found["of_machine_hours"])
    counted = "A machine's hours count from the end of its last task; until then it takes no new ones."
    return [table(rows), "", f"{number(found['machine_hours'])} of {whole} machine-hours may be off{saved}.", counted]


def _off(found: dict[str, Any]) -> list[str]:
    """Return the machines that go, the first moves, and what blocks the machines that stay, by reason."""
    machines = found["answer"]
    more = f" and {len(machines) - _MOST_MACHINES:,} more" if len(machines) > _MOST_MACHINES else ""
    lines = [f"Off: machines {', '.join(str(one) for one in machines[:_MOST_MACHINES])}{more}"]
    moves = found["moves"]
    if moves:
        rows = [("task", "from", "to"), *(tuple(str(one[key]) for key in ("task", "from", "to")) for one in moves)]
        lines += ["", f"The first of {len(moves):,} moved tasks:", table(rows[: _MOST_MOVES + 1])]
    reasons: dict[str, list[str]] = {}
    for machine, reason in found["blocked_by"].items():
        reasons.setdefault(reason, []).append(machine)
    return [*lines, "", *(_blocked(members, reason) for reason, members in reasons.items())]


def _blocked(members: list[str], reason: str) -> str:
    who = (
        f"Machine {members[0]} stays"
        if len(members) == 1
        else f"{len(members):,} machines stay, the first is {members[0]}"
    )
    return f"{who}: {reason}"


COMMAND = Command("ask", "Answer a question about an experiment by a search over runs.", _arguments, _ask)
