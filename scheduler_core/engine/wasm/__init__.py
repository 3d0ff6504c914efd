"""Kernels as WebAssembly modules: made from the linked code of a kernel, and run by wasmtime."""

from __future__ import annotations
