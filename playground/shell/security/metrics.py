"""Prometheus metrics, if PLAYGROUND_METRICS is on: sockets and frames of this process, runs of all."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count
from prometheus_client import REGISTRY, Counter, Gauge
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError

from playground.storage.keys import SIMULATED_KEY

SOCKETS = Gauge("playground_sockets_open", "Open sockets of this web process")
FRAMES = Counter("playground_frames_sent", "Binary messages (frames and notices) that this web process sent")


class RunsCollector(Collector):
    """Reads the database and Redis at each scrape."""

    def describe(self) -> list[Metric]:
        return []  # without this, registering would collect, before the database is there

    def collect(self) -> Iterator[Metric]:
        from django.conf import settings

        from playground.models import Run, RunState

        counted = dict(Run.objects.values_list("state").annotate(Count("pk")).order_by())
        runs = GaugeMetricFamily("playground_runs", "Runs by state", labels=["state"])
        for state in RunState.values:
            runs.add_metric([state], counted.get(state, 0))
        yield runs
        try:
            with Redis.from_url(settings.REDIS_URL, socket_timeout=2) as redis:
                length = redis.llen(settings.CELERY_TASK_DEFAULT_QUEUE)
                simulated = {name.decode(): float(value) for name, value in redis.hgetall(SIMULATED_KEY).items()}
        except RedisError:
            return  # a missing figure says so better than a made-up one
        yield GaugeMetricFamily("playground_queue_length", "Runs that no worker has taken yet", value=float(length))
        for name, what in (
            ("tasks", "Tasks that finished runs simulated"),
            ("seconds", "Seconds that finished runs spent simulating"),
        ):
            yield CounterMetricFamily(f"playground_simulated_{name}", what, value=simulated.get(name, 0.0))
        speed, what = simulated.get("tasks_per_s", 0.0), "Tasks a second of the run that ended last"
        yield GaugeMetricFamily("playground_simulation_tasks_per_second", what, value=speed)


def register() -> None:
    REGISTRY.register(RunsCollector())
