"""What PCSsampler counts."""

from __future__ import annotations

from scheduler_core.schedulers.shared.probing import PROBES
from scheduler_core.world.spec import Counter

COUNTERS = (
    PROBES,
    Counter("known", "Sent where room was known", "Tasks sent by a scheduler's private state, without a probe."),
    Counter("sampled", "Sent by sampling", "Tasks sent to a worker after others had been asked, too."),
    Counter("refused", "Refused", "Tasks sent where room was known, and that was gone."),
)
