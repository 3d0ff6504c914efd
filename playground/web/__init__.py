"""What HTTP, pages and sockets of every subject share."""

from __future__ import annotations
