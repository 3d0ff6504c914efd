"""Schedulers from the operator's files: for a server that nobody else reaches, unless a second setting says so."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable, Sequence
from pathlib import Path


class PluginsForOthers(Exception):
    """Raised for a server with plugins that other machines reach."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"PLAYGROUND_PLUGINS names programs of yours, and {host} lets others run them: serve 127.0.0.1 alone, "
            "or set PLAYGROUND_PLUGINS_FOR_OTHERS=true"
        )


def tell_core(plugins: Sequence[str], folder: Path) -> None:
    """Tell the library which plugins it may load, and that it may load no others; relative files lie in `folder`."""
    named = [str((folder / Path(one).expanduser()).resolve()) if one.endswith(".py") else one for one in plugins]
    os.environ["SCHEDULER_CORE_PLUGINS"] = os.pathsep.join(named)


def refuse_others(plugins: Sequence[str], hosts: Iterable[str], *, for_others: bool) -> None:
    """Refuse plugins on a server that answers to a name or listens to an address of more than this machine."""
    if not plugins or for_others:
        return
    for host in hosts:
        if not is_this_machine(host):
            raise PluginsForOthers(host)


def is_this_machine(host: str) -> bool:
    """Return True if only this machine reaches a host."""
    bare = host.strip("[]")
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return bare in {"localhost", "testserver"}
