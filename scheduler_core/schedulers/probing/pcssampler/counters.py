"""The counters of PCSsampler."""

from __future__ import annotations

from scheduler_core.schedulers.shared.probing import PROBES
from scheduler_core.world.spec import Counter

COUNTERS = (
    PROBES,
    Counter(
        "known", "Sent without a probe", "Tasks sent to a worker that had room by its latest report, without a probe."
    ),
    Counter("sampled", "Sent by sampling", "Tasks sent to a worker after several workers had been probed."),
    Counter("refused", "Refused", "Tasks sent without a probe to a worker whose room was taken in the meantime."),
)
