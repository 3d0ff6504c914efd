"""The file of built modules, `kernels/modules.zip`: read it, write it, and say which modules are stale.

The file holds a module for each event loop, modules for the other kernels of a run, and `manifest.json`. That says of
each kernel: the digest of its sources, what it takes (engine.wasm.interface), and its module's name. A module is stale
if the kernel's sources have changed since it was built. `python -m scheduler_core kernels build` builds it again.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scheduler_core.engine import sources
from scheduler_core.engine.sources import package_folder
from scheduler_core.engine.wasm.server import STAYS

FORMAT = 1
"""Version of the file, and of the way in which modules are built and called."""
BUILD = "python -m scheduler_core kernels build"
_MANIFEST = "manifest.json"
_DATE = (1980, 1, 1, 0, 0, 0)
_LOOP = "advance"


@dataclass(frozen=True)
class Built:
    """A module of the packed file.

    `takes` is the kernel's interface, `size` the bytes of the module, `packed` those of it in the file. `scheduler` is
    the name and the parameters of a scheduler that runs this loop.
    """

    kernel: str
    digest: str
    file: str
    size: int
    packed: int
    takes: list[Any]
    returns: str
    scheduler: dict[str, Any]


def packed_file() -> Path:
    """Return the path of the packed file."""
    return package_folder() / "kernels" / "modules.zip"


def event_loops() -> list[str]:
    """Return the event loops of the library that have modules, as `file:name`, sorted."""
    return list(_event_loops())


@functools.cache
def _event_loops() -> list[str]:
    folder = package_folder()
    every = {
        f"{path.relative_to(folder).as_posix()}:{_LOOP}"
        for path in (folder / "schedulers").rglob("*.py")
        if f"\ndef {_LOOP}(w: World," in path.read_text(encoding="utf-8")
    }
    return sorted(every - {each.kernel for each in STAYS if not each.built})


def digests() -> dict[str, str]:
    """Return the digest of each kernel with a module, and of each event loop, as its module would have now."""
    return _digests((*event_loops(), *sorted(others())))


@functools.lru_cache(4)
def _digests(kernels: tuple[str, ...]) -> dict[str, str]:
    which = hashlib.sha256("\n".join(kernels).encode()).hexdigest()[:8]
    kept = sources.cache_root() / "modules" / f"{sources.bytes_digest()}-{which}.json"
    with suppress(OSError, ValueError):
        found = json.loads(kept.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    made = {kernel: digest_of(sources.portable_digest(package_folder(), kernel)) for kernel in kernels}
    sources.keep(kept, json.dumps(made).encode())
    return made


def digest_of(code: str) -> str:
    """Return the digest of a module: of its sources and of the way in which it is built."""
    return hashlib.sha256(f"{FORMAT} {code}".encode()).hexdigest()[:16]


def manifest() -> dict[str, Built]:
    """Return the modules of event loops by kernel; none if there is no file of this format."""
    return dict(_both()[0])


def _both() -> tuple[dict[str, Built], list[Built]]:
    with suppress(OSError):
        return _read(packed_file(), packed_file().stat().st_mtime_ns)
    return {}, []


@functools.lru_cache(4)
def _read(path: Path, written_ns: int) -> tuple[dict[str, Built], list[Built]]:
    with suppress(OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read(_MANIFEST))
        if told["format"] == FORMAT:
            loops = {name: Built(kernel=name, **each) for name, each in told["kernels"].items()}
            return loops, [Built(**each) for each in told.get("others", [])]
    return {}, []


def others() -> dict[str, list[Built]]:
    """Return the modules of all other kernels by kernel: one for each kind of arguments that runs pass."""
    found: dict[str, list[Built]] = {}
    for each in _both()[1]:
        found.setdefault(each.kernel, []).append(each)
    return found


def usable(kernel: str) -> list[Built]:
    """Return a kernel's modules that are of today's sources."""
    with suppress(OSError):
        return _usable(packed_file(), packed_file().stat().st_mtime_ns, kernel)
    return []


@functools.lru_cache(512)
def _usable(path: Path, written_ns: int, kernel: str) -> list[Built]:
    loop = manifest().get(kernel)
    built = [loop] if loop is not None else others().get(kernel, [])
    return [each for each in built if digests().get(kernel) == each.digest]


def module_bytes(built: Built) -> bytes:
    """Return a module of the packed file."""
    with _opened() as archive:
        return archive.read(built.file)


def engine_modules() -> dict[str, bytes]:
    """Return the modules of all event loops by the names that a start gives."""
    return {built.file: module_bytes(built) for built in manifest().values()}


def stale() -> list[str]:
    """Return the event loops and other kernels without a module of today's sources."""
    built = manifest() | {name: each[0] for name, each in others().items()}
    return [name for name, digest in digests().items() if name not in built or built[name].digest != digest]


def write(modules: Mapping[str, tuple[Built, bytes]], more: Iterable[tuple[Built, bytes]]) -> None:
    """Write the packed file from event loops and other kernels; the same modules give the same bytes."""
    packed_file().parent.mkdir(parents=True, exist_ok=True)
    told: dict[str, Any] = {}
    rest: list[dict[str, Any]] = []
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for kernel, (built, module) in sorted(modules.items()):
            told[kernel] = {key: value for key, value in _kept(archive, built, module).items() if key != "kernel"}
        for built, module in sorted(more, key=lambda each: (each[0].kernel, json.dumps(each[0].takes))):
            rest.append(_kept(archive, built, module))
        manifest = {"format": FORMAT, "kernels": told, "others": rest}
        _add(archive, _MANIFEST, json.dumps(manifest, sort_keys=True).encode())
    packed_file().write_bytes(content.getvalue())


def _kept(archive: zipfile.ZipFile, built: Built, module: bytes) -> dict[str, Any]:
    """Put a module into the file; return its entry."""
    takes = hashlib.sha256(json.dumps(built.takes).encode()).hexdigest()[:4]
    base = built.kernel.removesuffix(f".py:{_LOOP}").replace("/", ".").replace(".py:", ".")
    name = f"{base}-{built.digest}{'' if built.kernel.endswith(f':{_LOOP}') else f'-{takes}'}.wasm"
    _add(archive, name, module)
    size = {"file": name, "size": len(module), "packed": archive.getinfo(name).compress_size}
    return asdict(built) | size


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    about = zipfile.ZipInfo(name, _DATE)
    about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    archive.writestr(about, content, compresslevel=9)


def _opened() -> zipfile.ZipFile:
    return zipfile.ZipFile(packed_file())
