"""The counters of PCSsampler."""

from __future__ import annotations

from scheduler_core.schedulers.shared.probing import PROBES
from scheduler_core.world.spec import Counter

COUNTERS = (
    PROBES,
    Counter("known", "Sent to known room", "Tasks sent by a scheduler's private state, without a probe."),
    Counter("sampled", "Sent by sampling", "Tasks sent to a worker after several workers had been probed."),
    Counter("refused", "Refused", "Tasks sent to known room that was gone by then."),
)
