"""What backup, restore and migrate refuse is said in a line (tests/integration/test_backup.py has the whole way)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError

from playground.shell import command
from tests.support import PATIENCE_S, PROJECT, own_environment


@pytest.mark.django_db
def test_tables_of_another_version_are_not_backed_up(tmp_path: Path) -> None:
    newest = max(name for app, name in MigrationRecorder(connection).applied_migrations() if app == "playground")
    MigrationRecorder(connection).record_unapplied("playground", newest)
    with pytest.raises(CommandError, match="earlier version left it"):
        call_command("backup", str(tmp_path / "some.zip"))
    assert not list(tmp_path.iterdir())


def test_a_data_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "manage.py", "restore", "some.zip"],
        cwd=PROJECT,
        env=own_environment(tmp_path / "file" / "var"),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert "PLAYGROUND_DATA_DIR" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_away_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(arguments: list[str]) -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    assert command.execute(["scheduler-playground", "backup", "some.zip"]) == 2
    assert "PLAYGROUND_DATABASE_URL" in capsys.readouterr().err
    with pytest.raises(OperationalError):
        command.execute(["manage.py", "make_contract"])
