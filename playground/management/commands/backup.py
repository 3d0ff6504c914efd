from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from playground.shell.backup.making import make_backup


class Command(BaseCommand):
    help = "Write the database and all files into one archive, while the playground runs."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where the archive goes; an older one is replaced")

    def handle(self, *args: Any, **options: Any) -> None:
        made = make_backup(options["file"], self.stderr.write)
        self.stdout.write(
            f"{options['file']}: {sum(made.rows.values()):,} rows, {made.files:,} files of {made.file_bytes:,} bytes"
        )
        if made.missing:
            self.stderr.write(f"{len(made.missing)} files were deleted meanwhile: {', '.join(made.missing[:5])}")
