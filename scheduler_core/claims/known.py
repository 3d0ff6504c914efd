"""List all claims: those in files, those of schedulers' signatures, and those about parameters and sliders."""

from __future__ import annotations

import functools

from scheduler_core.claims.declared import Claim, written_claims
from scheduler_core.claims.knobs import knob_claims
from scheduler_core.claims.signatures import signature_claims


@functools.cache
def known_claims() -> dict[str, Claim]:
    """Return all claims by id, those of the files first."""
    return {**written_claims(), **signature_claims(), **knob_claims()}
