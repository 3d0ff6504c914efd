"""Build the module of one event loop by the Python that runs this: `python -m tests.build_module KERNEL FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from scheduler_core.engine.wasm import packed
from scheduler_core.kernels.build import _made
from scheduler_core.kernels.examples import examples


def main(kernel: str, file: str) -> None:
    """Write the module into a file. It is built in a process of its own, as `kernels build --all` does it."""
    ((built, module),) = _made(examples({kernel}), packed.digests(), 1, lambda kernel: None)
    assert built.digest == packed.manifest()[kernel].digest, "the packed module is of other sources"
    Path(file).write_bytes(module)


if __name__ == "__main__":
    main(*sys.argv[1:])
