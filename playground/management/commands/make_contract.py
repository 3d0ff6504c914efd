"""Write the files that are made from the contract's models: `manage.py make_contract`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from playground.contract.files import SCHEMA_FOLDER, made_files


class Command(BaseCommand):
    help = "Write the JSON Schemas, the page's TypeScript declarations and the reference of the contract."

    def handle(self, *args: Any, **options: Any) -> None:
        project = Path(__file__).resolve().parents[3]
        files = made_files()
        for old in (project / SCHEMA_FOLDER).glob("*.json"):
            if f"{SCHEMA_FOLDER}/{old.name}" not in files:
                old.unlink()
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(files)} files")
