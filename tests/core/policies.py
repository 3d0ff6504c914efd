"""Generated policies: texts that are valid, nearly valid or neither, for properties of the policy language."""

from __future__ import annotations

import functools

from hypothesis import strategies as st

from scheduler_core.policy import FUNCTIONS, HOOKS, OBJECTS, WORDS

_NUMBERS = ("0", "1", "2.5", "1e3", ".5", "1e-300", "1e300", "7", "600")
_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!=", "and", "or")
_PIECES = st.one_of(
    st.text(max_size=3),
    st.sampled_from(["(", ")", ".", "=", ":", "\n", "if", " for ", "'", "{", "__class__", "\x00", *OBJECTS]),
)
_ARGUMENTS = {one.name: one.least for one in FUNCTIONS}


def _leaves(objects: tuple[str, ...], names: tuple[str, ...]) -> st.SearchStrategy[str]:
    words = [word.text for word in WORDS if word.of in objects]
    return st.one_of(st.sampled_from(_NUMBERS), st.sampled_from(words), st.sampled_from((*names, "random()", "True")))


@functools.cache  # hypothesis checks each strategy when it first draws from it, which takes longer than to draw
def expressions(objects: tuple[str, ...], names: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    """Expressions that are valid where these objects are."""
    folded = [f"m.{word.name}" for word in WORDS if word.of == "machine" and word.name not in ("same_job", "has_data")]
    if "machine" not in objects:
        folded = [one for one in folded if "left_" not in one and "alignment" not in one]
    domain = "rack" if "rack" in objects else "cluster"
    folds = st.builds(
        lambda kind, value, test: (
            f"count(m for m in {domain} if {test} > 0)" if kind == "count" else f"{kind}({value} for m in {domain})"
        ),
        st.sampled_from(("count", "sum", "mean", "min", "max")),
        st.sampled_from(folded),
        st.sampled_from(folded),
    )
    return st.recursive(
        st.one_of(_leaves(objects, names), _leaves(objects, names), folds),
        lambda inner: st.one_of(
            st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(_OPERATORS), inner),
            st.builds(lambda a, c, b: f"({a} if {c} else {b})", inner, inner, inner),
            st.builds(lambda sign, a: f"{sign} {a}", st.sampled_from(("-", "not")), inner).map(
                lambda text: f"({text})"
            ),
            st.builds(
                lambda name, a, b, c: f"{name}({', '.join((a, b, c)[: _ARGUMENTS[name]])})",
                st.sampled_from(sorted(_ARGUMENTS)),
                inner,
                inner,
                inner,
            ),
        ),
        max_leaves=6,
    )


@st.composite
def policies(draw: st.DrawFn) -> str:
    """Texts of which nearly all are valid."""
    rows, names = [], []
    for name in draw(st.lists(st.sampled_from(("alpha", "beta")), unique=True, max_size=2)):
        rows.append(f"param {name} = 2 from -1 to 5")
        names.append(name)
    if draw(st.booleans()):
        rows.append(f"part = {draw(expressions(('task', 'job', 'queue', 'cluster', 'now'), tuple(names or ['1'])))}")
        names.append("part")
    for hook in HOOKS:
        if draw(st.booleans()):
            rows.append(f"{hook.name}: {draw(expressions(hook.objects, tuple(names or ['1'])))}")
    return "\n".join(rows)


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """Texts that a slip of the hand has spoiled."""
    text = draw(policies()) or "score: machine.free_cpus"
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        piece = draw(_PIECES)
        text = text[:at] + piece + text[at + draw(st.integers(0, 4)) :]
    return text


anything = st.one_of(policies(), spoiled(), st.text(max_size=200))
