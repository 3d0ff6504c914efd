"""The page's compiler of policies gives the library's rows, and refuses what the library refuses."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scheduler_core.policy import HOOKS, Policy, PolicyError, compile_policy
from scheduler_core.schedulers.own.packing import hooks_of
from scheduler_core.schedulers.own.params import RESERVED
from tests.core.policies import expression
from tests.core.policies import text as any_text
from tests.core.test_policy_text import ISSUE
from tests.node import node
from tests.support import PROJECT
from tests.tiers import wide

FEW, MANY = 400, 5_000
TEMPLATES = {path.stem: path.read_text() for path in sorted((PROJECT / "fixtures" / "policies").glob("*.policy"))}
ODD = [
    "",
    ISSUE,
    "score: 2 ** True + (random)() + 2 ** 3 + 2 ** 3.0 + 2 ** 9 + 2 ** -1 + -2 ** 2 + 2 ** 3 ** 2",
    "score: sum((m.cpus for m in rack),)",
    "score: sum(m.cpus for m in rack,)",
    "score: sum(m.cpus for (m) in (cluster) if m.tasks > 1 if m.cpus if 1 else 2)",
    "score: sum(m.cpus for m in cluster if m.tasks > 1 if not m.cpus) + machine.cpus",
    "score: sum(m.cpus if m.tasks else 1 for m in rack)",
    "score: " + " + ".join(["mean(m.tasks for m in rack)"] * 4),
    "score: " + " + ".join(["mean(m.tasks for m in rack)"] * 5),
    "score: " + " + ".join(f"{n}" for n in range(12)),
    "score: " + " - ".join(f"{n} * machine.cpus" for n in range(13)),
    "score: sum(victim.cpus for victim in rack)",
    "score: sum(prey.cpus for prey in rack)\nprey = 1\nfilter: prey",
    "score: count(m for m in rack if m.free_cpus > 0 and m.left_least < .5)",
    "order: sum(m.same_job for m in cluster)",
    "order: sum(m.cpus for m in rack)",
    "score: min(1, 2,) + max(1, (2), 3)",
    "score: min(,1)",
    "score: min(1, 2,,)",
    "score: 007",
    "score: 00 + 00.5 + 1. + .5e2 + 1e-3",
    "score: 1..real",
    "score: 1 if 2 else 3 if 4 else 5",
    "score: 1 if 2",
    "score: not 1 == not 2",
    "score: not not 1 == 2",
    "score: 1 + not 2",
    "score: - - + 1 - -2",
    "score: 1 < 2 < 3 != 4",
    "score: 1 in 2",
    "score: 1 is 2",
    "score: ()",
    "score: (1, 2)",
    "score: machine . cpus",
    "score: same_job_here + sum(same_job_here * m.cpus for m in rack)",
    "score: machine.cpus()",
    "score: None",
    "score: f(*x)",
    "score: abs(x for x in rack)",
    "score: now + now.x",
    "score: now",
    "score: machine.if",
    "score: 1 >> 2",
    "score: a\na = 1",
    "a = 1\nscore: a\nb = a * a\nfilter: b + a",
    "x = machine.cpus\ny = 3\norder: y",
    "x = machine.cpus\norder: x",
    "param w = 1 from 0 to 2\nparam v = -1 from -2 to 007\nscore: w * v + 1",
    "param w = 3 from 0 to 2\nscore: w",
    "param w = 1 from 2 to 0\nscore: w",
    "param w = 1e999 from 0 to 2\nscore: w",
    "param w = 1 from 0 to 2 3\nscore: w",
    "param news = 5 from 1 to 30\nscore: news",
    "param = 3\nscore: 1",
    "param: 3\nscore: 1",
    "class = 3\nscore: class",
    "print = 3\nscore: print",
    f"{'a' * 40} = 3\nscore: {'a' * 40}",
    f"{'a' * 41} = 3\nscore: {'a' * 41}",
    "\n".join(f"param k{n} = 1 from 0 to 2" for n in range(13)) + "\nscore: 1",
    "victim: 1",
    "victim: 1\npreempt: victim.ran_s < 5 and queue.over_share > 0",
    "score: 1\r\nfilter: 2\rorder: 3 # ☃ \u2028 𝒙",
    "score: 1 # " + "𝒙" * 389,
    "score: 1 # " + "𝒙" * 391,
    "score: 1\u00a0",
    "score: 1\n" + "\n" * 58,
    "score: 1\n" + "\n" * 59,
    "score: " + "-" * 22 + "1",
    "score: " + "-" * 23 + "1",
    "score: " + "-" * 24 + "1",
    "score: " + "(" * 24 + "1" + ")" * 24,
    "score: " + "(" * 25 + "1" + ")" * 25,
    "score: " + "9" * 300,
    "score: " + "9" * 380,
    "score: " + " + ".join(f"machine.cpus * {n}.5" for n in range(20)),
    "\n".join(f"a{n} = task.wait_s * {n} + {n}.25 * job.tasks" for n in range(50)) + "\nscore: a1\norder: a49",
    "\ud800score: 1",
]
"""Texts at the edges of the grammar and of the limits."""


def by_library(text: str) -> dict[str, Any] | None:
    """Return what the page's compiler should tell of a text."""
    try:
        policy = compile_policy(text, RESERVED)
    except PolicyError:
        return None
    return told(policy)


def told(policy: Policy) -> dict[str, Any]:
    fields = ("first", "machine", "end", "result")
    hooks = dict(zip((hook.name for hook in HOOKS), hooks_of(policy), strict=True))
    return {
        "settings": [
            {
                "name": one.name,
                "default": one.default,
                "low": one.low,
                "high": one.high,
                "at": policy.setting_at[one.name],
            }
            for one in policy.settings
        ],
        "rows": policy.rows.tolist(),
        "constants": policy.constants.tolist(),
        "hooks": {
            name: {each: int(hooks[name][each]) for each in fields} | {"needs": code.needs}
            for name, code in policy.hooks.items()
        },
        "words": [word.number for word in policy.words],
    }


class Compiler:
    """The page's compiler in one process of node."""

    def __init__(self) -> None:
        command = [node(), str(PROJECT / "tests" / "data" / "compile_policies.mjs")]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, text: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"text": text}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        self._process.communicate(timeout=30)


@pytest.fixture(scope="module")
def in_page() -> Iterator[Compiler]:
    compiler = Compiler()
    yield compiler
    compiler.end()


def check(in_page: Compiler, texts: list[str]) -> int:
    """Compare the compilers; return how many texts are policies."""
    valid = 0
    for text in texts:
        wanted = by_library(text)
        assert in_page(text) == wanted, text
        valid += wanted is not None
    return valid


@pytest.mark.parametrize("name", TEMPLATES)
def test_examples_have_the_library_s_rows(name: str, in_page: Compiler) -> None:
    assert check(in_page, [TEMPLATES[name]]) == 1


def test_texts_at_the_edges_have_the_library_s_rows_or_none(in_page: Compiler) -> None:
    assert 30 < check(in_page, ODD) < len(ODD) - 30


def drawn(first: int, count: int) -> list[str]:
    """Return generated texts: valid ones, spoiled ones and noise; every third has deep expressions."""
    texts = []
    for seed in range(first, first + count):
        draw = Random(seed)
        deep = "score: " + expression(draw, HOOKS[2].objects, ("1",), depth=5)
        texts.append(deep if seed % 3 == 0 else any_text(draw))
    return texts


def test_generated_policies_have_the_library_s_rows_or_none(in_page: Compiler) -> None:
    assert check(in_page, drawn(0, FEW)) > FEW // 4


@wide
def test_many_generated_policies_have_the_library_s_rows_or_none(in_page: Compiler) -> None:
    """Of the same kind as those of the test before."""
    assert check(in_page, drawn(FEW, MANY)) > MANY // 4
