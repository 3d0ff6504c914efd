"""Write the client for scripts from the client for programs with an event loop: the same calls, without `await`.

    .venv/bin/python tools/sync_client.py

A test fails where a written file is another one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
CLIENT = PROJECT / "playground" / "client"
WRITTEN = {
    "asynchronous.py": ("synchronous.py", "The client for scripts and notebooks: every call waits for its answer."),
    "async_arena.py": ("arena_handles.py", "A challenge and an entry as handles of the client for scripts."),
    "async_classes.py": ("class_handles.py", "A class and a place in one, as handles of the client for scripts."),
}
RULES = (
    # A script waits for whatever is slow, so it needs no thread for it.
    (r"await asyncio\.to_thread\(call\.read, answer\) if call\.slow else ", ""),
    (r"await asyncio\.to_thread\(([\w.]+), (.+)\)\n", r"\1(\2)\n"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"\(await (self\.\w+\(\w+\))\)(?=\[)", r"\1"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\bAsync(Run|Study|Class|Seat|Challenge|Entry)\b", r"\1Handle"),
    (r"\bAsync(Client|Iterator)\b", r"\1"),
    (r"websockets\.asyncio\.client", "websockets.sync.client"),
    (r"playground\.client\.async_arena", "playground.client.arena_handles"),
    (r"playground\.client\.async_classes", "playground.client.class_handles"),
    (r"playground\.client\.asynchronous", "playground.client.synchronous"),
    (r"^import asyncio\n", "import time\n"),
)


def written(source: str) -> str:
    """Return the text of the file that is written from a source."""
    name, about = WRITTEN[source]
    text = (CLIENT / source).read_text(encoding="utf-8")
    head = f'"""{about}\n\ntools/sync_client.py writes this file from {source}.\n"""'
    text = re.sub(r'\A""".*?"""', head, text, flags=re.DOTALL)
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    for command in (["check", "--quiet", "--fix", "--select", "I,F"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(CLIENT / name), "-"]
        done = subprocess.run(ruff, cwd=PROJECT, input=text, capture_output=True, text=True, check=True)
        text = done.stdout
    return text


def main() -> None:
    """Write the files."""
    for source, (name, _) in WRITTEN.items():
        (CLIENT / name).write_text(written(source), encoding="utf-8")


if __name__ == "__main__":
    main()
