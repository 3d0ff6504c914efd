"""What is measured every few seconds: memory, files and sockets of each part, Redis, rows, stored files."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import psutil
import redis

from playground.shell.play.redis_server import private_redis_socket
from tests.support import Playground

_TABLES = ("run", "experiment", "study", "studyrun", "trace", "upload")


class Samples:
    """Rows of numbers by name; each has the seconds since the start."""

    def __init__(self, play: Playground) -> None:
        self.rows: list[dict[str, float]] = []
        self._play = play
        self._redis = redis.Redis(unix_socket_path=str(private_redis_socket(play.data_dir)))

    def take(self, passed_s: float) -> None:
        self.rows.append({"t_s": passed_s, **self._processes(), **self._stored()})

    def _processes(self) -> dict[str, float]:
        """Measure each part with its children; a page that processes share counts once (PSS)."""
        found: Counter[str] = Counter()
        for name, pid in self._play.children().items():
            try:
                top = psutil.Process(pid)
                for process in [top, *top.children(recursive=True)]:
                    found[f"{name} MB"] += process.memory_full_info().pss / 1e6
                    found[f"{name} open files"] += process.num_fds()
            except psutil.NoSuchProcess:
                continue
        return dict(found)

    def _stored(self) -> dict[str, float]:
        lasting = sum(self._redis.ttl(key) == -1 for key in self._redis.scan_iter(count=1000))
        stored: dict[str, float] = {"redis keys": float(self._redis.dbsize()), "lasting redis keys": float(lasting)}
        with closing(sqlite3.connect(f"file:{self._play.data_dir}/playground.sqlite3?mode=ro", uri=True)) as rows:
            for table in _TABLES:
                stored[f"rows of {table}"] = rows.execute(f"SELECT COUNT(*) FROM playground_{table}").fetchone()[0]  # noqa: S608 - names of ours
        for folder in ("runs", "snapshots", "traces", "uploads"):
            stored[f"files in {folder}"] = sum(1 for _ in _files(self._play.data_dir / "recordings" / folder))
        stored["bytes of recordings MB"] = sum(map(_size, _files(self._play.data_dir / "recordings" / "runs"))) / 1e6
        return stored


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
