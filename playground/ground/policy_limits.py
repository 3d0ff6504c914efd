"""The limits of a user's own policy: those of the library, lowered by settings."""

from __future__ import annotations

import dataclasses
import re

from django.conf import settings

from scheduler_core.policy.problems import POLICY_LIMITS, PolicyLimits

_SETTINGS = {field.name: f"LIMIT_POLICY_{field.name.upper()}" for field in dataclasses.fields(PolicyLimits)}
_LIMIT_NAME = re.compile(rf"limit '({'|'.join(_SETTINGS)})'")


def policy_limits() -> PolicyLimits:
    """Return the library's limits of a policy, lowered by the settings and never raised."""
    return PolicyLimits(
        **{name: min(getattr(settings, setting), getattr(POLICY_LIMITS, name)) for name, setting in _SETTINGS.items()}
    )


def named_by_setting(text: str) -> str:
    """Return a text about a policy with its limit named by the setting that sets it here."""
    return _LIMIT_NAME.sub(lambda found: f"setting PLAYGROUND_{_SETTINGS[found[1]]}", text)
