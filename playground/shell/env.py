"""Read PLAYGROUND_* variables: each has a type and a default, and an invalid value stops the start."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

PREFIX = "PLAYGROUND_"
_HTTP = {"http", "https"}

#: Every variable that code has read, with its default; a test compares .env.example with it.
READ: dict[str, object] = {}

# A variable's value may also come from a file named by the variable's name plus _FILE (secrets).
_environment = environ.FileAwareEnv()


def _read(kind: str, name: str, default: object) -> Any:
    READ[PREFIX + name] = default
    try:
        return getattr(_environment, kind)(PREFIX + name, default=default)
    except (ValueError, TypeError, OSError) as error:
        raise ImproperlyConfigured(f"{PREFIX}{name} cannot be read as {kind}: {error}") from error


def env_str(name: str, default: str) -> str:
    return cast(str, _read("str", name, default))


def env_bool(name: str, default: bool) -> bool:
    READ[PREFIX + name] = default
    text = str(_environment.str(PREFIX + name, default=str(default))).strip().lower()
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{PREFIX}{name} is {text!r}; write true or false")


def env_int(name: str, default: int, *, least: int = 1) -> int:
    value = cast(int, _read("int", name, default))
    if value < least:
        raise ImproperlyConfigured(f"{PREFIX}{name} is {value}; the least allowed is {least}")
    return value


def env_list(name: str, default: list[str]) -> list[str]:
    return [part.strip() for part in cast(list[str], _read("list", name, default)) if part.strip()]


def env_path(name: str, default: Path) -> Path:
    READ[PREFIX + name] = default
    return Path(str(_environment.str(PREFIX + name, default="")) or default).expanduser().resolve()


def env_database(name: str, default: str) -> dict[str, Any]:
    READ[PREFIX + name] = default
    # Set but empty means not set, as it does for folders.
    url = _environment.str(PREFIX + name, default="") or default
    try:
        with warnings.catch_warnings():
            # An unknown scheme is only a warning there; here it is the error below.
            warnings.simplefilter("ignore")
            config = dict(_environment.db_url_config(url))
    except (ValueError, KeyError, environ.ImproperlyConfigured) as error:
        raise ImproperlyConfigured(f"{PREFIX}{name} is not a database URL: {error}") from error
    if not config.get("ENGINE"):
        raise ImproperlyConfigured(
            f"{PREFIX}{name} is not a database URL; an example is postgres://user:word@host/name"
        )
    return config


def env_storage(name: str) -> dict[str, Any]:
    """Return Django's settings of the storage that a URL names; of the data folder where none is named."""
    READ[PREFIX + name] = ""
    text = _environment.str(PREFIX + name, default="").strip()
    if not text:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    url, further = urlsplit(text), dict(parse_qsl(urlsplit(text).query))
    unknown = sorted(further.keys() - {"endpoint", "region", "path_style"})
    endpoint = urlsplit(further.get("endpoint", "https://s3"))
    if url.scheme != "s3" or not url.hostname or unknown or endpoint.scheme not in _HTTP or not endpoint.hostname:
        # Never the text itself: it may hold a key.
        wrong = f"has {', '.join(unknown)}, which is not known" if unknown else "is no storage URL"
        raise ImproperlyConfigured(
            f"{PREFIX}{name} {wrong}; an example is s3://bucket/prefix?endpoint=https://host:9000&region=name"
        )
    if importlib.util.find_spec("storages") is None or importlib.util.find_spec("boto3") is None:
        raise ImproperlyConfigured(f"{PREFIX}{name} needs django-storages: pip install 'scheduler-playground[s3]'")
    options: dict[str, Any] = {
        "bucket_name": url.hostname,
        "location": url.path.strip("/"),
        "endpoint_url": further.get("endpoint"),
        "region_name": further.get("region"),
        "path_style": further.get("path_style", "").lower() in {"1", "true", "yes"},
    }
    if url.username and url.password:
        options |= {"access_key": unquote(url.username), "secret_key": unquote(url.password)}
    return {"BACKEND": "playground.storage.s3.S3Files", "OPTIONS": options}


def read_dotenv(path: Path) -> None:
    """Take variables from a file of NAME=value lines; what the environment already has wins."""
    if path.is_file():
        environ.Env.read_env(str(path))
