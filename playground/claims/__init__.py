"""Claims of papers: their wall and pages, figures and sheets, links into the studio, and running them again here.

A claim is looked up once, where an address names it (`openings.claim_named`), and passed on. `view` shows one claim and
`wall` all of them; `parts` writes its numbers; `figure` and `curves` draw it; `sheet` prints it; `openings` finds which
of its experiments run here, `labels` names them and `links` leads to them; `again` computes them.
"""

from __future__ import annotations
