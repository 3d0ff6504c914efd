"""Make the declaration of a scheduler from a file's function `choose`: name, parameters, and the way to load it."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_type_hints

from pydantic import create_model
from pydantic.fields import FieldInfo

from scheduler_core.schedulers.plugin.choose.params import ChooseParams
from scheduler_core.schedulers.plugin.choose.reasons import COUNTERS, REASONS, SERIES
from scheduler_core.schedulers.plugin.reading import Source, refused
from scheduler_core.schedulers.shared.lines.reasons import LINED_LAYERS, LINED_SUPPORTS
from scheduler_core.world.reasons import FAULT
from scheduler_core.world.spec import Params, SchedulerSpec

if TYPE_CHECKING:
    from scheduler_core.world.protocol import Protocol

FAMILY = "plugin"


def spec_of(source: Source, module: ModuleType) -> SchedulerSpec:
    """Return the declaration that the file's function stands for. Raises ExperimentError."""
    choose = module.choose
    params = _params(source, choose)
    compiled = bool(getattr(module, "COMPILED", False))

    def load() -> Protocol:
        from scheduler_core.schedulers.plugin.choose.protocol import ChooseProtocol
        from scheduler_core.schedulers.plugin.guarding import is_checked

        if compiled and not is_checked():
            from scheduler_core.engine.jit import kernel

            return ChooseProtocol(spec, kernel(choose), compiled=True)
        return ChooseProtocol(spec, choose, compiled=False)

    summary = " ".join((ast.get_docstring(source.tree) or "").partition("\n\n")[0].split())
    spec = SchedulerSpec(
        name=source.name,
        label=str(getattr(module, "LABEL", "")) or source.path.stem.replace("_", " ").replace("-", " ").capitalize(),
        family=FAMILY,
        paper="",
        summary=summary or f"A scheduler from the file {source.path.name}.",
        params=params,
        supports=LINED_SUPPORTS,
        load=load,
        counters=COUNTERS,
        layers=LINED_LAYERS,
        marks=(FAULT,),
        reasons=REASONS,
        series=SERIES,
    )
    return spec


def _params(source: Source, choose: Any) -> type[Params]:
    """Return the parameters: those of each such scheduler, and each further argument of `choose` by its default."""
    where = f"{source.path.name}, line {getattr(getattr(choose, '__code__', None), 'co_firstlineno', 1)}"
    try:
        given = list(inspect.signature(choose).parameters.values())
        hints = get_type_hints(choose, include_extras=True)
    except (TypeError, ValueError, NameError) as error:
        raise refused(where, f"the arguments of choose cannot be read: {error}", "choose(task, machines)") from None
    if [each.name for each in given[:2]] != ["task", "machines"]:
        raise refused(where, "the arguments of choose do not begin with task and machines", "choose(task, machines)")
    fields: dict[str, Any] = {}
    for each in given[2:]:
        if type(each.default) not in (bool, int, float) or each.name in ChooseParams.model_fields:
            remedy = f"write {each.name}=1, say" if each.name not in ChooseParams.model_fields else "rename it"
            raise refused(where, f"'{each.name}' cannot be a parameter", "a default that is a number", remedy)
        field = FieldInfo.from_annotated_attribute(hints.get(each.name, type(each.default)), each.default)
        field.title = field.title or each.name.replace("_", " ").capitalize()
        fields[each.name] = (type(each.default), field)
    return create_model("PluginParams", __base__=ChooseParams, **fields)
