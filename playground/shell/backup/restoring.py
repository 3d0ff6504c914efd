"""Restore a backup: create the tables of its version, load its rows, migrate, and store its files."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from django.apps.registry import Apps
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from playground.models import Experiment
from playground.shell.backup.archive import FILES, MANIFEST, ROWS, BackupError, Manifest

_ROWS_AT_ONCE = 200
_Say = Callable[[str], object]


def restore_backup(source: Path, *, replace: bool = False, say: _Say = print) -> Manifest:
    """Restore an archive into the configured database and storage; `replace` deletes what the database holds.

    Raises BackupError where the archive cannot be read, is of a newer version, or the database is in use.
    """
    if not source.is_file():
        raise BackupError(f"{source} is not a file; name an archive that `backup` made")
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = Manifest.parse(archive.read(MANIFEST))
            targets = _known_migrations(manifest)
            if not replace:
                _refuse_used_database()
            _check(archive)
            _drop_tables()
            executor = MigrationExecutor(connection)
            executor.migrate(targets)
            _fill(archive, MigrationExecutor(connection).loader.project_state(targets).apps, manifest)
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            _restore_files(archive, say)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise BackupError(f"{source} is not a whole backup: {error}") from None
    return manifest


def _known_migrations(manifest: Manifest) -> list[tuple[str, str]]:
    targets = sorted(manifest.migrations.items())
    graph = MigrationExecutor(connection).loader.graph
    unknown = [f"{app}.{name}" for app, name in targets if (app, name) not in graph.nodes]
    if unknown:
        raise BackupError(
            f"the backup was made by version {manifest.product_version}, which has migrations that this version lacks "
            f"({', '.join(unknown)}): install version {manifest.product_version} or later"
        )
    return targets


def _refuse_used_database() -> None:
    tables = connection.introspection.table_names()
    if Experiment._meta.db_table in tables and Experiment.objects.exists():
        raise BackupError(
            "the database holds experiments already: name an empty one (PLAYGROUND_DATABASE_URL or "
            "PLAYGROUND_DATA_DIR), or add --replace to delete what it holds"
        )


def _check(archive: zipfile.ZipFile) -> None:
    """Read everything once, before anything is deleted."""
    broken = archive.testzip()
    if broken is not None:
        raise BackupError(f"the archive is damaged: {broken} has another checksum; nothing was changed")


def _drop_tables() -> None:
    """Drop every table: the migrations create those of the archive's version."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    existing = set(connection.introspection.table_names())
    names = [*tables, *({"django_migrations"} & existing)]
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for name in dict.fromkeys(names):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(name)}{cascade}")


def _fill(archive: zipfile.ZipFile, apps: Apps, manifest: Manifest) -> None:
    models = [apps.get_model(label) for label in manifest.rows]
    with connection.constraint_checks_disabled(), transaction.atomic():
        for model in models:
            for field in model._meta.concrete_fields:
                if getattr(field, "auto_now_add", False):
                    cast(Any, field).auto_now_add = False  # of these models only: a row keeps its time
            for rows in _pages(archive, model):
                model._default_manager.bulk_create(rows)
        connection.check_constraints()
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), models):
                cursor.execute(statement)


def _pages(archive: zipfile.ZipFile, model: Any) -> Iterator[list[Any]]:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    page: list[Any] = []
    with archive.open(f"{ROWS}{model._meta.label_lower}.jsonl") as lines:
        for line in lines:
            told = json.loads(line)
            page.append(model(**{name: fields[name].to_python(value) for name, value in told.items()}))
            if len(page) == _ROWS_AT_ONCE:
                yield page
                page = []
    if page:
        yield page


def _restore_files(archive: zipfile.ZipFile, say: _Say) -> None:
    members = [info for info in archive.infolist() if info.filename.startswith(FILES)]
    for number, info in enumerate(members, 1):
        name = info.filename.removeprefix(FILES)
        if default_storage.exists(name):
            default_storage.delete(name)
        with archive.open(info) as file:
            stored = default_storage.save(name, cast("File[bytes]", File(file, name)))
        if stored != name:
            raise BackupError(f"the storage keeps {name} as {stored}: restore into an empty one")
        if number % 100 == 0:
            say(f"{number} of {len(members)} files")
