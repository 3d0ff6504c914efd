"""Policies over HTTP: the language with its examples, checks of a text, and what is refused."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from playground.lab import policies
from playground.web.patterns import knows
from scheduler_core import check_policy
from tests.core.policies import text as any_text
from tests.support import small_experiment
from tests.web.conftest import JsonClient
from tests.web.test_never_500 import ODD_BODIES, assert_problem

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
#: A list of names, with the object that they belong to.
_NAMES = re.compile(r"(\w+: )?[\w.]+:?(, [\w.]+:?)*|[:)]|\w+\( … \)")


def test_the_language_lists_words_hooks_and_examples_that_are_valid(browser: JsonClient) -> None:
    told = browser.read("policy-language").json()
    words = {one["word"]: one for one in told["words"]}
    assert words["machine.free_cpus"]["unit"] == "CPUs"
    assert words["task.duration_s"]["known"] == "oracle"
    assert [hook["name"] for hook in told["hooks"]] == ["order", "filter", "score", "preempt", "victim"]
    assert told["templates"]
    for template in told["templates"]:
        assert template["about"], template["name"]
        assert check_policy(template["policy"])["valid"], template["name"]


def test_the_language_is_told_in_german(browser: JsonClient) -> None:
    told = browser.get("/api/v1/policy-language", headers={"accept-language": "de"}).json()
    assert next(one["help"] for one in told["words"] if one["word"] == "machine.free_cpus") == "Freie CPUs der Maschine"


def test_a_check_gives_the_place_of_a_problem_and_its_mend(browser: JsonClient) -> None:
    told = browser.send("policy-checks", {"policy": "# mine\nscore: machine.free_cpu"}).json()
    assert not told["valid"]
    (problem,) = told["problems"]
    assert (problem["line"], problem["column"], problem["width"]) == (2, 8, 16)
    assert problem["mend"] == "machine.free_cpus"
    told = browser.send("policy-checks", {"policy": "param a = 2 from 1 to 3\nscore: a * machine.free_cpus"}).json()
    assert told["valid"]
    assert told["settings"] == [{"name": "a", "default": 2, "low": 1, "high": 3}]
    assert [one["word"] for one in told["words"]] == ["machine.free_cpus"]


def test_a_problem_is_told_in_german(browser: JsonClient) -> None:
    body = {"policy": "score: machine.free_cpu"}
    told = browser.send("policy-checks", body, accept_language="de").json()
    assert told["problems"][0]["message"] == "machine.free_cpu ist kein Wort; meinst du 'free_cpus'?"
    assert told["problems"][0]["mend"] == "machine.free_cpus"


def test_every_problem_has_a_german_pattern() -> None:
    """Of generated texts; names and signs alone need none."""
    unknown = set()
    for seed in range(4_000):
        for problem in check_policy(any_text(Random(seed)))["problems"]:
            texts = {problem["message"], problem["allowed"], problem["remedy"]} - {""}
            unknown |= {text for text in texts if not _NAMES.fullmatch(text) and not knows(text, "policy", "de")}
    assert not unknown


def test_a_setting_lowers_a_limit_and_is_named(browser: JsonClient, settings: Any) -> None:
    settings.LIMIT_POLICY_LINES, settings.LIMIT_POLICY_FOLDS = 2, 99
    long = "# one\n# two\nscore: machine.free_cpus"
    (problem,) = browser.send("policy-checks", {"policy": long}).json()["problems"]
    assert problem["allowed"] == "at most 2 lines (setting PLAYGROUND_LIMIT_POLICY_LINES)"
    refused = browser.send(
        "experiments", small_experiment() | {"scheduler": {"name": "own", "params": {"policy": long}}}
    )
    assert refused.status_code == 422
    assert "PLAYGROUND_LIMIT_POLICY_LINES" in refused.json()["problems"][0]["allowed"]
    told = browser.read("policy-language").json()["limits"]
    assert (told["lines"], told["folds"]) == (2, 8), "a setting raises no limit"


@pytest.mark.parametrize("body", ODD_BODIES)
def test_odd_bodies_are_problems(browser: JsonClient, body: bytes) -> None:
    assert_problem(browser.send("policy-checks", raw=body))


def test_long_texts_and_other_keys_are_refused(browser: JsonClient) -> None:
    for body in ({"policy": "x" * (policies.LONGEST + 1)}, {"policy": 3}, {"policy": "", "more": 1}, {}):
        refused = browser.send("policy-checks", body)
        assert refused.status_code == 422, body
    # Few characters of many bytes are the library's to refuse.
    assert not browser.send("policy-checks", {"policy": "ü" * policies.LONGEST}).json()["valid"]


def test_a_policy_of_ones_own_is_the_first_of_the_schedulers(browser: JsonClient) -> None:
    assert browser.read("schedulers").json()[0]["name"] == "own"
    page = browser.get("/schedulers").content.decode()
    assert re.findall(r'data-scheduler="([^"]+)"', page)[0] == "own"
