"""What the project needs from outside: imports are declared, versions are locked, and Numba is the known one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet as Specifiers
from packaging.utils import canonicalize_name

from scheduler_core.needs import NUMBA
from tests.spent import IN_PART
from tests.support import PROJECT

LOCK = PROJECT / "requirements.lock"
ADVISORIES = PROJECT / "tests" / "data" / "advisories.json"
LIBRARY = PROJECT / "scheduler_core"
PROJECTS = (PROJECT / "pyproject.toml", LIBRARY / "pyproject.toml")


def pins() -> list[Requirement]:
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def declared(project: Path) -> list[Requirement]:
    own: dict[str, Any] = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    extras = own.get("optional-dependencies", {}).values()
    return [Requirement(line) for line in [*own["dependencies"], *(each for extra in extras for each in extra)]]


@pytest.mark.parametrize(
    ("folder", "arguments"),
    [
        (PROJECT, ("playground", "scheduler_core")),
        (PROJECT, ("bench", "tests", "tools", "--exclude", "node_modules", "--ignore", "DEP002,DEP004")),
        (LIBRARY, (".",)),
    ],
    ids=["product", "tests and tools", "library alone"],
)
def test_every_import_is_declared_and_every_dependency_is_imported(folder: Path, arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deptry", "--no-ansi", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_an_undeclared_import_is_found(tmp_path: Path) -> None:
    """Show that the test above can fail: pytest is installed here, and a project without dependencies imports it."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "one"\nversion = "1"\ndependencies = []\n')
    (tmp_path / "one.py").write_text("import pytest\n")
    done = subprocess.run(
        [sys.executable, "-m", "deptry", "--no-ansi", "."], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "'pytest' imported but" in done.stderr


def test_the_lock_gives_one_version_of_everything_and_names_no_registry() -> None:
    assert "://" not in LOCK.read_text(encoding="utf-8")
    here: list[str] = [canonicalize_name(pin.name) for pin in pins() if pin.marker is None or pin.marker.evaluate()]
    assert sorted(set(here)) == sorted(here)
    for pin in pins():
        assert re.fullmatch(r"==[^,*]+", str(pin.specifier)), f"{pin}: a pin names one version; run tools/lock.py"


@pytest.mark.parametrize("project", PROJECTS, ids=["product", "library"])
def test_the_lock_keeps_what_pyproject_allows(project: Path) -> None:
    for wanted in declared(project):
        locked = [pin for pin in pins() if canonicalize_name(pin.name) == canonicalize_name(wanted.name)]
        assert locked, f"{wanted} is not in requirements.lock: run tools/lock.py"
        for pin in locked:
            assert wanted.specifier.contains(str(pin.specifier)[2:]), f"{pin}, not {wanted}: run tools/lock.py"


def test_the_set_up_installed_the_locked_versions() -> None:
    other = []
    for pin in pins():
        try:
            installed = version(pin.name)
        except PackageNotFoundError:
            continue  # it belongs to another system, or to an extra that is not installed
        if (pin.marker is None or pin.marker.evaluate()) and not pin.specifier.contains(installed, prereleases=True):
            other.append(f"{pin.name} {installed}, not {pin.specifier}")
    assert other == [], "python3 tools/install.py dev docs installs the locked versions"


def test_numba_is_pinned_to_the_release_that_the_library_checks() -> None:
    allowed = f"<{NUMBA[0]}.{NUMBA[1] + 1},>={NUMBA[0]}.{NUMBA[1]}"
    for project in PROJECTS:
        assert {str(each.specifier) for each in declared(project) if each.name == "numba"} == {allowed}


@pytest.mark.parametrize("installed", ["0.69.0", "0.67.2", "1.0.0", "0.680.1", "unknown"])
def test_another_numba_stops_the_import_with_what_to_do(installed: str, tmp_path: Path) -> None:
    said = importing_with(tmp_path, installed)
    assert f"ImportError: numba: {installed} is installed." in said
    assert "allowed: numba>=0.68,<0.69. Run: python -m pip install 'numba>=0.68,<0.69'." in said
    page = re.search(r"docs/\S+\.md", said)
    assert page is not None
    assert (PROJECT / page[0]).is_file(), "the page that the error names"


def test_a_correction_of_the_known_numba_is_allowed(tmp_path: Path) -> None:
    assert importing_with(tmp_path, "0.68.9") == ""


def importing_with(folder: Path, numba: str) -> str:
    """Import the library where the named version of Numba is installed; return what Python says of it."""
    about = folder / f"numba-{numba}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: numba\nVersion: {numba}\n")
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import scheduler_core"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stderr


def kept_advisories(locked: list[Requirement]) -> list[str]:
    """Return the advisories of tests/data/advisories.json on the pinned versions."""
    kept = json.loads(ADVISORIES.read_text(encoding="utf-8"))
    return [
        f"{pin.name} {pinned}: {one['id']}"
        for pin in locked
        for one in kept
        if canonicalize_name(pin.name) == one["package"]
        and Specifiers(one["affected"]).contains(pinned := str(pin.specifier)[2:], prereleases=True)
    ]


def test_no_locked_version_has_an_advisory_that_the_project_keeps() -> None:
    """Needs no service. The file grows by what an audit finds, so that a lock never goes back behind it."""
    assert kept_advisories(pins()) == []


def test_a_version_with_a_kept_advisory_is_found() -> None:
    old = [Requirement("Jinja2==3.1.5"), Requirement("django==5.2.8"), Requirement("h11==0.14.0")]
    assert kept_advisories(old) == ["Jinja2 3.1.5: CVE-2025-27516", "h11 0.14.0: CVE-2025-43859"]


def test_kept_advisories_are_on_packages_of_the_lock() -> None:
    kept = {one["package"] for one in json.loads(ADVISORIES.read_text(encoding="utf-8"))}
    assert sorted(kept - {canonicalize_name(pin.name) for pin in pins()}) == []


@pytest.mark.wide
def test_no_locked_version_has_a_known_vulnerability(record_property: Callable[[str, str], None]) -> None:
    """Ask the advisories of PyPI. The page of results says where none could be reached; those kept hold anywhere."""
    command = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(
        [*command, "--disable-pip", "--no-deps", "-r", LOCK], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    known = kept_advisories(pins())
    if done.stdout.startswith("{"):
        audited = [each for each in json.loads(done.stdout)["dependencies"] if "skip_reason" not in each]
        known += [f"{each['name']} {each['version']}: {one['id']}" for each in audited for one in each["vulns"]]
        silent = "" if audited else "the registry that this machine reaches knows no advisories"
    else:
        silent = (done.stderr.strip().splitlines() or ["no message"])[-1][:300]
    if silent:
        record_property(
            IN_PART, f"no advisory service answered ({silent}): only tests/data/advisories.json was compared"
        )
    assert known == [], (
        "tools/lock.py --upgrade-package NAME takes a newer version; say in the lock's commit what is left, and add "
        "the advisories to tests/data/advisories.json"
    )
