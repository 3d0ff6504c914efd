"""Pages that create and show experiments: landing page, studio, share link, embedded page."""

from __future__ import annotations
