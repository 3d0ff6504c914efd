"""What HTTP, pages and sockets of all subjects share."""

from __future__ import annotations
