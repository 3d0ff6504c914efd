"""Make a backup while the playground runs: rows of one instant, then the files that they name."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

from django.core.files.storage import default_storage
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.encoding import is_protected_type

import scheduler_core
from playground.shell.backup.archive import FILES, FORMAT, MANIFEST, ROWS, BackupError, Manifest, file_fields, tables

_ROWS_AT_ONCE = 500
_BLOCK_BYTES = 1 << 20
_Say = Callable[[str], object]


def make_backup(target: Path, say: _Say = print) -> Manifest:
    """Write an archive, readable by its owner only; one of that name is replaced once the new one is whole."""
    _refuse_other_tables()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", allowZip64=True) as archive:
            manifest = _write(archive, say)
        part.replace(target)
    except OSError as error:
        raise BackupError(
            f"{target} cannot be written: {error.strerror or error}; choose a folder that exists and can be written to"
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _refuse_other_tables() -> None:
    """Refuse a database whose tables are not those of this version: its rows could not be read."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupError(
            "the database is new, or as an earlier version left it: make the backup with the version that ran last, "
            "or run `migrate` first"
        )


def _write(archive: zipfile.ZipFile, say: _Say) -> Manifest:
    counts: dict[str, int] = {}
    names: dict[str, None] = {}
    with _one_instant():
        migrations = _migrations()
        for model in tables():
            counts[model._meta.label_lower] = _write_rows(archive, model, names)
    size, missing = 0, []
    for number, name in enumerate(names, 1):
        written = _write_file(archive, name)
        if written is None:
            missing.append(name)
        size += written or 0
        if number % 100 == 0:
            say(f"{number} of {len(names)} files")
    manifest = Manifest(
        format=FORMAT, product_version=scheduler_core.__version__, made_at=timezone.now().isoformat(),
        migrations=migrations, rows=counts, files=len(names) - len(missing), file_bytes=size, missing=missing,
    )  # fmt: skip
    archive.writestr(MANIFEST, manifest.to_json())
    return manifest


@contextmanager
def _one_instant() -> Iterator[None]:
    """Read all tables as they are at one moment. Nobody who writes meanwhile has to wait."""
    # Not `atomic`, which takes SQLite's lock for writing.
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else "BEGIN DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _migrations() -> dict[str, str]:
    """Return the newest applied migration of each app whose tables are in the archive."""
    applied = MigrationRecorder(connection).applied_migrations()
    apps = {model._meta.app_label for model in tables()}
    return {app: max(name for label, name in applied if label == app) for app in sorted(apps)}


def _write_rows(archive: zipfile.ZipFile, model: type[models.Model], names: dict[str, None]) -> int:
    count = 0
    info = zipfile.ZipInfo(f"{ROWS}{model._meta.label_lower}.jsonl", timezone.now().timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    rows = model._default_manager.order_by("pk")
    fields, of_files = model._meta.concrete_fields, list(file_fields(model))
    with archive.open(info, "w", force_zip64=True) as out:
        # By primary keys, not by a cursor of the server: that one would outlive the transaction.
        last: Any = None
        while page := list((rows if last is None else rows.filter(pk__gt=last))[:_ROWS_AT_ONCE]):
            for row in page:
                told = {field.attname: _value(field, row) for field in fields}
                out.write(json.dumps(told, default=_date).encode() + b"\n")
                names.update(
                    (getattr(row, field.attname).name, None) for field in of_files if getattr(row, field.attname)
                )
            last, count = page[-1].pk, count + len(page)
    return count


def _value(field: Any, row: models.Model) -> Any:
    value = field.value_from_object(row)
    return value if is_protected_type(value) else field.value_to_string(row)


def _date(value: object) -> str:
    return cast("datetime | date", value).isoformat()


def _write_file(archive: zipfile.ZipFile, name: str) -> int | None:
    """Copy a file into the archive; return its bytes, or None where it is gone: retention deletes meanwhile."""
    try:
        source = default_storage.open(name, "rb")
    except OSError:
        return None
    info = zipfile.ZipInfo(FILES + name, timezone.now().timetuple()[:6])
    with source, archive.open(info, "w", force_zip64=True) as out:
        shutil.copyfileobj(source, out, _BLOCK_BYTES)
        return out.tell() if out.seekable() else source.size
