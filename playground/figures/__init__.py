"""Figures for study: plotly.py builds them as figure objects, plotly.js draws them in the browser.

`template` has the one template (colors and type from the design tokens), `axes` the axes with round ticks, `drawing`
turns series into figures, and `studies`, `comparisons` and `traces` build one kind of figure each; those of claims lie
in `playground.claims`. `captions` writes what stands below a figure, `tables` gives its data as rows. `sources` reads
what is drawn from the database.

Plotly takes a tenth of a second to import. Only `template`, `drawing` and what imports them load it, and the endpoints
import those when they are called: neither the web server's start nor a worker pays for it.
"""

from __future__ import annotations
