"""Sheets of paper: a claim, a comparison or a study as one HTML file that opens without a server and without scripts.

`sheet` has the parts that all sheets are made of; `claims`, `comparisons` and `studies` fill them.
"""

from __future__ import annotations
