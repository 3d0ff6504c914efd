"""What several families' schedulers are made of."""

from __future__ import annotations
