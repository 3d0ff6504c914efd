"""The server's part of the contract: messages of sockets and notices between processes (see scheduler_core.contract).

The server checks one of these models at run time: what a presenter shows. Tests check the messages that workers and
consumers send.
"""

from __future__ import annotations

from typing import Any

from playground.contract.classes import FromClass, ToClass
from playground.contract.notices import Notice
from playground.contract.sockets import (
    FromPresentation,
    FromPreviews,
    FromRun,
    FromStudy,
    RunRequest,
    ToPresentation,
)
from scheduler_core import contract

DOCUMENTS: dict[str, Any] = {
    **contract.DOCUMENTS,
    "run-socket": FromRun,
    "run-socket-request": RunRequest,
    "preview-socket": FromPreviews,
    "study-socket": FromStudy,
    "presentation-socket": FromPresentation,
    "presentation-socket-request": ToPresentation,
    "class-socket": FromClass,
    "class-socket-request": ToClass,
    "notice": Notice,
}
"""Every schema by the name that it has in addresses and files."""
