"""The two wheels of this tree, built and installed into virtual environments of their own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import PATIENCE_S, PROJECT, answers, free_port, own_environment, wait_until
from tools.install import pip_settings, uv_environment, uv_options

pytestmark = [pytest.mark.wide, pytest.mark.slow, pytest.mark.redis, pytest.mark.xdist_group("wheels")]
BUILT, DOCS = "playground/files/static/built/", "playground/files/static/docs/"
CARRIED = ("static", "templates", "fixtures")


def uv(*arguments: str | Path) -> None:
    configured = pip_settings()
    options = uv_options(configured) if arguments[0] != "venv" else []
    done = subprocess.run(
        [sys.executable, "-m", "uv", *arguments, *options],
        cwd=PROJECT,
        env=os.environ | uv_environment(configured),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Build the pages' scripts and both distributions; return the distributions' files by name."""
    subprocess.run([sys.executable, "manage.py", "bundle"], cwd=PROJECT, check=True)
    subprocess.run([sys.executable, "tools/docs/build.py", "--if-stale"], cwd=PROJECT, check=True)
    folder = tmp_path_factory.mktemp("wheels")
    for source in (".", "scheduler_core"):
        uv("build", "--wheel", "--out-dir", folder, source)
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}


def installed(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new virtual environment; return the folder of its programs."""
    uv("venv", "--python", sys.executable, folder / "venv")
    uv("pip", "install", "--python", folder / "venv" / "bin" / "python", wheel)
    return folder / "venv" / "bin"


def in_the_repository(*folders: str) -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", *folders],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in listed.stdout.split("\0") if name and (PROJECT / name).is_file()}


def test_the_wheels_hold_every_file_of_the_repository_and_no_other(wheels: dict[str, Path]) -> None:
    library = in_the_repository("scheduler_core") - {"scheduler_core/pyproject.toml"}
    pages = {f"playground/files/{name}" for name in in_the_repository(*CARRIED)}
    assert {"scheduler_core/py.typed", "playground/py.typed"} <= library | in_the_repository("playground")
    built = {name for name in held(wheels["scheduler_playground"]) if name.startswith((BUILT, DOCS))}
    assert held(wheels["scheduler_playground"]) - built == library | in_the_repository("playground") | pages
    assert f"{BUILT}manifest.json" in built, "one script and one style file a page"
    assert {f"{DOCS}index.html", f"{DOCS}search/search_index.json"} <= built, "the documentation"
    assert held(wheels["scheduler_core"]) == library | {"scheduler_core/LICENSE"}


def held(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_library_alone_simulates_without_the_web(wheels: dict[str, Path], tmp_path: Path) -> None:
    programs = installed(wheels["scheduler_core"], tmp_path)
    experiment = PROJECT / "fixtures" / "experiments" / "by-hand.json"
    ran = subprocess.run(
        [programs / "scheduler-core", "run", experiment, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert '"outcome_digest"' in ran.stdout
    assert not list((tmp_path / "venv").glob("lib/*/site-packages/django"))


def test_the_product_starts_by_its_command_and_keeps_data_with_the_user(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    programs = installed(wheels["scheduler_playground"], tmp_path)
    port = free_port()
    environment = own_environment(tmp_path, XDG_DATA_HOME=str(tmp_path / "home"))
    del environment["PLAYGROUND_DATA_DIR"]
    before = set((tmp_path / "venv").glob("lib/*/site-packages/playground/**/*[!c]"))
    play = subprocess.Popen([programs / "scheduler-playground", "--port", str(port)], cwd=tmp_path, env=environment)
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/"), seconds=90, what="the landing page answers")
        for path in ("/studio", "/gallery", "/docs/", "/static/recordings/landing.zip", "/readyz"):
            wait_until(lambda: answers(f"http://127.0.0.1:{port}{path}"), seconds=30, what=path)  # noqa: B023
    finally:
        play.send_signal(signal.SIGTERM)
        assert play.wait(timeout=PATIENCE_S) == 0
    assert (tmp_path / "home" / "scheduler-playground" / "var" / "playground.sqlite3").is_file()
    after = set((tmp_path / "venv").glob("lib/*/site-packages/playground/**/*[!c]"))
    assert {path for path in after - before if "__pycache__" not in path.parts} == set()


def test_a_clone_installs_without_a_network_from_a_filled_cache(tmp_path: Path) -> None:
    clone, uv_there = tmp_path / "clone", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["git", "clone", "-q", PROJECT, clone], check=True)
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9") | {"NO_PROXY": ""}
    for network in ({}, nowhere):  # the first one fills uv's cache
        shutil.rmtree(clone / ".venv", ignore_errors=True)
        installed = subprocess.run(
            [sys.executable, "tools/install.py"],
            cwd=clone,
            env=os.environ | {"PATH": uv_there} | network,
            capture_output=True,
            text=True,
            check=False,
        )
        assert installed.returncode == 0, installed.stderr
        assert "pip tries" not in installed.stderr
    subprocess.run([clone / ".venv" / "bin" / "python", "manage.py", "check"], cwd=clone, check=True)
