"""Name how an estimate and its interval are made, in the reader's language."""

from __future__ import annotations

from playground.web.words import gettext
from playground.web.words import marked as _

#: The estimate and its interval by statistic, as `scheduler_core.studies.statistics.METHODS` has them, and `log` for
#: the mean on a logarithmic axis.
_METHODS = {
    "mean": (_("mean of the runs"), _("interval by Student's t")),
    "median": (_("median of the runs"), _("interval between two of the runs, by order statistics")),
    "bootstrap": (
        _("mean of the runs"),
        _("interval by the bias-corrected and accelerated bootstrap, 9,999 resamples"),
    ),
    "log": (_("mean of the runs"), _("interval by Student's t for the logarithm of the mean (delta method)")),
}


def method_words(statistic: str) -> str:
    """Return what an estimate and its interval are, with `; ` between the two."""
    return "; ".join(gettext(part) for part in _METHODS[statistic])
