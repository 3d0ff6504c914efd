"""The fourteen schedulers as pipelines: each runs, and uses the stages that its row has; the pages about them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import Experiment, simulate
from scheduler_core.refarch import (
    GROUPS,
    PRESETS,
    SYSTEMS,
    Preset,
    Stage,
    cell,
    group_percentage,
    missing_inputs,
    open_stages,
    policies_of,
    preset_by_name,
    stages_of,
    system_by_name,
    variants,
)
from scheduler_core.refarch.costs import COST_NS
from scheduler_core.refarch.policies import NONE
from scheduler_core.refarch.presets import NEEDED
from scheduler_core.refarch.stages import ALWAYS, STAGES, of_group

WHOLE = "../../explanation/reference-architecture.md"
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference" / "refarch"
each_preset = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
PAGES = {"J": "jobs", "T": "tasks", "M": "management", "R": "resources"}


def experiment(preset: Preset) -> Experiment:
    """Graphs of two users on two clusters, more than fits at once; a machine fails, another drains."""
    graph = [
        {"name": "a", "tasks": 3, "duration_s": 20},
        {"name": "b", "tasks": 4, "duration_s": 30, "after": ["a"]},
        {"name": "c", "duration_s": 10, "after": ["b"]},
    ]
    jobs: list[dict[str, Any]] = [
        {"arrival_s": 5 * number, "queue": "ab"[number % 2], "stages": graph} for number in range(12)
    ]
    return Experiment.parse(
        {
            "schema_version": 1,
            "topology": {
                "global_masters": 2,
                "clusters": [
                    {"name": name, "machines": [{"count": 2, "cpus": 4}, {"count": 1, "cpus": 2}]}
                    for name in ("x", "y")
                ],
            },
            "queues": [
                {"name": "a", "share": 0.3, "global_master": 0},
                {"name": "b", "share": 0.7, "global_master": 1},
            ],
            "workload": {"kind": "inline", "jobs": jobs},
            "events": [
                {"at_s": 60, "kind": "fail", "target": {"machine": 0}, "duration_s": 60},
                {"at_s": 90, "kind": "drain", "target": {"machine": 3}, "duration_s": 60},
            ],
            "scheduler": {"name": "pipeline", "params": preset.params()},
        }
    )


def test_all_fourteen_are_there() -> None:
    assert [preset.system for preset in PRESETS] == [system.name for system in SYSTEMS]
    assert preset_by_name("Borg") is preset_by_name("borg")


@each_preset
def test_a_preset_runs_to_its_end(preset: Preset) -> None:
    summary = simulate(experiment(preset)).summary
    assert summary["tasks"]["completed"] == summary["tasks"]["total"] == 96
    called = summary["pipeline"]["stages"]
    assert all(called[stage]["calls"] for stage in ("T1", "T4", "T7", "R4", "R5", "J6"))
    assert ("M6" in called) == (preset.pipeline()["M2"] != NONE)


@each_preset
def test_a_preset_uses_what_its_row_has(preset: Preset) -> None:
    assert list(missing_inputs(preset.pipeline())) == []
    for row in stages_of(preset):
        if row.stage in ALWAYS:
            continue
        has = cell(preset.system, row.stage).chosen != "."
        if has:
            assert row.policy != NONE or row.note, f"{row.stage} is in the row, and nothing says why it is left out"
        elif row.policy != NONE:
            assert row.ours
            assert row.note or row.policy == NEEDED.get(row.stage) or row.standing == "open", row.stage


def test_what_a_paper_leaves_open_is_varied_and_nothing_else() -> None:
    firmament = preset_by_name("Firmament")
    assert "T2" not in open_stages(firmament)  # the matrix has it in full
    assert {"J2", "T1", "T11", "M4"} & set(open_stages(firmament)) == {"J2", "T11", "M4"}  # T1 has one policy
    found = list(variants(firmament, ["R5", "T11"]))
    assert len(found) == len(policies_of("R5")) * len(policies_of("T11"))
    assert {params["t2"] for params in found} == {"fifo"}
    assert len({(params["r5"], params["t11"]) for params in found}) == len(found)
    assert all(params["m2"] != NONE for params in variants(firmament, ["M2", "M5"]) if params["m5"] != NONE)
    with pytest.raises(ValueError, match="J1 has no policies"):
        list(variants(firmament, ["J1"]))


def test_leaving_the_order_open_changes_the_figures() -> None:
    """Askalon without T2 and R5, as its row has it: the makespan of jobs depends on what one takes instead."""
    base = experiment(preset_by_name("Askalon")).to_dict()
    found = set()
    for params in variants(preset_by_name("Askalon"), ["T2"]):
        one = Experiment.parse(base | {"scheduler": {"name": "pipeline", "params": params}})
        found.add(simulate(one).summary["pipeline"]["job_makespan_s"]["mean"])
    assert max(found) / min(found) > 1.2


def table_of(group: str) -> Iterator[str]:
    cost = dict(zip((stage.id for stage in STAGES), COST_NS, strict=True))
    for stage in of_group(group):
        yield from ("", f"## {stage.id} {stage.name}", "", stage.meaning, "")
        yield from about(stage, cost[stage.id])
        found = policies_of(stage.id)
        if found:
            yield from ("", "| policy | what it does | an operation is | needs |", "|---|---|---|---|")
        for policy in found:
            needs = ", ".join(f"{giver}: {what}" for giver, what in policy.needs) or "–"
            yield f"| `{policy.name}` | {policy.help} | {policy.work} | {needs} |"
        if not found:
            yield from ("", "Always there: it has no choice." if stage.id in ALWAYS else "No policy of its own here.")


def about(stage: Stage, cost_ns: float) -> Iterator[str]:
    named = (
        ("mode", stage.mode),
        ("takes", ", ".join(stage.inputs)),
        ("gives", ", ".join(stage.outputs)),
        ("side effects", stage.effects),
        ("remembers anything between iterations", "yes" if stage.keeps else "no"),
    )
    fields = {"mode": "mode", "takes": "inputs", "gives": "outputs", "side effects": "effects"}
    yield from ("| | | |", "|---|---|---|")
    for name, value in named:
        yield f"| {name} | {value or '–'} | {'inferred' if fields.get(name, 'keeps') in stage.inferred else 'paper'} |"
    yield f"| an operation costs | {cost_ns:g} ns | measured |"


def group_page(group: str, title: str) -> str:
    head = [
        f"# Stages: {title.lower()}",
        "",
        "What each stage is, and the policies that a pipeline may have in it. Made from `scheduler_core.refarch`",
        f"by `python -m tests.core.test_refarch_presets`; the whole is on [its own page]({WHOLE}). Fields that",
        "the paper does not state were inferred from its description.",
    ]
    return "\n".join([*head, *table_of(group)]) + "\n"


_WORDS = {"full": "specified", "partial": "partly", "none": "not", "open": "not recoverable"}


def preset_page(preset: Preset) -> str:
    system = system_by_name(preset.system)
    percents = ", ".join(f"{group} {group_percentage(system, group):.0f} %" for group, _ in GROUPS)
    settings = ", ".join(f"`{name}` {value:g}" for name, value in preset.settings.items()) or "none"
    basis = "its abstract and public pages" if preset.basis == "abstract" else "general knowledge, unverified"
    where = "one cluster" if system.clusters == "single" else "several clusters"
    instead = ", ".join(f"`{name}`" for name in preset.instead)
    lines = [
        f"# {preset.system} as a pipeline", "", preset.about, "",
        f"Cited paper of {system.year}, from {system.origin}, for {where}. "
        f"Of the stages it specifies {percents}.",
        f"Policies are from {basis}; times and numbers are ours.",
        *([f"The same thing whole, not stage by stage: {instead}."] if instead else []), "",
        f"Load it by `scheduler_core.refarch.preset_by_name({preset.name!r}).params()`.",
        f"Further settings: {settings}.", "",
        "Specified is what the paper's matrix says: full, partly, not, or not recoverable, with the symbols that",
        "are possible (`#` full, `~` partly, `.` not). *Ours* marks a policy in a stage that the row lacks.", "",
        "| stage | | specified | policy here | note |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for row in stages_of(preset):
        stage = next(one for one in STAGES if one.id == row.stage)
        symbols = f" ({' or '.join(f'`{symbol}`' for symbol in row.candidates)})" if row.standing == "open" else ""
        policy = {"always": "always there", NONE: "–"}.get(row.policy, f"`{row.policy}`")
        mark = " *ours*" if row.ours else ""
        lines.append(f"| {row.stage} | {stage.name} | {_WORDS[row.standing]}{symbols} | {policy}{mark} | {row.note} |")
    return "\n".join([*lines, "", f"[The reference architecture]({WHOLE})"]) + "\n"


def index_page() -> str:
    lines = [
        "# Stages and schedulers of the reference architecture",
        "",
        "Made from `scheduler_core.refarch`.",
        "",
        "Stages: " + ", ".join(f"[{title.lower()}]({PAGES[group]}.md)" for group, title in GROUPS) + ".",
        "",
        "| scheduler | year | from | J | T | M | R | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for preset in PRESETS:
        system = system_by_name(preset.system)
        percents = " | ".join(f"{group_percentage(system, group):.0f} %" for group, _ in GROUPS)
        lines.append(
            f"| [{preset.system}]({preset.name}.md) | {system.year} | {system.origin} | {percents} | {preset.about} |"
        )
    return "\n".join([*lines, "", f"[The reference architecture]({WHOLE})"]) + "\n"


def pages() -> dict[str, str]:
    """Every page by its file name."""
    made = {f"{PAGES[group]}.md": group_page(group, title) for group, title in GROUPS}
    return made | {f"{preset.name}.md": preset_page(preset) for preset in PRESETS} | {"index.md": index_page()}


@pytest.mark.parametrize("name", pages())
def test_pages_say_what_the_data_say(name: str) -> None:
    assert (FOLDER / name).read_text() == pages()[name], "run `python -m tests.core.test_refarch_presets`"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text)
    sys.stdout.write(f"{len(pages())} pages\n")
