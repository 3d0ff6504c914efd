"""Generated policies: texts that are valid, nearly valid or neither, for properties of the policy language.

A text is drawn from a `random.Random`: from one with a seed where many are tried, and from one of hypothesis' where a
failure has to become small.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from scheduler_core.policy import FUNCTIONS, HOOKS, OBJECTS, WORDS

_NUMBERS = ("0", "1", "2.5", "1e3", ".5", "1e-300", "1e300", "7", "600")
_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "and", "or")
_PIECES = ("(", ")", ".", "=", ":", "\n", "if", " for ", "'", "{", "__class__", "\x00", *OBJECTS)
_LETTERS = "abz09_ \t\n\r.:=()[]{}'\"\\#%é€𝒙\u202e\ufeff\x00\x7f"
_ARGUMENTS = {one.name: one.least for one in FUNCTIONS}
_OF_MACHINES = [word.name for word in WORDS if word.of == "machine" and word.name not in ("same_job", "has_data")]
_DEPTH = 3


def _fold(draw: Random, objects: tuple[str, ...]) -> str:
    words = [f"m.{name}" for name in _OF_MACHINES]
    if "machine" not in objects:
        words = [one for one in words if "left_" not in one and "alignment" not in one]
    domain = "rack" if "rack" in objects else "cluster"
    kind = draw.choice(("count", "sum", "mean", "min", "max"))
    if kind == "count":
        return f"count(m for m in {domain} if {draw.choice(words)} > 0)"
    return f"{kind}({draw.choice(words)} for m in {domain})"


def _leaf(draw: Random, objects: tuple[str, ...], names: tuple[str, ...]) -> str:
    kind = draw.randrange(6)
    if kind == 0:
        return _fold(draw, objects)
    if kind < 3:
        return draw.choice(_NUMBERS)
    if kind < 5:
        return draw.choice([word.text for word in WORDS if word.of in objects])
    return draw.choice((*names, "random()", "True"))


def expression(draw: Random, objects: tuple[str, ...], names: tuple[str, ...] = (), depth: int = _DEPTH) -> str:
    """Draw an expression that is valid where these objects are."""
    if depth == 0 or draw.randrange(3) == 0:
        return _leaf(draw, objects, names)

    def inner() -> str:
        return expression(draw, objects, names, depth - 1)

    kind = draw.randrange(4)
    if kind == 0:
        return f"({inner()} {draw.choice(_OPERATORS)} {inner()})"
    if kind == 1:
        return f"({inner()} if {inner()} else {inner()})"
    if kind == 2:
        return f"({draw.choice(('-', 'not'))} {inner()})"
    name = draw.choice(sorted(_ARGUMENTS))
    return f"{name}({', '.join(inner() for _ in range(_ARGUMENTS[name]))})"


def policy(draw: Random) -> str:
    """Draw a text that is nearly always valid."""
    names = [name for name in ("alpha", "beta") if draw.randrange(3) == 0]
    rows = [f"param {name} = 2 from -1 to 5" for name in names]
    if draw.randrange(2):
        rows.append(f"part = {expression(draw, ('task', 'job', 'queue', 'cluster', 'now'), tuple(names or ['1']))}")
        names.append("part")
    for hook in HOOKS:
        if draw.randrange(2):
            rows.append(f"{hook.name}: {expression(draw, hook.objects, tuple(names or ['1']))}")
    return "\n".join(rows)


def _letters(draw: Random, most: int) -> str:
    return "".join(draw.choice(_LETTERS) for _ in range(draw.randrange(most + 1)))


def spoiled(draw: Random) -> str:
    """Draw a text that a slip of the hand has spoiled."""
    text = policy(draw) or "score: machine.free_cpus"
    for _ in range(draw.randint(1, 3)):
        at = draw.randint(0, len(text))
        piece = draw.choice(_PIECES) if draw.randrange(2) else _letters(draw, 3)
        text = text[:at] + piece + text[at + draw.randint(0, 4) :]
    return text


def text(draw: Random) -> str:
    """Draw a text that is nearly always valid (half of them), spoiled, or no policy at all."""
    kind = draw.randrange(4)
    return policy(draw) if kind < 2 else spoiled(draw) if kind == 2 else _letters(draw, 200)


_draws = st.randoms(use_true_random=False)
anything = st.one_of(st.builds(text, _draws), st.text(max_size=200))


def expressions(objects: tuple[str, ...], names: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    """Return expressions that are valid where these objects are."""
    return st.builds(lambda draw: expression(draw, objects, names), _draws)
