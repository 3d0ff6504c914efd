"""Pseudonyms: names of a cluster become words that only the owner of a key can recompute."""

from __future__ import annotations

import hashlib
import re
import secrets
from pathlib import Path

from scheduler_core.errors import ExperimentError, Problem
from scheduler_core.inventory.words import words

KEY_BYTES = 32
_HEX_DIGITS = 12
_BLOCK_BYTES = 64

# Keys of labels and taints that Kubernetes, its clouds and its common tools define: they say nothing about the owner.
KNOWN_KEYS = frozenset(
    words(
        """
    kubernetes.io/hostname kubernetes.io/os kubernetes.io/arch kubernetes.io/metadata.name kubernetes.io/role
    beta.kubernetes.io/os beta.kubernetes.io/arch beta.kubernetes.io/instance-type topology.kubernetes.io/zone
    topology.kubernetes.io/region node.kubernetes.io/instance-type failure-domain.beta.kubernetes.io/zone
    failure-domain.beta.kubernetes.io/region node.kubernetes.io/not-ready node.kubernetes.io/unreachable
    node.kubernetes.io/unschedulable node.kubernetes.io/memory-pressure node.kubernetes.io/disk-pressure
    node.kubernetes.io/pid-pressure node.kubernetes.io/network-unavailable node.kubernetes.io/out-of-service
    node.kubernetes.io/exclude-from-external-load-balancers node.cloudprovider.kubernetes.io/uninitialized
    node.cloudprovider.kubernetes.io/shutdown node-role.kubernetes.io/control-plane
    node-role.kubernetes.io/master node-role.kubernetes.io/worker app.kubernetes.io/name
    app.kubernetes.io/instance app.kubernetes.io/version app.kubernetes.io/component app.kubernetes.io/part-of
    app.kubernetes.io/managed-by apps.kubernetes.io/pod-index batch.kubernetes.io/job-name
    batch.kubernetes.io/controller-uid batch.kubernetes.io/job-completion-index
    statefulset.kubernetes.io/pod-name pod-template-hash pod-template-generation controller-revision-hash
    controller-uid job-name k8s-app app component tier karpenter.sh/nodepool karpenter.sh/capacity-type
    karpenter.sh/disrupted eks.amazonaws.com/nodegroup eks.amazonaws.com/capacityType
    cloud.google.com/gke-nodepool cloud.google.com/gke-spot cloud.google.com/gke-accelerator
    kubernetes.azure.com/agentpool kubernetes.azure.com/scalesetpriority nvidia.com/gpu nvidia.com/gpu.present
    nvidia.com/gpu.product nvidia.com/gpu.count nvidia.com/gpu.memory amd.com/gpu gpu.intel.com/i915
    cloud.google.com/tpu
    """
    )
)
KNOWN_RESOURCES = frozenset(
    words(
        """
    cpu memory ephemeral-storage pods storage nvidia.com/gpu amd.com/gpu gpu.intel.com/i915 google.com/tpu
    aws.amazon.com/neuron aws.amazon.com/neuroncore hugepages-1Gi hugepages-2Mi hugepages-32Mi hugepages-64Ki
    """
    )
)
KNOWN_CLASSES = frozenset({"system-node-critical", "system-cluster-critical"})
KNOWN_VALUES = frozenset({"", "true", "false", "amd64", "arm64", "linux", "windows"})
_INTEGER = re.compile(r"-?[0-9]{1,9}\Z")


class Names:
    """Turn names into pseudonyms by a key; with no key, keep them.

    One name has one pseudonym under one key, so labels and selectors still match, and so do two imports.
    """

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._known: dict[str, dict[str, str]] = {}
        # HMAC (RFC 2104) with its two keyed halves prepared: each name continues copies of them.
        short = key or b""
        padded = (short if len(short) <= _BLOCK_BYTES else hashlib.sha256(short).digest()).ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))

    @property
    def secret(self) -> bytes | None:
        """Return the key; None if names are kept."""
        return self._key

    @property
    def kept(self) -> bool:
        """Return True if names stay as they are."""
        return self._key is None

    def of(self, kind: str, name: str) -> str:
        """Return the pseudonym of a name of a kind, such as `pod` or `ns`; an empty name stays empty."""
        if self._key is None or not name:
            return name
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = {}
        found = known.get(name)
        if found is None:
            found = known[name] = f"{kind}-{self._digest(f'{kind}:{name}'.encode())[:_HEX_DIGITS]}"
        return found

    def _digest(self, text: bytes) -> str:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return outer.hexdigest()

    def key(self, key: str) -> str:
        """Return the pseudonym of a label's or taint's key; keys that Kubernetes and its tools define stay."""
        return key if key in KNOWN_KEYS else self.of("key", key)

    def value(self, value: str) -> str:
        """Return the pseudonym of a label's value; integers of at most nine digits and a few fixed words stay."""
        return value if value in KNOWN_VALUES or _INTEGER.match(value) else self.of("v", value)

    def resource(self, name: str) -> str:
        """Return the pseudonym of a resource's name; names that Kubernetes and vendors define stay."""
        for prefix in ("requests.", "limits."):
            if name.startswith(prefix):  # as a quota writes it
                return prefix + self._resource(name.removeprefix(prefix))
        return self._resource(name)

    def _resource(self, name: str) -> str:
        return name if name in KNOWN_RESOURCES else self.of("resource", name)

    def priority_class(self, name: str) -> str:
        """Return the pseudonym of a priority class; the two of Kubernetes itself stay."""
        return name if name in KNOWN_CLASSES else self.of("class", name)

    def labels(self, labels: dict[str, str]) -> dict[str, str]:
        """Return labels with pseudonyms for keys and values."""
        return {self.key(key): self.value(value) for key, value in labels.items()}


def new_key() -> bytes:
    """Return a random key for pseudonyms."""
    return secrets.token_bytes(KEY_BYTES)


def save_key(path: Path, key: bytes) -> None:
    """Write a key to a new file that only its owner reads."""
    path.touch(mode=0o600, exist_ok=False)
    path.write_text(key.hex() + "\n", "ascii")


def owner_key(path: Path) -> bytes:
    """Return the key in a file. Raises ExperimentError."""
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except (OSError, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        allowed = f"{2 * KEY_BYTES} hexadecimal digits"
        raise ExperimentError(
            [Problem(str(path), "does not hold a key for pseudonyms", allowed, "restore the file, or remove it")]
        )
    return key
