"""Generate files from the contract's models and the HTTP API: `manage.py make_contract`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from playground.contract.files import SCHEMA_FOLDER, made_files
from playground.shell.operations import operation_pages


class Command(BaseCommand):
    help = "Write the JSON Schemas, the TypeScript declarations, and the reference of the contract and the HTTP API."

    def handle(self, *args: Any, **options: Any) -> None:
        project = Path(__file__).resolve().parents[3]
        files = made_files() | operation_pages()
        for old in (project / SCHEMA_FOLDER).glob("*.json"):
            if f"{SCHEMA_FOLDER}/{old.name}" not in files:
                old.unlink()
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(files)} files")
