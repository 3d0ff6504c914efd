"""The gallery: questions with a recorded run and a tour."""

from __future__ import annotations
