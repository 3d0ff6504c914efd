"""See to it that the browser tests have a Chromium: the machine's, or Debian's package where it can be installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SYSTEM_CHROMIUM = Path("/usr/bin/chromium")
MISSING = (
    "no Chromium for the browser tests: install the package `chromium`, "
    "or name one in PLAYGROUND_TEST_CHROMIUM, or run `.venv/bin/playwright install chromium`"
)


def found() -> bool:
    given = os.environ.get("PLAYGROUND_TEST_CHROMIUM")
    if given:
        return os.access(given, os.X_OK)
    if SYSTEM_CHROMIUM.exists():
        return True
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def installed() -> bool:
    """Install Debian's package, if this is root on a machine with apt."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        done = subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            return False
    return SYSTEM_CHROMIUM.exists()


if __name__ == "__main__":
    sys.exit(0 if found() or installed() else MISSING)
