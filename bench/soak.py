"""Use a playground for a long time as a full house would, and look for growth: `python -m bench.soak`.

    python -m bench.soak --minutes 30                        200 viewers, 5 runs a minute, sweeps, sliders, uploads
    python -m bench.soak --minutes 5 --viewers 50            a short one
    python -m bench.soak --every 3 --sliders 2               200 viewers on a machine that others use, too

Viewers follow the newest run to its end and go on to the next. Beside them studies run, sliders ask for previews, a
presenter moves about with followers, and traces are uploaded and deleted. Every few seconds the memory, open files and
sockets of each part are measured, and Redis' keys (also those that never end), the table rows and the stored files are
counted. The report gives each quantity's slope after the warm-up (a third of the time, at most ten minutes) with its
95 % interval.

The server's settings let things end within minutes that are kept for days elsewhere (frames in Redis, recordings), and
worker processes keep few built workloads, so that what is bounded reaches its bound before the warm-up ends.
Experiments, runs and studies are rows that people keep: they grow with what people make.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from bench.soaking.load import Load
from bench.soaking.report import report
from bench.soaking.samples import Samples
from tests.support import running_playground

_SAMPLE_S = 5.0
_WARM_UP_S = 600.0


def main() -> int:
    """Run the load and print the report; 1 where something grew or a viewer missed a frame."""
    args = _arguments()
    seconds = 60 * args.minutes
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        running_playground(
            Path(folder) / "var",
            PLAYGROUND_LIMIT_RUNS_AT_ONCE="1000",
            PLAYGROUND_LIMIT_STUDIES="1000",
            PLAYGROUND_LIMIT_TRACES="1000",
            PLAYGROUND_LIMIT_RUNS_PER_ADDRESS="1000",
            PLAYGROUND_LIMIT_STUDIES_PER_ADDRESS="1000",
            PLAYGROUND_LIMIT_TRACES_PER_ADDRESS="1000",
            PLAYGROUND_LIMIT_READS_PER_VIEWER="1000000",
            PLAYGROUND_LIMIT_WRITES_PER_VIEWER="1000000",
            PLAYGROUND_KEEP_FRAMES_SECONDS="30",
            PLAYGROUND_LIMIT_RUN_SECONDS="60",
            PLAYGROUND_KEEP_RECORDINGS_BYTES=str(args.keep_bytes),
            PLAYGROUND_KEEP_BUILDS_BYTES="10000000",
        ) as play,
    ):
        samples = Samples(play)
        load = Load(
            play.url,
            viewers=args.viewers,
            runs_a_minute=args.runs_a_minute,
            jobs=args.jobs,
            sliders=args.sliders,
            every=args.every,
        )
        asyncio.run(_soak(load, samples, seconds))
        said = [line for line in play.log.read_text().splitlines() if "Traceback" in line]
    lines, held = report(samples.rows, load.counts, warm_up_s=min(_WARM_UP_S, seconds / 3))
    print("\n".join(lines))
    print(f"\ntracebacks in the log: {len(said)}")
    if args.keep:
        args.keep.write_text(json.dumps(samples.rows))
    return 0 if held and not said and not load.counts["gaps"] else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--runs-a-minute", type=float, default=5)
    parser.add_argument("--jobs", type=int, default=4_000, help="of each run that is watched")
    parser.add_argument("--sliders", type=int, default=5, help="of which each asks for a preview every second")
    parser.add_argument("--every", type=int, default=1, help="viewers follow one run in so many")
    parser.add_argument("--keep-bytes", type=int, default=20_000_000, help="quota of recordings, for retention to act")
    parser.add_argument("--keep", type=Path, help="write every sample to this JSON file")
    return parser.parse_args()


async def _soak(load: Load, samples: Samples, seconds: float) -> None:
    """Put the load on until the time is over, and sample beside it."""
    loading = asyncio.create_task(load.run())
    loop = asyncio.get_running_loop()
    began = loop.time()
    while (passed := loop.time() - began) < seconds and not loading.done():
        await asyncio.to_thread(samples.take, passed)
        if len(samples.rows) % 12 == 0:
            print(f"{passed:.0f} s: {dict(load.counts)}", file=sys.stderr, flush=True)
        await asyncio.sleep(_SAMPLE_S)
    await load.stop()
    loading.cancel()
    await asyncio.gather(loading, return_exceptions=True)


if __name__ == "__main__":
    raise SystemExit(main())
