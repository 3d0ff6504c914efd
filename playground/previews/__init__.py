"""Previews: quick, reduced runs while a user drags a control."""

from __future__ import annotations
