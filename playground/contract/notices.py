"""Notices over the channel layer, from workers to the servers' sockets. Frames never go this way."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from playground.contract.states import StateNow
from scheduler_core.contract.base import exact


@exact
class StateNotice(TypedDict):
    """A run has a new state. The receiver reads the progress from Redis."""

    type: Literal["run.state"]
    """Names this kind of notice."""
    state: StateNow


@exact
class StudyNotice(TypedDict):
    """A study went on. The receiver reads its progress from the database."""

    type: Literal["study.news"]
    """Names this kind of notice."""


@exact
class PresentationNotice(TypedDict):
    """A presenter shows something else. The receiver reads the state from Redis."""

    type: Literal["presentation.news"]
    """Names this kind of notice."""


@exact
class ClassNotice(TypedDict):
    """A class has news. The receiver reads them from the database."""

    type: Literal["class.news"]
    """Names this kind of notice."""


Notice = StateNotice | StudyNotice | PresentationNotice | ClassNotice
"""Every message of the channel layer."""
