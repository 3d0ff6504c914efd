"""Make a module that runs from the object file that LLVM writes for one kernel.

A linker puts many objects together; a kernel is one object, because its callees are linked into it before
(engine.linking). What remains is to give its data and its stack a place and to export the function. Thereby nobody
needs a linker. Source: WebAssembly Core Specification, Section 5.5; tool conventions, Linking.md.

A module's memory, from address 0: the stack, which grows down and traps where it overflows; the module's data from
`data_at` on; the arrays, from HEAP on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

STACK_BYTES = 1 << 16
LOOP_DATA, OTHER_DATA, HEAP = STACK_BYTES, 1 << 19, 1 << 20
"""Where the data of an event loop lies, that of all other kernels, and the arrays: both modules share one memory."""
ABOUT = "scheduler-playground"
"""The name of the custom section that holds what the module is, as JSON."""

_HEAD = b"\0asm\x01\0\0\0"
_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _CODE, _DATA, _DATA_COUNT = 0, 1, 2, 3, 6, 7, 10, 11, 12
_KEPT = (_TYPE, _FUNCTION, _DATA_COUNT)
# Relocations that hold an address in memory: in an index of variable length, signed, or in four bytes.
_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32 = 3, 4, 5
_WITH_ADDEND = frozenset({3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23})
_PADDED, _ADDRESSES = 5, (1 << 32) - 1


class BuildError(Exception):
    """Raised for an object that cannot become a module without imported functions."""


@dataclass(frozen=True)
class Section:
    """A section of an object: its number, its name if it is a custom one, and its bytes."""

    kind: int
    name: str
    body: bytearray


def finished(built: bytes, exports: dict[str, str], data_at: int, about: dict[str, Any]) -> bytes:
    """Return the module of an object.

    `exports` names functions of the object by the names that the module gives them. The module imports its memory,
    `env.memory`, and nothing else. Raises BuildError if the object needs more.
    """
    sections = list(_sections(built))
    by_kind = {each.kind: each for each in sections if each.kind != _CUSTOM}
    custom = {each.name: each.body for each in sections if each.kind == _CUSTOM}
    _check_imports(by_kind[_IMPORT].body)
    for name, kind in (("reloc.CODE", _CODE), ("reloc.DATA", _DATA)):
        _move(custom.get(name, b""), by_kind.get(kind), data_at)
    parts: dict[int, bytes | bytearray] = {kind: by_kind[kind].body for kind in (*_KEPT, _CODE) if kind in by_kind}
    parts[_IMPORT] = _list([_text("env") + _text("memory") + b"\x02\x00" + leb(_pages(HEAP))])
    # Index 0 is the stack pointer, as in the object, which imports it.
    parts[_GLOBAL] = _list([b"\x7f\x01\x41" + sleb(STACK_BYTES) + b"\x0b", b"\x7f\x00\x41" + sleb(HEAP) + b"\x0b"])
    functions = _functions(custom["linking"])
    named = [_text(name) + b"\x00" + leb(functions[symbol]) for name, symbol in sorted(exports.items())]
    parts[_EXPORT] = _list([*named, _text("heap") + b"\x03\x01"])
    if _DATA in by_kind:
        parts[_DATA] = _placed(by_kind[_DATA].body, data_at, HEAP if data_at >= OTHER_DATA else OTHER_DATA)
    order = (_TYPE, _IMPORT, _FUNCTION, _GLOBAL, _EXPORT, _DATA_COUNT, _CODE, _DATA)
    body = b"".join(bytes([kind]) + _sized(bytes(parts[kind])) for kind in order if kind in parts)
    said = json.dumps(about, sort_keys=True).encode()
    return _HEAD + body + b"\x00" + _sized(_text(ABOUT) + said)


def about_of(module: bytes) -> dict[str, Any]:
    """Return what a module says about itself. Raises BuildError for other bytes."""
    for each in _sections(module):
        if each.name == ABOUT:
            told: dict[str, Any] = json.loads(each.body)
            return told
    raise BuildError("no module of this library")


def imports_of(module: bytes) -> list[str]:
    """Return what a module imports, as `module.name kind`."""
    body = next((each.body for each in _sections(module) if each.kind == _IMPORT), bytearray(1))
    return [f"{home}.{name} {_IMPORTED[kind]}" for home, name, kind in _imports(body)]


# -- reading


def _sections(module: bytes) -> Iterator[Section]:
    if module[:8] != _HEAD:
        raise BuildError("no WebAssembly")
    at = len(_HEAD)
    while at < len(module):
        kind = module[at]
        size, at = read_leb(module, at + 1)
        body, name = module[at : at + size], ""
        at += size
        if kind == _CUSTOM:
            name, start = _read_text(body, 0)
            body = body[start:]
        yield Section(kind, name, bytearray(body))


_IMPORTED = {0: "function", 1: "table", 2: "memory", 3: "global"}


def _imports(body: bytes | bytearray) -> Iterator[tuple[str, str, int]]:
    count, at = read_leb(body, 0)
    for _ in range(count):
        home, at = _read_text(body, at)
        name, at = _read_text(body, at)
        kind = body[at]
        at += 1
        if kind == 0:
            _, at = read_leb(body, at)
        elif kind == 3:
            at += 2
        else:
            at += kind == 1  # a table's type of elements
            flags, at = body[at], at + 1
            for _ in range(1 + (flags & 1)):
                _, at = read_leb(body, at)
        yield home, name, kind


def _check_imports(body: bytearray) -> None:
    found = [f"{_IMPORTED[kind]} {name}" for _, name, kind in _imports(body)]
    if more := [each for each in found if each not in ("memory __linear_memory", "global __stack_pointer")]:
        raise BuildError(f"the kernel would import {', '.join(more)}")


def _functions(linking: bytearray) -> dict[str, int]:
    """Return the numbers of the functions in an object's table of symbols."""
    _, at = read_leb(linking, 0)  # the table's version
    found: dict[str, int] = {}
    while at < len(linking):
        kind = linking[at]
        size, at = read_leb(linking, at + 1)
        if kind == 8:
            found.update(_function_symbols(linking[at : at + size]))
        at += size
    return found


def _function_symbols(table: bytearray) -> Iterator[tuple[str, int]]:
    count, at = read_leb(table, 0)
    for _ in range(count):
        kind = table[at]
        flags, at = read_leb(table, at + 1)
        if kind in (0, 2, 4, 5):  # a function, a global, a tag, a table
            number, at = read_leb(table, at)
            name = ""
            if not flags & 0x10 or flags & 0x40:
                name, at = _read_text(table, at)
            if kind == 0:
                yield name, number
        elif kind == 1:
            _, at = _read_text(table, at)
            for _ in range(0 if flags & 0x10 else 3):
                _, at = read_leb(table, at)
        else:
            _, at = read_leb(table, at)


# -- writing


def _move(relocations: bytes | bytearray, section: Section | None, by: int) -> None:
    """Add to each address that a section holds; the object counts from 0."""
    if not relocations or section is None:
        return
    _, at = read_leb(relocations, 0)
    count, at = read_leb(relocations, at)
    for _ in range(count):
        kind = relocations[at]
        place, at = read_leb(relocations, at + 1)
        _, at = read_leb(relocations, at)
        if kind in _WITH_ADDEND:
            _, at = read_leb(relocations, at)
        if kind == _ADDRESS_I32:
            address = int.from_bytes(section.body[place : place + 4], "little")
            section.body[place : place + 4] = (address + by & _ADDRESSES).to_bytes(4, "little")
        elif kind in (_ADDRESS_LEB, _ADDRESS_SLEB):
            # An address before the object's first byte, to which the code adds an index, is below zero.
            address, _ = read_leb(section.body, place)
            section.body[place : place + _PADDED] = _padded(address + by & _ADDRESSES)


def _placed(body: bytearray, data_at: int, end: int) -> bytes:
    """Return the data section with its segments moved; each begins with `i32.const address`."""
    count, at = read_leb(body, 0)
    placed = []
    for _ in range(count):
        if body[at : at + 2] != b"\x00\x41":
            raise BuildError("data that lies at no fixed address")
        address, at = read_leb(body, at + 2)
        size, at = read_leb(body, at + 1)
        if address + data_at + size > end:
            raise BuildError(f"{address + size:,} bytes of data; {end - data_at:,} are allowed")
        placed.append(b"\x00\x41" + sleb(address + data_at) + b"\x0b" + _sized(bytes(body[at : at + size])))
        at += size
    return _list(placed)


def leb(number: int) -> bytes:
    """Return an unsigned number in as few bytes as it needs."""
    out = bytearray()
    while True:
        low, number = number & 0x7F, number >> 7
        out.append(low | (0x80 if number else 0))
        if not number:
            return bytes(out)


def sleb(number: int) -> bytes:
    """Return a positive number as a signed one: its last byte has no sixth bit."""
    out = bytearray()
    while number > 0x3F:
        out.append((number & 0x7F) | 0x80)
        number >>= 7
    return bytes([*out, number])


def read_leb(body: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return (an unsigned number, or a positive signed one, the place after it)."""
    number = shift = 0
    while True:
        byte = body[at]
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, at


def _padded(number: int) -> bytes:
    """Return an address below 2**31 in five bytes, which read the same with a sign and without."""
    if number >> 31:
        raise BuildError(f"an address outside the memory, {number:#x}")
    return bytes([*((number >> shift & 0x7F) | 0x80 for shift in (0, 7, 14, 21)), number >> 28])


def _read_text(body: bytes | bytearray, at: int) -> tuple[str, int]:
    size, at = read_leb(body, at)
    return bytes(body[at : at + size]).decode(), at + size


def _text(text: str) -> bytes:
    return _sized(text.encode())


def _sized(body: bytes) -> bytes:
    return leb(len(body)) + body


def _list(items: Iterable[bytes]) -> bytes:
    every = list(items)
    return leb(len(every)) + b"".join(every)


def _pages(size: int) -> int:
    return -(-size >> 16)
