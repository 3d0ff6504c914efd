"""See to it that the browser tests have a Chromium: the machine's, or Debian's package where it can be installed.

The headless shell is the same Chromium without the windows that nobody sees: tests take a quarter less processor time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
# Debian's packages, the better first.
PACKAGES = (SHELL, "chromium")
MISSING = (
    f"no Chromium for the browser tests: install the package `{SHELL}` or `chromium`, "
    "or name one in PLAYGROUND_TEST_CHROMIUM, or run `.venv/bin/playwright install chromium`"
)


def executable() -> Path | None:
    """Return the Chromium to test with: the one that is named, Debian's, or the one that Playwright installed."""
    given = os.environ.get("PLAYGROUND_TEST_CHROMIUM")
    if given:
        return Path(given) if os.access(given, os.X_OK) else None
    for package in PACKAGES:
        if (path := Path("/usr/bin") / package).exists():
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        return own if own.exists() else None


def install() -> None:
    """Install Debian's package, if this is root on a machine with apt."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, stdout=subprocess.DEVNULL, check=False)
    for package in PACKAGES:
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0:
            return


if __name__ == "__main__":
    found = executable()
    named = bool(os.environ.get("PLAYGROUND_TEST_CHROMIUM"))
    if not named and (found is None or found.name == "chromium"):
        install()
    sys.exit(0 if executable() else MISSING)
