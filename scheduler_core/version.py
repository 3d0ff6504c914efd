"""The version of the core, part of every result."""

__version__ = "0.1.0"
