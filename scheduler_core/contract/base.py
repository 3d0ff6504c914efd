"""The base of the contract's models: typed dictionaries that allow no other key."""

from __future__ import annotations

from pydantic import ConfigDict, with_config

exact = with_config(ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
"""Make a typed dictionary refuse unknown keys and wrong types when it is checked; its attributes' docstrings become
descriptions in the JSON Schema. Nothing is checked when a program builds one: a builder returns a plain dictionary."""
