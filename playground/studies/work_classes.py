"""Say what makes a job of a workload short, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playground.web.words import SOURCE, gettext, language
from playground.web.words import marked as _

#: By the rule that gave the cut-off (`scheduler_core.experiment.classes`).
RULES = {
    "declared": _(
        "A job is short if its mean task duration is at most {seconds} s: the boundary of the workload's two classes."
    ),
    "modes": _(
        "A job is short if its mean task duration is at most {seconds} s: the gap between two modes of the jobs' "
        "durations (two log-normal modes fitted)."
    ),
    "yahoo": _("A job is short if its mean task duration is at most {seconds} s: Yahoo's cut-off, not of this work."),
}


def definition_words(work: Mapping[str, Any]) -> str:
    """Return the definition of a short job from a summary's `by_work_class`.

    The library's own English has details that the summary does not give apart; another language has the rule's sentence
    with the cut-off.
    """
    if language() == SOURCE or work.get("rule") not in RULES:
        return str(work["definition"])
    return gettext(RULES[work["rule"]], seconds=work["cutoff_s"])
