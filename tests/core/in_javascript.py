"""Engines of a run in JavaScript: node in one process that stays, and pages of browsers."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from scheduler_core.engine.compile_progress import kernel_name
from scheduler_core.engine.entry import Kernel, calling_by
from scheduler_core.engine.wasm import packed
from scheduler_core.engine.wasm.interface import interface_of
from scheduler_core.engine.wasm.meanwhile import LOOP
from tests.node import node
from tests.support import PROJECT

_DATA = PROJECT / "tests" / "data"


class Carrier(Protocol):
    """Sends a message to `Loops` (tests/data/loops.js) and returns its answer; each is a header and bytes."""

    def __call__(self, header: dict[str, Any], content: bytes, /) -> tuple[dict[str, Any], bytes]: ...


class InJavaScript:
    """The engine of runs whose event loops are called in JavaScript. All arrays go there and back at each call.

    Python enlarges full arrays and answers questions between two calls, as for the other engines.
    """

    measures = False

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._known: set[str] = set()

    def settle(self, state: Any) -> Any:
        """Return the arrays as they are."""
        return state

    def call(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Run an event loop; machine code runs the other kernels."""
        if kernel.native.py_func.__name__ != LOOP:
            with calling_by(None):
                return kernel(*arguments)
        *groups, until_ns, events = arguments
        header = {"module": self._module(kernel, arguments), "until_ns": str(int(until_ns)), "events": int(events)}
        header |= {"groups": [[_told(array) for array in arrays] for arrays in groups]}
        before = b"".join(np.ascontiguousarray(array).tobytes() for arrays in groups for array in arrays)
        answer, after = self._asked(header, before)
        content, at = np.frombuffer(after, np.uint8), 0
        for array in (each for arrays in groups for each in arrays):
            if array.flags.writeable:
                array[...] = content[at : at + array.nbytes].view(array.dtype).reshape(array.shape)
            at += array.nbytes
        return answer["reason"]

    def _module(self, kernel: Kernel, arguments: tuple[Any, ...]) -> str:
        """Return the name of a loop's module, which the other side has from then on."""
        takes = interface_of(arguments)
        built = next(each for each in packed.usable(kernel_name(kernel.native.py_func)) if each.takes == takes)
        if built.file not in self._known:
            self._asked({"module": built.file}, packed.module_bytes(built))
            self._known.add(built.file)
        return built.file

    def _asked(self, header: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
        answer, after = self._carrier(header, content)
        assert "error" not in answer, f"{header['module']}: {answer['error']}"
        return answer, after


def _told(array: Any) -> dict[str, Any]:
    plain = np.ascontiguousarray(array)
    return {"items": plain.size, "bytes": plain.itemsize, "shape": plain.shape, "strides": plain.strides}


@contextmanager
def node_engine() -> Iterator[InJavaScript]:
    """Start one process of node, which runs all event loops of the tests that share it."""
    command = [node(), str(_DATA / "run_loops.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield InJavaScript(_Pipe(process))
        assert process.stdin is not None
        process.stdin.close()


class _Pipe:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout

    def __call__(self, header: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
        text = json.dumps(header | {"bytes": len(content)}).encode()
        self._to.write(len(text).to_bytes(4, "little") + text + content)
        self._to.flush()
        answer = json.loads(self._read(int.from_bytes(self._read(4), "little")))
        return answer, self._read(answer["bytes"])

    def _read(self, size: int) -> bytes:
        found = self._from.read(size)
        assert len(found) == size, "node has ended"
        return found


_CALL = """async (header, content) => {
  const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const text = (all) => {
    let plain = "";
    for (let at = 0; at < all.length; at += 32768) plain += String.fromCharCode(...all.subarray(at, at + 32768));
    return btoa(plain);
  };
  const asked = JSON.parse(header);
  try {
    if (!("groups" in asked)) return [JSON.stringify({ done: await loops.add(asked.module, bytes(content)) }), ""];
    const { reason, after } = await loops.call(asked, bytes(content));
    return [JSON.stringify({ reason }), text(after)];
  } catch (error) {
    return [JSON.stringify({ error: String(error) }), ""];
  }
}"""


def page_engine(call: Callable[..., Any]) -> InJavaScript:
    """Return the engine of a page; `call(function, *texts)` calls a JavaScript function there and gives its result."""
    source = re.sub(r"^export ", "", (_DATA / "loops.js").read_text(encoding="utf-8"), flags=re.MULTILINE)
    call(f"() => {{ {source}\nwindow.loops = new Loops(); }}")

    def carry(header: dict[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
        answer, after = call(_CALL, json.dumps(header), base64.b64encode(content).decode())
        return json.loads(answer), base64.b64decode(after)

    return InJavaScript(carry)
