"""What Megha's three engines share: parameters, reasons, layers, and what both public programs have alike."""

from __future__ import annotations
