"""What README and docs say is run and held against the product.

Tables between `<!-- table NAME -->` and `<!-- end -->` are made here; `python -m tests.core.test_docs` writes them.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import SCHEDULERS, Experiment, scheduler_by_name, simulate
from scheduler_core.cli.main import main
from scheduler_core.experiment.experiment import schema
from scheduler_core.experiment.options import KEY as OPTIONS
from scheduler_core.world.signature import DECIDERS
from tests.core import decider_pictures, moving_picture, reference_tables
from tests.tiers import wide

PROJECT = Path(__file__).resolve().parents[2]
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("**/*.md")])
EXAMPLES = PROJECT / "fixtures" / "experiments"
TABLE = re.compile(r"(<!-- table (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    """Code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (PROJECT / page).read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder in which the fixtures are where a reader finds them, and where writing leaves nothing behind."""
    (tmp_path / "fixtures").symlink_to(PROJECT / "fixtures")
    return tmp_path


def run(command: list[str], place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=place, env=os.environ | {"PYTHONPATH": str(PROJECT)}, capture_output=True, text=True, check=False
    )


def commands() -> Iterator[str]:
    """Command lines of the library on any page."""
    for page in PAGES:
        for block in blocks(str(page.relative_to(PROJECT)), "sh"):
            for line in block.splitlines():
                if line.startswith(".venv/bin/python -m scheduler_core") and not line.endswith(" warm"):
                    yield line


LONG = ("claims run knobs", "claims run signatures", "claims run gallery")
"""Command lines of a minute, of what other wide tests run, too."""


@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=wide if any(one in line for one in LONG) else ()) for line in sorted(set(commands()))],
)
def test_command_lines_work_as_written(
    line: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, _, _, *arguments = shlex.split(line.partition("#")[0])
    assert program == ".venv/bin/python"
    monkeypatch.chdir(place)
    code = main(arguments)
    said = capsys.readouterr()
    assert code == 0, said.err
    assert said.out.strip()


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/how-to/use-the-library.md", "docs/tutorials/first-experiment.md"])
def test_the_python_of_a_page_runs_from_top_to_bottom(page: str, place: Path) -> None:
    done = run([sys.executable, "-c", "\n".join(blocks(page, "python"))], place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_readme_names_exactly_two_set_up_commands() -> None:
    section = (PROJECT / "README.md").read_text().partition("## Set up\n")[2].partition("\n## ")[0]
    found = re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    lines = [line.partition("#")[0].strip() for block in found for line in block.splitlines()]
    assert lines == ["make run", "make test"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_example_experiments_run_to_their_end(path: Path) -> None:
    summary = simulate(Experiment.from_file(path)).summary
    assert summary["tasks"]["completed"] == summary["tasks"]["total"] > 0
    assert json.loads(path.read_text())["question"]


@pytest.mark.parametrize("number", range(len(blocks("docs/reference/experiment.md", "json"))))
def test_json_in_the_page_about_experiments_is_valid(number: int) -> None:
    """The first block is whole; what the others leave out is as in it."""
    whole, *_ = found = [json.loads(block) for block in blocks("docs/reference/experiment.md", "json")]
    Experiment.parse(found[number] if number == 0 else whole | found[number])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if not link.startswith(("http", "/")):
            target, _, anchor = link.partition("#")
            there = path.resolve().parent / target if target else path
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), link


def anchors(page: Path) -> set[str]:
    """Names that a heading can be linked by, as the usual renderers make them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_tables_say_what_the_product_says(path: Path) -> None:
    text = path.read_text()
    assert text == with_tables(text), "run `python -m tests.core.test_docs`"


def test_every_part_of_an_experiment_and_every_scheduler_has_its_tables() -> None:
    names = {name for page in PAGES for _, name, _ in TABLE.findall(page.read_text())}
    parts = {name for name in schema()["$defs"] if not name.startswith("params-")}
    assert names == {"Experiment", *parts, *reference_tables.TABLES} | {
        f"{kind}-{spec.name}"
        for spec in SCHEDULERS
        for kind in ("params", "counters", "reasons", *reference_tables.PARTS)
    }


def test_each_schedulers_page_has_the_same_shape() -> None:
    """Check each page: picture, short idea, the paper's rules and ours apart, tables, what to believe."""
    parts = ["The idea", "The rules", "Parameters", "Counters", "Reasons", "What it shows best", "What to believe"]
    for spec in SCHEDULERS:
        page = (PROJECT / "docs" / "explanation" / "schedulers" / f"{spec.name}.md").read_text(encoding="utf-8")
        head, idea = page.split("## The idea\n", 1)
        assert f"img/schedulers/{spec.name}.svg" in head, spec.name
        assert [one for one in re.findall(r"^## (.+)$", page, re.MULTILINE) if one in parts] == parts, spec.name
        assert page.rstrip().split("## ")[-1].startswith("Sources"), spec.name
        rules = page.split("\n## The rules\n", 1)[1].split("\n## ", 1)[0]
        below = re.findall(r"^### (.+)$", rules, re.MULTILINE)
        assert re.fullmatch(r"The (paper's|papers'|manual's|textbook's|recording's) rules", below[0]), (
            spec.name,
            "whose rules these are",
        )
        assert "What is our reading" in below, (spec.name, "ours apart from the paper's")
        assert all(part.strip() for part in re.split(r"^### .+$", rules, flags=re.MULTILINE)[1:]), spec.name
        first = next(
            part for part in re.split(r"\n\s*\n", idea.strip()) if re.match(r"[\w*]", part) and part.count(". ")
        )
        sentences = re.split(r"(?<=[.:?])\s+(?=[A-Z*`\d])", " ".join(first.split()))
        assert 2 <= len(sentences) <= 6, (spec.name, first)
        assert max(len(sentence.split()) for sentence in sentences) <= 32, (spec.name, first)


def with_tables(text: str) -> str:
    return TABLE.sub(lambda found: found[1] + "\n".join(table(found[2])) + "\n" + found[3], text)


def table(name: str) -> Iterator[str]:
    kind, _, scheduler = name.partition("-")
    if name in reference_tables.TABLES:
        yield from reference_tables.TABLES[name]()
    elif kind in reference_tables.PARTS:
        yield from reference_tables.PARTS[kind](scheduler)
    elif kind == "counters":
        yield from ("| counter | counts |", "|---|---|")
        yield from (f"| `{counter.name}` | {counter.help} |" for counter in scheduler_by_name(scheduler).counters)
    elif kind == "reasons":
        yield from ("Names in braces stand for the decision's own numbers.", "")
        yield from ("| code | reason | sentence |", "|---|---|---|")
        yield from (f"| {r.code} | `{r.name}` | {r.template} |" for r in scheduler_by_name(scheduler).reasons)
    else:
        whole = schema()
        part = whole if name == "Experiment" else whole["$defs"][name]
        sentence = part["description"].partition("\n")[0]
        yield from (sentence if kind == "params" else f"**{part['title']}**: {sentence}", "")
        yield from ("| field | what it takes | default | meaning |", "|---|---|---|---|")
        for field, described in part["properties"].items():
            needed = field in part.get("required", ()) or "default" not in described
            default = "required" if needed else shown_default(described["default"])
            named = f"**{described['title']}.** " if kind == "params" and "title" in described else ""
            yield f"| `{field}` | {takes(described)} | {default} | {named}{meaning(described, whole)} |"


def shown_default(value: object) -> str:
    return "–" if value is None else f"`{json.dumps(value)}`"


def meaning(described: dict[str, Any], whole: dict[str, Any]) -> str:
    """The field's own sentence, or that of the part which it holds."""
    own = described.get("description")
    if own is None and "$ref" in described:
        own = whole["$defs"][described["$ref"].rpartition("/")[2]].get("description")
    found = " ".join((own or "Which kind this is.").split())
    for value, option in described.get(OPTIONS, {}).items():
        found += f" *{option['label']}* (`{value}`): {option['help']}" if option["help"] else ""
    return found + (f" ({described['evidence']})" if "evidence" in described else "")


def takes(described: dict[str, Any]) -> str:
    """Say in a few words what a field accepts."""
    if "$ref" in described:
        name = described["$ref"].rpartition("/")[2]
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
    if "const" in described:
        return f"`{json.dumps(described['const'])}`"
    if "enum" in described:
        return ", ".join(f"`{json.dumps(value)}`" for value in described["enum"])
    for several in ("anyOf", "oneOf"):
        if several in described:
            return " or ".join(takes(each) for each in described[several] if each.get("type") != "null")
    kind = described.get("type")
    if kind in ("number", "integer"):
        return bounds(described)
    if kind == "array":
        return f"a list: {takes(described['items'])}"
    if kind == "object":
        inner = described.get("additionalProperties")
        return f"an object of {takes(inner)}" if isinstance(inner, dict) else "an object"
    if kind == "boolean":
        return "`true`, `false`"
    if isinstance(kind, list):
        return "a text, a number, `true` or `false`"
    return f"a text of up to {described['maxLength']:,} characters"


def bounds(described: dict[str, Any]) -> str:
    unit = described.get("x-unit", described.get("unit", ""))
    noun = "whole number" if described["type"] == "integer" else "number"
    low, high = (described.get("exclusiveMinimum", described.get("minimum")), described["maximum"])
    lowest = f"above {low:g}, up to" if "exclusiveMinimum" in described else f"{low:g} to"
    shown = "2^53 - 1" if high == 2**53 - 1 else f"{high:,.0f}"
    return f"{noun}, {lowest} {shown}" + (f" ({unit})" if unit else "")


def test_pictures_of_who_decides_are_those_of_the_kinds() -> None:
    assert set(decider_pictures.BOXES) == set(DECIDERS.values())
    for kind in decider_pictures.BOXES:
        path = decider_pictures.FOLDER / decider_pictures.name_of(kind)
        assert path.read_text() == decider_pictures.picture(kind), "run `python -m tests.core.test_docs`"


def test_the_moving_picture_is_of_the_recorded_signatures() -> None:
    assert moving_picture.PATH.read_text() == moving_picture.picture(), "run `python -m tests.core.test_docs`"
    assert moving_picture.PATH.stat().st_size < 1_000_000


if __name__ == "__main__":
    moving_picture.PATH.write_text(moving_picture.picture())
    decider_pictures.FOLDER.mkdir(exist_ok=True)
    for kind in decider_pictures.BOXES:
        (decider_pictures.FOLDER / decider_pictures.name_of(kind)).write_text(decider_pictures.picture(kind))
    for each in PAGES:
        each.write_text(with_tables(each.read_text()))
