"""What a pod asks for: its effective requests, as Kubernetes' scheduler counts them.

Source: kubernetes/kubernetes, pkg/api/v1/resource/helpers.go for requests, and pkg/scheduler/util/pod_resources.go for
the requests that scores count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.inventory.found import Spec
from scheduler_core.inventory.kubernetes.allowed import EVERY_ADDRESS
from scheduler_core.inventory.quantities import quantity

_SCORED_CPU, _SCORED_MEMORY = 100, 200 * 1024 * 1024
"""What a container counts in scores that names no CPUs (millicores) or no memory (bytes)."""

Amounts = dict[str, int]

_GPUS = ("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915")
_GB = 1_000_000_000
_MOST_DEVICES = 1_000_000
_SPECIAL = ("pods", "ephemeral-storage", "storage")
_KEPT = ("nodeSelector", "affinity", "tolerations", "topologySpreadConstraints", "preemptionPolicy", "schedulerName")


def amounts(resources: dict[str, str] | None) -> Amounts:
    """Return quantities as whole numbers: CPUs in thousandths, everything else in its own unit, rounded up."""
    found = {}
    for name, text in (resources or {}).items():
        amount = quantity(text, 1000 if name == "cpu" else 1)
        if amount is not None:
            found[name] = amount
    return found


def spec_of(kept: dict[str, Any]) -> Spec:
    """Return what a pod asks for, from the kept fields of its `spec`."""
    fields: dict[str, Any] = {name: kept[name] for name in _KEPT if kept.get(name)}
    if fields.get("schedulerName") == "default-scheduler":
        del fields["schedulerName"]
    requests = _effective(kept, _requests)
    scored = _effective(kept, lambda container: _scored(_requests(container)))
    fields["requests"] = requests
    fields["scoring_requests"] = {name: scored.get(name, 0) for name in ("cpu", "memory")}
    if ports := _host_ports(kept):
        fields["ports"] = ports
    return Spec(generic(requests), fields)


def generic(exact: Amounts) -> Amounts:
    """Return amounts under the names that every scheduler knows: cpus, memory_gb, gpus, others, in thousandths."""
    found: Amounts = {}
    for name, amount in exact.items():
        if name == "cpu":
            found["cpus"] = amount
        elif name == "memory":
            found["memory_gb"] = -(-amount * 1000 // _GB)
        elif name in _GPUS:
            found["gpus"] = found.get("gpus", 0) + min(amount, _MOST_DEVICES) * 1000
        elif name not in _SPECIAL:
            key = "".join(c if c.isascii() and c.isalnum() else "_" for c in name)
            found[key if key[:1].isalpha() else "r_" + key] = min(amount, _MOST_DEVICES) * 1000
    return found


def capacity_of(exact: Amounts) -> Amounts:
    """Return a machine's capacity like `generic`, rounded down, with at least a thousandth of a CPU."""
    found = generic(exact)
    found["memory_gb"] = exact.get("memory", 0) * 1000 // _GB
    found["cpus"] = max(found.get("cpus", 0), 1)
    return found


def _effective(kept: dict[str, Any], of: Any) -> Amounts:
    """Return the sum of the containers, or the largest init container with the sidecars before it; add overhead."""
    total: Amounts = {}
    for container in kept.get("containers", ()):
        _add(total, of(container))
    sidecars: Amounts = {}
    largest: Amounts = {}
    for container in kept.get("initContainers", ()):
        if container.get("restartPolicy") == "Always":
            _add(total, of(container))
            _add(sidecars, of(container))
            _raise(largest, sidecars)
        else:
            own = dict(sidecars)
            _add(own, of(container))
            _raise(largest, own)
    _raise(total, largest)
    _add(total, amounts(kept.get("overhead")))
    return total


def _requests(container: dict[str, Any]) -> Amounts:
    """Return a container's requests; a limit without a request is the request, as the API server fills in."""
    resources = container.get("resources") or {}
    return amounts(resources.get("limits")) | amounts(resources.get("requests"))


def _scored(requests: Amounts) -> Amounts:
    return {"cpu": requests.get("cpu", _SCORED_CPU), "memory": requests.get("memory", _SCORED_MEMORY)}


def _host_ports(kept: dict[str, Any]) -> list[dict[str, Any]]:
    containers: Iterable[dict[str, Any]] = (*kept.get("containers", ()), *kept.get("initContainers", ()))
    return [
        {"hostPort": port["hostPort"], "protocol": port.get("protocol", "TCP")}
        | ({"hostIP": port["hostIP"]} if port.get("hostIP", EVERY_ADDRESS) not in ("", EVERY_ADDRESS) else {})
        for container in containers
        for port in container.get("ports", ())
        if port.get("hostPort")
    ]


def _add(total: Amounts, more: Amounts) -> None:
    for name, amount in more.items():
        total[name] = min(total.get(name, 0) + amount, 2**62)


def _raise(total: Amounts, other: Amounts) -> None:
    for name, amount in other.items():
        total[name] = max(total.get(name, 0), amount)
