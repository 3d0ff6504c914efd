"""Previews: quick, reduced runs while somebody drags a control."""

from __future__ import annotations
