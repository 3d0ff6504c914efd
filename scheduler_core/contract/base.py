"""The base of the contract's models: typed dictionaries that allow no other key."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, with_config

exact = with_config(ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
"""Make a typed dictionary refuse unknown keys and wrong types when it is checked; its attributes' docstrings become
descriptions in the JSON Schema. Nothing is checked when a program builds one: a builder returns a plain dictionary."""

Name = Annotated[str, Field(description="The name that programs use.")]
Label = Annotated[str, Field(description="The name that people read.")]
Help = Annotated[str, Field(description="What it means, in a sentence or two.")]
Rows = Annotated[int, Field(ge=0, description="The number of rows.")]
