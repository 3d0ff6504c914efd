"""Tables of the documentation's reference that are made from the product: command line, metrics, parameters."""

from __future__ import annotations

import argparse
import functools
import json
import re
from collections.abc import Iterator
from typing import Any

from scheduler_core import SCHEDULERS, signature_cards
from scheduler_core.ask import QUESTIONS
from scheduler_core.claims.papers import papers
from scheduler_core.claims.tables import claims_table
from scheduler_core.cli.ask import question_parser
from scheduler_core.cli.main import COMMANDS
from scheduler_core.engine.wasm.server import STAYS
from scheduler_core.experiment.experiment import schema
from scheduler_core.policy import FOLDS, FUNCTIONS, HOOKS, WORDS
from tests.core.decider_pictures import name_of
from tests.support import PROJECT

EFFECTS = PROJECT / "docs" / "reference" / "effects.md"
SUMMARY = PROJECT / "docs" / "reference" / "schema" / "summary.json"
FIGURE = re.compile(r"(.+)\.(mean|max|p\d+(?:\.\d+)?)")
NUMBERS = {"number", "integer"}


def command_line() -> Iterator[str]:
    """Give a section for each command: what it does, its usage, and its arguments."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"python -m scheduler_core {command.name}", add_help=False)
        command.arguments(parser)
        yield from _section(parser, f"## {command.name}", command.help)
        if command.name == "ask":
            for question in QUESTIONS:
                yield from _section(question_parser(question), f"### ask {question.name}", question.help)


def _section(parser: argparse.ArgumentParser, heading: str, about: str) -> Iterator[str]:
    yield from (heading, "", about[:1].upper() + about[1:].rstrip(".") + ".", "")
    yield from ("```", " ".join(parser.format_usage().removeprefix("usage: ").replace(" [-h]", "").split()), "```", "")
    no_row = (argparse._SubParsersAction, argparse._HelpAction)
    shown = [action for action in parser._actions if not isinstance(action, no_row)]
    if shown:
        yield from ("| argument | meaning |", "|---|---|")
        yield from (f"| {_named(action)} | {_meaning(action)} |" for action in shown)
        yield ""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, inner in action.choices.items():
                command = heading.removeprefix("## ").removeprefix("### ")
                yield from _section(inner, f"### {command} {name}", helps.get(name, inner.description or ""))


def _named(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{option}{takes}`" for option in action.option_strings)


def _meaning(action: argparse.Action) -> str:
    said = " ".join((action.help or "").split()).replace("%(default)s", str(action.default)).replace("|", "\\|")
    if isinstance(action.choices, range):
        return f"{said}{'.' if said else ''} From {action.choices[0]} to {action.choices[-1]}.".lstrip()
    choices = ", ".join(f"`{choice}`" for choice in action.choices or ())
    return f"{said}{'. ' if said and choices else ''}{f'One of {choices}.' if choices else ''}".replace("..", ".")


def metrics() -> Iterator[str]:
    """Give a row for each number of a summary, by the name that studies and the API know it by."""
    whole = json.loads(SUMMARY.read_text(encoding="utf-8"))
    yield from ("| metric | meaning |", "|---|---|")
    rows: dict[str, tuple[str, list[str]]] = {}
    for name, meaning in _numbers(whole, whole, "", ""):
        if figure := FIGURE.fullmatch(name):
            rows.setdefault(figure[1], (meaning, []))[1].append(figure[2])
        else:
            rows[name] = (meaning, [])
    for name, (meaning, figures) in rows.items():
        yield f"| `{name}` | {meaning}{' ' if meaning and figures else ''}{_figures(figures)} |"


def _figures(names: list[str]) -> str:
    return f"With {', '.join(f'`.{name}`' for name in names)}." if names else ""


def _numbers(part: dict[str, Any], whole: dict[str, Any], name: str, about: str) -> Iterator[tuple[str, str]]:
    part = _resolved(part, whole)
    kinds = {part.get("type")} | {each.get("type") for each in part.get("anyOf", ())}
    if kinds & NUMBERS:
        yield name, " ".join(about.split()).replace("|", "\\|")
        return
    for field, inner in part.get("properties", {}).items():
        path = f"{name}.{field}".lstrip(".")
        # The figures of a distribution share a row, which says what is distributed.
        told = about if FIGURE.fullmatch(path) else inner.get("description", about)
        yield from _numbers(inner, whole, path, told)
    each = part.get("additionalProperties")
    if isinstance(each, dict):
        yield from _numbers(each, whole, f"{name}.NAME", about)


def _resolved(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    for several in ("anyOf", "allOf"):
        inner = next((each for each in part.get(several, ()) if "$ref" in each), None)
        part = inner or part
    if "$ref" not in part:
        return part
    found: dict[str, Any] = whole["$defs"][part["$ref"].rpartition("/")[2]]
    return found


PICTURES = "../../../static/img/schedulers"
DECIDES = "../../images/decides"
SEEN = {
    "map": "Each line is a task on a machine over time.",
    "gantt": "Each row is a job: a thin line while it waits, a bar from its first start to its last end.",
    "given": "Each row is a job: a thin line while it waits, a bar from its first start to its last end.",
    "shares": "Each layer is the running tasks of a large job over time; the last layer is all others.",
    "turns": "Each layer is the running tasks of a large job over time; the last layer is all others.",
    "flow": "Each curve leads from a task at the left, in order of arrival, to its machine at the right.",
    "stages": "Each box is a stage of the pipeline; the fuller, the more operations it did.",
}
ORANGE = {"map", "gantt", "given", "flow", "messages", "series"}
"""What a still shows, by the view that the signature opens with (playground/catalogue/stills.py draws it)."""
CARDS = {card["name"]: card for card in signature_cards()}


def facts(name: str) -> Iterator[str]:
    """Give the head of a scheduler's page: a sentence, who decides on what, and the picture of its signature."""
    card = CARDS[name]
    yield from (card["summary"], "", "| | |", "|---|---|")
    yield f"| Name in experiments | `{name}` |"
    yield f"| Family | {card['family_label']} |"
    yield f"| Who decides | {card['decides']} |"
    yield f"| What it knows | {card['knows']} |"
    if card["paper"]:
        yield f"| Source | {_paper(card)} |"
    yield from ("", f"![{card['decides']}: who decides]({DECIDES}/{name_of(card['decides'])})")
    yield from ("", f"![The example run of {card['label']}]({PICTURES}/{name}.svg)", "")
    yield "The first picture shows who decides."
    yield f"The second one is drawn from the recording of {card['label']}'s example run."
    yield SEEN.get(card["opens"]["view"], SEEN["map"])
    if card["opens"]["view"] in ORANGE:
        yield "Tasks of long jobs, or of the second queue, are orange."
    yield "The gray area at the bottom shows how many tasks wait;"
    yield f"the dashed curve shows the same under {card['neighbour']['label']}. The workload is synthetic."


def shows(name: str) -> Iterator[str]:
    """Give what a scheduler's signature shows, in the words that runs check, with the address that opens it."""
    card = CARDS[name]
    yield " ".join(card["says"])
    yield from ("", f"- When a task waits: {card['waits']}")
    yield f"- Number to watch: {_low(card['number']['label'])}."
    neighbor, compared = card["neighbour"], _low(card["compared"]["label"])
    yield f"- Compared with: {_neighbor(neighbor, name)}, by {compared}."
    yield f"- Change one thing: {card['turn']['says']}"
    yield from ("", f"[Open this run in the studio](/studio?signature={name}).")


def _neighbor(neighbor: dict[str, Any], own: str) -> str:
    """Link the neighbor by its own name; a label of other parameters stands before the scheduler that has them."""
    label, page = CARDS[neighbor["name"]]["label"], f"{neighbor['name']}.md"
    if neighbor["name"] == own:
        return f"{neighbor['label']} (this scheduler with other parameters)"
    return f"[{label}]({page})" if label == neighbor["label"] else f"{neighbor['label']} ([{label}]({page}))"


def _paper(card: dict[str, Any]) -> str:
    return f"*{card['paper']}*" + (f", {card['year']}" if card["year"] else "")


def _low(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def believe(name: str) -> Iterator[str]:
    """Give what holds for every scheduler, and what its signature does not reach."""
    card = CARDS[name]
    if card["misses"]:
        yield f"- {card['misses']}"
    yield f"- The sentences above are checked by runs: `python -m scheduler_core claims run signature-{name}`."
    yield "- The example run is a small synthetic workload. On other workloads the idea may matter less, or not at all."
    yield "- [What to believe](../what-to-believe.md) lists what is simplified under every scheduler: every message"
    yield "  takes the same time, and the experiment gives the durations of tasks."


def sources(name: str) -> Iterator[str]:
    """Give the paper, and the pages about published figures and about parameters."""
    card = CARDS[name]
    if card["paper"]:
        yield f"- {_paper(card)}"
    yield "- [Published figures beside ours](/papers)"
    yield "- [What agrees with papers, and what does not](../../development/agreement.md)"
    anchor = f"#{name}" if f"\n### {name}\n" in EFFECTS.read_text(encoding="utf-8") else ""
    yield f"- [What each parameter changes](../../reference/effects.md{anchor})"


PARTS = {"facts": facts, "shows": shows, "believe": believe, "sources": sources}


def parameters() -> Iterator[str]:
    """Give a row for each parameter and each title that schedulers give it, with these schedulers."""
    parts = schema()["$defs"]
    having: dict[tuple[str, str], list[str]] = {}
    for spec in SCHEDULERS:
        for name, field in parts[f"params-{spec.name}"]["properties"].items():
            page = f"[{spec.label}](../explanation/schedulers/{spec.name}.md#parameters)"
            having.setdefault((name, field.get("title", name)), []).append(page)
    yield from ("| parameter | name in the studio | schedulers |", "|---|---|---|")
    yield from (f"| `{name}` | {title} | {', '.join(having[name, title])} |" for name, title in sorted(having))


def schedulers() -> Iterator[str]:
    """Give a row for each scheduler, family by family: its page, who decides, its idea."""
    yield from ("| family | scheduler | who decides | in a sentence |", "|---|---|---|---|")
    family = ""
    for spec in sorted(SCHEDULERS, key=lambda one: CARDS[one.name]["family_label"]):
        card = CARDS[spec.name]
        first = card["family_label"] if card["family_label"] != family else ""
        family = card["family_label"]
        yield f"| {first} | [{spec.label}]({spec.name}.md) | {card['decides']} | {card['summary']} |"


ORACLES = {
    "megha": ("oracle-megha-yh1-4000", "oracle-megha-yh1-1000", "oracle-megha-goog-10000"),
    "sparrow": ("oracle-sparrow-yh1-4000", "oracle-sparrow-goog-10000"),
    "constraints": ("oracle-megha-constraints", "oracle-pigeon-constraints"),
    "hybrid": tuple(
        f"oracle-{scheduler}-{run}"
        for scheduler in ("hawk", "eagle", "pigeon")
        for run in ("yh1-1000", "yh1-4000", "goog-10000", "fb-10000")
    ),
    "phoenix": tuple(f"oracle-{name}-yh1-4000" for name in ("phoenix", "eagle-c", "hawk-c", "sparrow-c")),
    "subtraces": ("eagle-on-yahoo", "eagle-on-google"),
}
WITH_CLAIMS = [name for name, paper in papers().items() if any(claim.source == name for claim in paper.claims)]


def server_loops() -> Iterator[str]:
    """Event loops that stay on the server."""
    yield "| schedulers | when the loop asks | why |"
    yield "|---|---|---|"
    for each in STAYS:
        names = ", ".join(f"`{name}`" if " " not in name else name for name in each.schedulers)
        yield f"| {names} | {each.when} | {each.why} |"


CLAIMS = {f"claims-{name}": functools.partial(claims_table, name) for name in [*WITH_CLAIMS, "costs"]}
CLAIMS |= {f"claims-oracle-{name}": functools.partial(claims_table, *ids) for name, ids in ORACLES.items()}


def policy_hooks() -> Iterator[str]:
    """Yield the hooks of a policy and what each may read."""
    yield from ("| hook | reads | meaning |", "|---|---|---|")
    yield from (f"| `{one.name}` | {', '.join(f'`{name}`' for name in one.objects)} | {one.meaning} |" for one in HOOKS)


def policy_functions() -> Iterator[str]:
    """Yield the functions and folds of a policy."""
    yield from ("| function | arguments | gives |", "|---|---|---|")
    for one in FUNCTIONS:
        many = str(one.least) if one.least == one.most else f"{one.least} to {one.most}"
        yield f"| `{one.name}` | {many} | {one.meaning} |"
    yield from (f"| `{name}` over machines | | {meaning} |" for name, meaning in FOLDS.items())


def policy_words() -> Iterator[str]:
    """Yield the words of a policy."""
    yield from ("| word | unit | meaning | could a real scheduler know it? |", "|---|---|---|---|")
    for word in WORDS:
        known = "yes" if word.known == "yes" else "no: only a simulation knows"
        yield f"| `{word.text}` | {word.unit} | {word.meaning} | {known} |"


TABLES = {"all-schedulers": schedulers, "command-line": command_line, "metrics": metrics, "all-parameters": parameters}
TABLES |= {
    "policy-hooks": policy_hooks,
    "policy-functions": policy_functions,
    "policy-words": policy_words,
}
TABLES |= {"server-loops": server_loops}
TABLES |= CLAIMS
