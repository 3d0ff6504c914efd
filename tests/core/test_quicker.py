"""What Numba skips while it compiles kernels: it still types and names everything as before."""

from __future__ import annotations

import gc
import operator

from llvmlite import ir as llvm
from numba import types
from numba.core import event, ir
from numba.core.registry import cpu_target
from numba.core.targetconfig import Option, TargetConfig

from scheduler_core.engine.quicker import collect_later, compile_quickly


class Options(TargetConfig):
    """Two options."""

    fast = Option(type=bool, default=False, doc="")
    level = Option(type=int, default=1, doc="")


class Heard(event.Listener):
    """What a listener is told."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def on_start(self, event: event.Event) -> None:
        self.kinds.append(event.kind)

    on_end = on_start


def test_only_events_of_llvms_lock_are_left_out() -> None:
    compile_quickly()
    heard = Heard()
    with event.install_listener("numba:run_pass", heard), event.install_listener("numba:llvm_lock", heard):
        for kind in ("numba:run_pass", "numba:llvm_lock"):
            event.start_event(kind)
            event.end_event(kind)
    assert heard.kinds == ["numba:run_pass"] * 2


def test_options_are_equal_by_their_values() -> None:
    compile_quickly()
    one, same, other = Options(), Options(), Options()
    same.level, other.level = 1, 2
    assert one == same
    assert hash(one) == hash(same)
    assert one != other


def test_an_operator_has_the_type_of_its_arguments() -> None:
    compile_quickly()
    context = cpu_target.typing_context
    context.refresh()
    add = context.resolve_value_type(operator.add)
    for arguments, result in (((types.int64, types.int64), types.int64), ((types.int64, types.float64), types.float64)):
        first = add.get_call_type(context, arguments, {})
        again = add.get_call_type(context, arguments, {})
        assert first.return_type == again.return_type == result
        assert first is again, "looked up once"
        assert add.get_impl_key(again) is operator.add


def test_an_instructions_variables_are_all_found() -> None:
    compile_quickly()
    loc = ir.Loc("here", 1)
    x, y = (ir.Var(None, name, loc) for name in "xy")
    call = ir.Expr.call(x, [y, y], {"key": x}, loc)
    assert call.list_vars() == [x, y, y, x]
    assert sorted(each.name for each in ir.Assign(call, y, loc).list_vars()) == ["x", "x", "y", "y", "y"]


def test_garbage_collection_goes_on_after_a_compilation() -> None:
    gc.disable()
    collect_later()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_types_of_one_width_have_one_size() -> None:
    compile_quickly()
    context = cpu_target.target_context
    pair = llvm.LiteralStructType([llvm.IntType(64), llvm.IntType(8)])
    sizes = [context.get_abi_sizeof(each) for each in (llvm.IntType(64), llvm.IntType(32), pair, pair)]
    assert sizes == [8, 4, 16, 16]
