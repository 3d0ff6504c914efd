"""Load plugins: files that a user names, files that the environment names, and entry points by their name."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import linecache
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from scheduler_core.errors import ExperimentError
from scheduler_core.schedulers.plugin.declaring import spec_of
from scheduler_core.schedulers.plugin.guarding import Guarded
from scheduler_core.schedulers.plugin.reading import Source, read, refused
from scheduler_core.schedulers.plugin.telling import problem_of
from scheduler_core.world.spec import SchedulerSpec

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol

GROUP = "scheduler_core.schedulers"
"""The entry points' group."""
ENVIRONMENT = "SCHEDULER_CORE_PLUGINS"
"""The environment variable that names files and entry points; with it, only what it names is loaded by itself."""


@dataclass(frozen=True)
class Plugin:
    """A loaded plugin: its declaration, its file, and the file's SHA-256 as hex."""

    spec: SchedulerSpec
    path: Path
    sha256: str


_loaded: dict[str, Plugin] = {}
_reserved: set[str] = set()
_lock = threading.RLock()
_looked = False


def load_plugin(path: str | Path) -> SchedulerSpec:
    """Load a scheduler from a Python file and list it with the others; return its declaration.

    The file defines `choose(task, machines)` or a whole scheduler as `SPEC`. A file that changed replaces the scheduler
    of the same name. Raises ExperimentError.
    """
    source = read(path)
    with _lock:
        for each in _loaded.values():
            if (each.path, each.sha256) == (source.path, source.sha256):
                return each.spec
        return _enter(source, None).spec


def _enter(source: Source, name: str | None) -> Plugin:
    """Execute a plugin's file and list its scheduler, in place of an earlier one of the same file."""
    spec = guarded(_declared(source), source)
    spec = spec if name is None else replace(spec, name=name)
    _check_name(spec.name, source)
    for other in [other for other, each in _loaded.items() if each.path == source.path]:
        del _loaded[other]
    if spec.name in _loaded:
        where = _loaded[spec.name].path.name
        raise refused(source.path.name, f"the name '{spec.name}' belongs to {where}, which is loaded already")
    _loaded[spec.name] = Plugin(spec, source.path, source.sha256)
    return _loaded[spec.name]


def plugins() -> tuple[Plugin, ...]:
    """Return the loaded plugins, after those that the environment names."""
    _load_named()
    return tuple(_loaded.values())


def plugin(name: str) -> Plugin | None:
    """Return the plugin of a name; load the entry point of this name if there is one. Raises ExperimentError."""
    _load_named()
    if name not in _loaded and ENVIRONMENT not in os.environ:
        _load_entry_point(name)
    return _loaded.get(name)


def loaded_plugin(name: str) -> Plugin | None:
    """Return the plugin of a name; load no entry point that only its name could name."""
    _load_named()
    return _loaded.get(name)


def entry_points() -> Iterator[tuple[str, str]]:
    """Return the entry points by name, each with its package; this loads none of them."""
    for each in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda one: one.name):
        yield each.name, each.dist.name if each.dist is not None else ""


def _load_named() -> None:
    """Load what the environment names, once."""
    global _looked
    with _lock:
        if _looked:
            return
        _looked = True
        for each in filter(None, os.environ.get(ENVIRONMENT, "").split(os.pathsep)):
            if each.endswith(".py"):
                load_plugin(each)
            elif not _load_entry_point(each):
                allowed = "a Python file, or the name of an installed entry point"
                raise refused(ENVIRONMENT, f"names '{each}', which is neither", allowed)


def _load_entry_point(name: str) -> bool:
    """Load the file of an entry point's module; return False if there is no such entry point."""
    for each in importlib.metadata.entry_points(group=GROUP, name=name):
        found = importlib.util.find_spec(each.module)
        if found is None or not found.origin:
            raise refused(f"entry point {name}", f"has no module '{each.module}'")
        with _lock:
            _enter(read(found.origin), name)
        return True
    return False


def _declared(source: Source) -> SchedulerSpec:
    """Execute a plugin's file and return its declaration. Raises ExperimentError."""
    from scheduler_core.engine.sources import forget

    forget(source.path)
    module = _executed(source)
    if not source.is_loop:
        return spec_of(source, module) if callable(getattr(module, "choose", None)) else _no_spec(source)
    spec = module.SPEC
    if not isinstance(spec, SchedulerSpec):
        return _no_spec(source)
    return spec


def _no_spec(source: Source) -> SchedulerSpec:
    raise refused(source.path.name, "SPEC is not a SchedulerSpec, or choose is not a function")


def _executed(source: Source) -> ModuleType:
    name = f"scheduler_plugin_{source.name.replace('-', '_')}"
    module = ModuleType(name)
    module.__file__ = str(source.path)
    linecache.checkcache(str(source.path))
    sys.modules[name] = module
    try:
        exec(compile(source.content, str(source.path), "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    except ExperimentError:
        raise
    except Exception as error:
        raise ExperimentError([problem_of(error, source)]) from error
    return module


def guarded(spec: SchedulerSpec, source: Source) -> SchedulerSpec:
    """Return the declaration whose protocol turns errors into problems of the plugin's file."""
    load = spec.load

    def guarded_load() -> Protocol:
        try:
            protocol = load()
        except Exception as error:
            raise ExperimentError([problem_of(error, source)]) from error
        return Guarded(protocol, source)

    return replace(spec, load=guarded_load)


def reserve(names: Iterable[str]) -> None:
    """Keep names for built-in schedulers: no plugin gets one of them."""
    _reserved.update(names)


def _check_name(name: str, source: Source) -> None:
    if name in _reserved:
        remedy = "change the name in SPEC" if source.is_loop else "rename the file"
        raise refused(source.path.name, f"'{name}' is the name of a built-in scheduler", remedy=remedy)
