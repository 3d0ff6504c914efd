"""Claims: statements of papers, public programs and this product about effects, as data that a run can check.

`data/papers` has one file a paper, `data/oracle` one a public program, and `data/statements` what the product
itself says (gallery, presets, challenges). The signatures of schedulers make claims too (`claims.signatures`), and so
does what the help of parameters and sliders says that they move (`claims.knobs`, from the tables in `data/knobs`). All
have the same form (`claims.declared`) and run with the same command, `python -m scheduler_core claims run`.
"""

from __future__ import annotations

from scheduler_core.claims.charts import Band
from scheduler_core.claims.declared import Claim, Found, Known, Verdict
from scheduler_core.claims.known import known_claims
from scheduler_core.claims.running import check, experiments_of, kept_runs
from scheduler_core.claims.setups import Setup

__all__ = [
    "Band",
    "Claim",
    "Found",
    "Known",
    "Setup",
    "Verdict",
    "check",
    "experiments_of",
    "kept_runs",
    "known_claims",
]
