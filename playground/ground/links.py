"""Build addresses. `base_url` is the scheme and host that the viewer used, or empty for paths alone."""

from __future__ import annotations

from playground.models import Classroom, Experiment, Run, Study

API = "/api/v1"


def experiment_url(experiment: Experiment, base_url: str = "") -> str:
    return f"{base_url}{API}/experiments/{experiment.public_id}"


def share_url(experiment: Experiment, base_url: str = "") -> str:
    return f"{base_url}/e/{experiment.slug}"


def live_url(run: Run, base_url: str = "") -> str:
    """Return the page on which a run is watched: its experiment's share link with the run named."""
    return f"{share_url(run.experiment, base_url)}?run={run.public_id}"


def socket_url(run: Run, base_url: str = "") -> str:
    return f"{_as_socket(base_url)}/ws/runs/{run.public_id}"


def previews_url(place: str, base_url: str = "") -> str:
    """Return the socket on which a viewer's previews are answered."""
    return f"{_as_socket(base_url)}/ws/previews/{place}"


def study_url(study: Study, base_url: str = "") -> str:
    """Return the page on which a study is followed."""
    return f"{base_url}/studies/{study.public_id}"


def study_socket_url(study: Study, base_url: str = "") -> str:
    return f"{_as_socket(base_url)}/ws/studies/{study.public_id}"


def presentation_socket_url(experiment: Experiment, base_url: str = "") -> str:
    """Return the socket on which viewers of an experiment's link follow its presenter."""
    return f"{_as_socket(base_url)}/ws/presentations/{experiment.slug}"


def class_url(classroom: Classroom, base_url: str = "", page: str = "") -> str:
    """Return the page of a class: the students' one, or `teach` or `screen`."""
    return f"{base_url}/classes/{classroom.public_id}{page and '/'}{page}"


def homework_url(classroom: Classroom, base_url: str = "", page: str = "") -> str:
    """Return the page of a homework: the students' one, or `teach`."""
    return f"{base_url}/homework/{classroom.public_id}{page and '/'}{page}"


def class_socket_url(classroom: Classroom, base_url: str = "") -> str:
    return f"{_as_socket(base_url)}/ws/classes/{classroom.public_id}"


def _as_socket(base_url: str) -> str:
    # http -> ws and https -> wss
    return base_url.replace("http", "ws", 1)
