"""Parsing in several threads at once: none may fail by another's count of depth."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scheduler_core.engine import syntax

# In a process of its own, since the first parsing of a process is what fails most. Collecting garbage in the middle of
# it lets another thread in. With `ast.parse` in place of `syntax.expression` one thread fails almost every time.
_AT_ONCE = """
import ast, gc, threading, time
from scheduler_core.engine import syntax

class Slow:
    def __del__(self):
        time.sleep(1e-5)

def waste():
    wasted = Slow()
    wasted.itself = wasted

text = "max(" + ", ".join(f"a{i}.b.c" for i in range(200)) + ")"
found = []

def parse():
    for _ in range(5):
        for _ in range(10):
            waste()
        found.append(len(syntax.expression(text).args))

gc.set_threshold(50)
threads = [threading.Thread(target=parse) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(found.count(200))
"""


def test_threads_that_parse_at_once_all_get_their_trees() -> None:
    told = subprocess.run([sys.executable, "-c", _AT_ONCE], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "40", told.stderr


def test_what_is_no_python_is_said() -> None:
    with pytest.raises(SyntaxError):
        syntax.expression("1 +")
