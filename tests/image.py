"""Make what the image would hold, and start its roles as containers would, on a machine without Docker.

    python -m tests.image         as root on Debian or alike; it takes ten minutes, and 2 GB in the folder of TMPDIR

The lines of the Dockerfile are followed in root folders of their own, which `debootstrap` fills with Debian's packages
in place of the image python:3.11-slim-bookworm. Then the roles of compose.yaml run in the last one: as the image's
user, without capabilities, with a file system that is read-only but for /data and /tmp, on a PostgreSQL, a Redis and an
S3 store of their own. Each has to pass its health check, a run has to end, and SIGTERM has to end each role within its
grace.

Nothing of this machine is mounted there: what the folders hold are copies. /proc and memory for /tmp are mounted in a
namespace that nobody else sees and that ends with this program.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests import postgres
from tests.hosts import redis_server
from tests.s3 import KEYS, s3_process, storage_url
from tests.support import PROJECT, free_port, small_experiment, wait_until
from tests.support_api import Api

_DEBIAN, _MIRROR = "bookworm", "http://deb.debian.org/debian"
_PACKAGES = ("python3", "python3-venv", "python3-pip", "ca-certificates")
#: What this machine knows of its network: names, certificates, the package index.
_NETWORK = ("etc/resolv.conf", "etc/hosts", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt")
_ROLES = ("web", "runs", "previews")


@dataclass
class Stage:
    """A stage of the Dockerfile: the folder that stands for its file system, and what its lines have set."""

    root: Path
    workdir: str = "/"
    user: str = "0:0"
    environment: dict[str, str] = field(default_factory=dict)
    command: dict[str, list[str]] = field(default_factory=dict)

    def shut_in(self, *command: str) -> list[str]:
        """Return a command line that runs a command in the folder as the stage's user, who can become nobody else."""
        user, group = self.user.split(":")
        rights = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"] if user != "0" else []
        person = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", *rights]
        given = [f"{name}={value}" for name, value in self.environment.items()]
        inside = f"cd {shlex.quote(self.workdir)} && exec {shlex.join(command)}"
        return ["chroot", str(self.root), "env", "-i", *given, *person, "sh", "-c", inside]


def main() -> int:
    """Follow the Dockerfile, start the roles, and say what came of it."""
    if len(sys.argv) == 1:
        # What is mounted in there is seen by nobody else. So only plain files are left in the folder to be removed.
        with tempfile.TemporaryDirectory(prefix="image-") as folder:
            inside = [sys.executable, "-m", "tests.image", folder]
            return subprocess.run(["unshare", "--mount", "--propagation", "private", *inside]).returncode
    place = Path(sys.argv[1])
    stages = _build(place)
    _start(stages[-1], place)
    return 0


def _build(folder: Path) -> list[Stage]:
    stages: list[Stage] = []
    folder.chmod(0o755)  # the image's user has to get in
    for word, rest in _lines((PROJECT / "Dockerfile").read_text()):
        print(f"{word} {rest[:100]}", flush=True)
        if word == "FROM":
            stages.append(_new_stage(folder / "base", folder / str(len(stages))))
        elif word == "COPY":
            _copy(stages, rest)
        elif word == "RUN":
            subprocess.run(stages[-1].shut_in("sh", "-c", rest), check=True)
        elif word == "ENV":
            values = dict(each.split("=", 1) for each in shlex.split(rest))
            known = stages[-1].environment
            known |= {name: value.replace("$PATH", known["PATH"]) for name, value in values.items()}
        elif word == "WORKDIR":
            stages[-1].workdir = rest
            (stages[-1].root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            stages[-1].user = rest
        elif word in {"ENTRYPOINT", "CMD"}:
            stages[-1].command[word] = json.loads(rest)
    return stages


def _lines(text: str) -> Iterator[tuple[str, str]]:
    joined = text.replace("\\\n", " ")
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, re.sub(r"\s+", " ", rest.strip())


def _new_stage(base: Path, root: Path) -> Stage:
    """Make a root folder as the image python:3.11-slim-bookworm has it, with Debian's Python."""
    if not base.exists():
        _install_debian(base)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(base), str(root)], check=True)
    _mount("-t", "proc", "proc", str(root / "proc"))
    return Stage(root, environment={"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp"})  # noqa: S108 - of the image


def _install_debian(base: Path) -> None:
    """Fill a folder with Debian's smallest system and Python. The program for it is not left on this machine."""
    tools = base.with_name("tools")
    tools.mkdir()
    subprocess.run(["apt-get", "download", "-qq", "debootstrap"], cwd=tools, check=True)
    subprocess.run(["dpkg", "-x", str(next(tools.glob("*.deb"))), str(tools)], check=True)
    program, included = tools / "usr/sbin/debootstrap", f"--include={','.join(_PACKAGES)}"
    subprocess.run(
        [str(program), "--variant=minbase", included, _DEBIAN, str(base), _MIRROR],
        env={**os.environ, "DEBOOTSTRAP_DIR": str(tools / "usr/share/debootstrap")},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    for name in _NETWORK:
        if Path("/", name).exists():
            shutil.copyfile(Path("/", name), base / name)
    (base / "usr/local/bin/python").symlink_to("/usr/bin/python3")


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def _copy(stages: list[Stage], rest: str) -> None:
    *options, source, target = rest.split()
    if options:
        place = stages[-1].root / target.lstrip("/")
        shutil.copytree(stages[0].root / source.lstrip("/"), place, symlinks=True)
        return
    assert (source, target) == (".", ".")
    left_out = [line.strip().removeprefix("**/") for line in (PROJECT / ".dockerignore").read_text().splitlines()]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if not any(name == each or name.startswith(f"{each}/") for each in left_out if each):
            goal = stages[-1].root / stages[-1].workdir.lstrip("/") / name
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, goal)


def _start(stage: Stage, folder: Path) -> None:
    """Start the roles, each with the health check that compose.yaml names."""
    compose: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text())
    roles = {name: compose["services"][name] for name in ("migrate", *_ROLES)}
    with ExitStack() as parts:
        database = parts.enter_context(postgres.cluster(port=free_port()))
        redis, redis_url = redis_server()
        parts.callback(redis.terminate)
        store, port = parts.enter_context(s3_process()), free_port()
        _shut(stage)
        stage.environment |= {
            "PLAYGROUND_DATABASE_URL": database,
            "PLAYGROUND_REDIS_URL": redis_url,
            "PLAYGROUND_STORAGE_URL": storage_url(store.address, "image"),
            **KEYS,
            "PLAYGROUND_SECRET_KEY": "a secret key of this trial and of no other playground",
            "PLAYGROUND_ALLOWED_HOSTS": "127.0.0.1",
        }
        program = stage.command["ENTRYPOINT"]
        subprocess.run(stage.shut_in(*program, *roles["migrate"]["command"]), check=True)
        running = {
            name: parts.enter_context(
                _running(stage, folder, name, [*program, *_on_port(roles[name]["command"], port)])
            )
            for name in _ROLES
        }
        for name in _ROLES:
            check = roles[name]["healthcheck"]["test"][1:]
            asked = stage.shut_in(*check, *(["--port", str(port)] if name == "web" else []))
            wait_until(lambda asked=asked: _passes(asked), seconds=180, what=f"{name} is healthy")
            print(f"{name}: healthy", flush=True)
        _look(Api(f"http://127.0.0.1:{port}"), stage)
        for name, process in running.items():
            process.terminate()
            print(f"{name}: ended {process.wait(60)} after SIGTERM", flush=True)


def _shut(stage: Stage) -> None:
    """Make the root folder read-only but for /data and /tmp, which are volumes."""
    root = stage.root
    _mount("--bind", str(root), str(root))
    _mount("-t", "proc", "proc", str(root / "proc"))
    _mount("--bind", str(root / "data"), str(root / "data"))
    for name in ("tmp", "dev/shm"):
        (root / name).mkdir(exist_ok=True)
        _mount("-t", "tmpfs", "-o", "mode=1777", "memory", str(root / name))
    _mount("-o", "remount,bind,ro", str(root))
    refused = subprocess.run(stage.shut_in("sh", "-c", "! touch /playground/x 2>/dev/null && touch /data/x && id -u"))
    assert refused.returncode == 0, "the file system is not read-only, or /data is"


def _on_port(command: list[str], port: int) -> list[str]:
    return [*command, "--port", str(port)] if command[0] == "web" else command


@contextmanager
def _running(stage: Stage, folder: Path, name: str, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(stage.shut_in(*command), stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        print(f"{name} said: {(folder / f'{name}.log').read_text()[-1500:] or 'nothing'}", flush=True)


def _passes(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0


def _look(api: Api, stage: Stage) -> None:
    """Have a run computed, and pages served."""
    run = api.start(small_experiment())
    ended = api.wait(run["id"], seconds=300)
    assert ended["state"] == "done", ended
    for path in ("/", "/docs/", "/gallery"):
        answer = api.call("GET", path)
        print(f"{path}: {answer.status}, {len(answer.body):,} bytes", flush=True)
    kept = [path for path in (stage.root / "data").rglob("*") if path.is_file()]
    owners, folders = {path.stat().st_uid for path in kept}, {path.parent.name for path in kept}
    print(f"run {ended['state']}; {len(kept)} files in /data, in {folders}, of users {owners}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
