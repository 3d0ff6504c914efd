"""Parts that schedulers of several families share."""

from __future__ import annotations
