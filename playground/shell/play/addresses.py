"""Find the address under which other machines reach this one."""

from __future__ import annotations

import ipaddress
import socket

#: What `HOST=` may say instead of an address: all addresses of this machine, told by the one in its local network.
LAN = "lan"
_EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - only where the user asks for it
#: Addresses that no machine has (RFC 5737, RFC 3849): the system finds the way to them and sends nothing.
_NOBODY = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


class NoAddress(Exception):
    """Raised if the machine has no address in a network."""


def bound_host(host: str) -> str:
    """Return the address to listen on: of `lan` all, so that this machine's own browser needs no other link."""
    return "0.0.0.0" if host == LAN else host  # noqa: S104 - `lan` asks for it


def outside_host(host: str) -> str:
    """Return the address that other machines use for a server on `host`; empty where only this machine reaches it.

    Raises NoAddress for `lan` on a machine without a network.
    """
    if host != LAN and host not in _EVERYWHERE:
        return "" if _is_loopback(host) else host
    found = lan_address(socket.AF_INET6 if host == "::" else socket.AF_INET)
    if not found and host == LAN:
        raise NoAddress
    return found


def lan_address(family: int = socket.AF_INET) -> str:
    """Return the address of this machine in its network; empty where it has none but its own."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOBODY[socket.AddressFamily(family)])
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
    return "" if _is_loopback(address) else address


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url_of(host: str, port: int) -> str:
    """Write an address as a link."""
    return f"http://[{host}]:{port}" if ":" in host and not host.startswith("[") else f"http://{host}:{port}"
