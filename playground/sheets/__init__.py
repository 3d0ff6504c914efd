"""Sheets for print: a claim, comparison or study as one HTML file that opens without server and scripts.

`sheet` has the parts that all sheets are made of; `comparisons`, `studies` and `playground.claims.sheet` fill them.
"""

from __future__ import annotations
