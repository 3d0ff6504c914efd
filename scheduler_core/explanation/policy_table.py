"""The language of policies as a table for the page's compiler (static/js/engine/policy): the library is its source."""

from __future__ import annotations

import dataclasses
import json
import keyword
from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.policy import (
    FOLDS,
    FUNCTIONS,
    HOOKS,
    LANGUAGE_VERSION,
    OBJECTS,
    POLICY_LIMITS,
    WORDS,
    expressions,
    nodes,
    program,
)
from scheduler_core.policy.words import ALIASES, FOLDED
from scheduler_core.schedulers.own.params import RESERVED

_OPS = (
    "CONST", "WORD", "EACH", "RANDOM", "FOLD", "ADD", "SUB", "MUL", "DIV", "FLOORDIV", "MOD", "POW", "NEG", "NOT",
    "AND", "OR", "LT", "LE", "EQ", "NE", "SELECT", "MIN", "MAX",
)  # fmt: skip
_NEEDS = (
    "DEMAND", "PRIORITY", "JOB", "QUEUE", "TASK", "MACHINE", "OTHERS", "STATE", "NOW", "VICTIM", "FOLDED",
)  # fmt: skip


def policy_table(made: str) -> str:
    """Return the table as a module of the page; `made` says who makes it."""
    parts = [
        _value("VERSION", LANGUAGE_VERSION, "The version of the language."),
        _value("LIMITS", dataclasses.asdict(POLICY_LIMITS), "Upper bounds of a policy."),
        _value("LONGEST_NAME", program._LONGEST_NAME, "The most characters of a name."),
        _value("MOST_TERMS", program._MOST_TERMS, "The most terms of a score that are computed one by one."),
        _value("OPS", {name: getattr(nodes, name) for name in _OPS}, "What the kernel does, by number."),
        _value("NEEDS", {name: getattr(nodes, name) for name in _NEEDS}, "What a value depends on, as bits."),
        _value("OBJECTS", list(OBJECTS), "The objects of words."),
        _value("HOOKS", [{"name": one.name, "objects": list(one.objects)} for one in HOOKS], "The hooks, in order."),
        _value("WORDS", [_word(one) for one in WORDS], "The words; the place of each is its number."),
        _value("ALIASES", ALIASES, "Plain names that stand for a word."),
        _value(
            "FUNCTIONS",
            [
                {"name": one.name, "least": one.least, "most": one.most, "op": expressions._ONE.get(one.name)}
                for one in FUNCTIONS
            ],
            "The functions, with the fewest and most arguments; `op` is that of a function of one argument.",
        ),
        _value("FOLDS", {name: expressions._FOLD_KINDS[name] for name in FOLDS}, "The kinds of folds."),
        _value("FOLDED", {name: getattr(nodes, name.upper()) for name in FOLDED}, "What a fold goes over."),
        _value("KEYWORDS", dict.fromkeys(keyword.kwlist, True), "Names that Python keeps for itself."),
        _value("TRUTHS", {"True": 1, "False": 0}, "Names of numbers."),
        _value("RESERVED", list(RESERVED), "Parameters of the scheduler, whose names no setting may have."),
    ]
    return (
        f"// {made} Do not edit.\n// biome-ignore-all format: one line for each entry\n\n"
        "/** The language of policies as the library has it. */\n\n" + "\n".join(parts)
    )


def _word(word: Any) -> dict[str, Any]:
    return {"word": word.text, "of": word.of, "fixed": word.fixed, "needs": nodes.needs_of(word)}


def _value(name: str, value: Any, about: str) -> str:
    return f"/** {about} */\nexport const {name} = {_text(value)};\n"


def _text(value: Any) -> str:
    """Return a value as JSON, with one line for each entry."""
    if isinstance(value, Mapping):
        return "{\n" + "".join(f"  {key}: {json.dumps(each)},\n" for key, each in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[\n" + "".join(f"  {json.dumps(each)},\n" for each in value) + "]"
    return json.dumps(value)
