"""Build the documentation's site into static/docs/: `make docs`, or `python tools/docs/build.py --if-stale`.

The site is built beside its place and moved there when it is whole, so that a server never gives half of one. Warnings
of MkDocs, such as a link that leads nowhere, fail the build and leave the old site.
"""

from __future__ import annotations

import argparse
import fcntl
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import sources

ABSENT = "MkDocs is not installed, so the documentation is not built. Install it with: pip install 'mkdocs>=1.6,<2'"


def main(arguments: list[str]) -> int:
    """Build, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--if-stale", action="store_true", help="only where the built site is not of today's sources")
    parser.add_argument("--site", type=Path, default=sources.SITE, help="folder to build into")
    parser.add_argument("--nice", action="store_true", help="with what processor time others leave")
    given = parser.parse_args(arguments)
    if given.nice:
        os.nice(19)
    given.site.parent.mkdir(parents=True, exist_ok=True)
    with (sources.PROJECT / "mkdocs.yml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in given.site.parent.glob(".docs-*"):  # a playground that was stopped meanwhile; wheels would carry it
            shutil.rmtree(left, ignore_errors=True)
        if given.if_stale and sources.is_fresh(given.site):
            return 0
        return build(given.site)


def build(site: Path) -> int:
    """Build the site anew at its place."""
    try:
        from mkdocs.commands.build import build as render
        from mkdocs.config import load_config
        from mkdocs.exceptions import Abort
    except ImportError:
        print(ABSENT, file=sys.stderr)
        return 1
    logging.basicConfig(level=logging.WARNING, format="docs: %(levelname)s: %(message)s")
    stamp = sources.digest()
    with tempfile.TemporaryDirectory(dir=site.parent, prefix=".docs-") as folder:
        made = Path(folder) / "docs"
        config = load_config(str(sources.PROJECT / "mkdocs.yml"), site_dir=str(made), strict=True)
        try:
            config.plugins.on_startup(command="build", dirty=False)
            render(config)
        except Abort as error:
            print(f"docs: {error}", file=sys.stderr)
            return 1
        (made / sources.STAMP).write_text(stamp, encoding="utf-8")
        shutil.rmtree(site, ignore_errors=True)
        made.replace(site)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
