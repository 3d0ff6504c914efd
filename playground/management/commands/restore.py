from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from playground.shell.backup.restoring import restore_backup


class Command(BaseCommand):
    help = "Restore an archive of `backup` into the configured database and storage. Stop the playground first."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="an archive that `backup` made")
        parser.add_argument("--replace", action="store_true", help="first delete everything that the database holds")

    def handle(self, *args: Any, **options: Any) -> None:
        found = restore_backup(options["file"], replace=options["replace"], say=self.stderr.write)
        self.stdout.write(
            f"restored {sum(found.rows.values()):,} rows and {found.files:,} files of version {found.product_version}"
        )
