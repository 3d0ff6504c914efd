"""A PostgreSQL of the tests' own: the machine's, or Debian's package where it can be installed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MISSING = (
    "no PostgreSQL for its tests, which will be skipped: install the package `postgresql`, "
    "or put the folder of initdb and postgres on the PATH"
)


def programs() -> Path | None:
    """Return the folder of initdb and postgres: on the PATH, else Debian's newest."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parts[-2].zfill(4), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def installed() -> bool:
    """Install Debian's package, if this is root on a machine with apt; its own cluster is not started."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    packages = ["install", "-y", "-qq", "--no-install-recommends", "postgresql-common", "postgresql"]
    for command in (["update", "-qq"], packages):
        done = subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            return False
    return programs() is not None


def _user() -> str | None:
    """Return whom the server runs as: it refuses root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise RuntimeError("no user but root to run PostgreSQL as")


@contextmanager
def cluster(*, port: int | None = None) -> Iterator[str]:
    """Start a throw-away cluster, reached by a unix socket, or by a port of this machine; give its database's URL."""
    binaries = programs()
    assert binaries is not None, MISSING
    user = _user()
    # Not in pytest's folders: theirs are closed to other users, and too long for a socket's path.
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        if user is not None:
            shutil.chown(folder, user)
        log = Path(folder, "log")

        def run(program: str, *arguments: str) -> None:
            command = [str(binaries / program), "-D", f"{folder}/data", *arguments]
            done = subprocess.run(command, user=user, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{program}: {done.stderr}{log.read_text() if log.exists() else ''}"

        run("initdb", "-U", "playground", "-A", "trust", "--no-sync", "-E", "UTF8")
        listening = "-c listen_addresses=" if port is None else f"-c listen_addresses=127.0.0.1 -c port={port}"
        options = f"{listening} -c unix_socket_directories={folder} -c fsync=off -c shared_buffers=32MB"
        run("pg_ctl", "-l", str(log), "-w", "-t", "30", "-o", options, "start")
        try:
            yield f"postgres://playground@{f'/{folder}' if port is None else f'127.0.0.1:{port}'}/postgres"
        finally:
            run("pg_ctl", "-w", "-t", "30", "-m", "immediate", "stop")


if __name__ == "__main__":
    if programs() is None and not installed():
        # Not an error: everything else is tested without it.
        print(MISSING, file=sys.stderr)
