"""The pages on which experiments are made and shown: landing page, studio, share link, embedded page."""

from __future__ import annotations
