"""What a restored playground shows, as JSON: python -m tests.integration.restored SLUG..."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import django


def main() -> None:
    """Open each share link, and the recording of each run behind it."""
    django.setup()
    from django.test import Client

    from playground.models import Experiment
    from scheduler_core import RecordingReader

    browser = Client(headers={"host": "localhost"})
    shown: list[dict[str, Any]] = []
    for slug in sys.argv[1:]:
        page = browser.get(f"/e/{slug}")
        made = Experiment.objects.get(slug=slug)
        told = browser.get(f"/api/v1/experiments/{made.public_id}").json()
        for run in told["runs"]:
            answer: Any = browser.get(f"/api/v1/runs/{run['id']}/recording")
            with RecordingReader(io.BytesIO(answer.getvalue())) as reader:
                run["seqs"] = [frame.seq for frame in reader.frames()]
        shown.append({"status": page.status_code, "created_at": made.created_at.isoformat(), **told})
    print(json.dumps(shown))


if __name__ == "__main__":
    main()
