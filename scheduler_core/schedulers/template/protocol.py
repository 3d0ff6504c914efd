"""The template's interface to the driver: packing."""

from __future__ import annotations

from scheduler_core.schedulers.shared.lines.protocol import LinedProtocol
from scheduler_core.schedulers.template import kernel
from scheduler_core.schedulers.template.params import TemplateParams
from scheduler_core.schedulers.template.state import RULES, TemplateState
from scheduler_core.world.start import Start


class TemplateProtocol(LinedProtocol):
    """See scheduler_core.world.protocol.Protocol."""

    loop = kernel

    def pack(self, start: Start[TemplateParams]) -> TemplateState:
        """Return the state at time zero."""
        rules = self.rules(start, RULES)
        rules["choices"] = start.params.choices
        return TemplateState(rules, self.lines_for(start.world))
