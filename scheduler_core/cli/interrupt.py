"""Note Ctrl-C while a command runs, since the exception can be dropped: the command asks for it between two steps.

Python drops an exception that comes in a destructor, NumPy one that comes while it makes `__array_interface__`.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _Interrupt:
    """The handler of Ctrl-C while a command runs."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Note it, and raise KeyboardInterrupt where the program is."""
        self.came = True
        raise KeyboardInterrupt


@contextmanager
def noted_interrupts() -> Iterator[None]:
    """Note each Ctrl-C until the end of the block; do nothing where another handler is set, or none."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _Interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_if_interrupted() -> None:
    """Raise KeyboardInterrupt if Ctrl-C came earlier and its exception was dropped."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, _Interrupt) and handler.came:
        raise KeyboardInterrupt
