"""Starting and watching every process of the playground."""

from __future__ import annotations
