"""Parse the arguments, run one command, and turn errors into lines and an exit code."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence

from scheduler_core.cli import (
    ask,
    claims,
    experiments,
    flow,
    import_cluster,
    import_trace,
    kernels,
    kube,
    look,
    plugins,
    policy,
    run,
    schedulers,
    traces,
    warm,
)
from scheduler_core.cli.command import Command
from scheduler_core.cli.interrupt import noted_interrupts
from scheduler_core.errors import ExperimentError, UnknownName
from scheduler_core.version import __version__

COMMANDS: tuple[Command, ...] = (
    run.COMMAND,
    schedulers.COMMAND,
    experiments.SCHEMA,
    experiments.VALIDATE,
    traces.LIST,
    import_trace.COMMAND,
    import_cluster.COMMAND,
    look.INSPECT,
    look.EXPLAIN,
    flow.COMMAND,
    kube.COMMAND,
    ask.COMMAND,
    claims.COMMAND,
    policy.COMMAND,
    warm.COMMAND,
    kernels.COMMAND,
)

BAD_INPUT = 2
INTERNAL = 70
INTERRUPTED = 130
NOBODY_READS = 141


def parser() -> argparse.ArgumentParser:
    """Build the parser of all commands."""
    root = argparse.ArgumentParser(
        prog="python -m scheduler_core", description="Simulate cluster schedulers from the research literature."
    )
    root.add_argument("--version", action="version", version=__version__)
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.help, description=command.help, allow_abbrev=False)
        command.arguments(sub)
        sub.set_defaults(command=command)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code: 0, 2 for bad input, 130 for Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without µ shows a question mark for it instead of ending the run.
            stream.reconfigure(errors="replace")
    try:
        args = parser().parse_args(argv)
        if (of_child := plugins.in_child(args, sys.argv[1:] if argv is None else argv)) is not None:
            return of_child
        plugins.load_plugins(args)
        with noted_interrupts():
            code: int = args.command.run(args)
        sys.stdout.flush()
        return code
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else BAD_INPUT
    except KeyboardInterrupt:
        return _end(INTERRUPTED, "interrupted")
    except BrokenPipeError:
        # The interpreter flushes stdout once more at its end; the rest must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except ExperimentError as error:
        return _end(BAD_INPUT, *(str(problem) for problem in error.problems))
    except UnknownName as error:
        return _end(BAD_INPUT, str(error))
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        text = str(error.strerror or error)
        return _end(BAD_INPUT, f"{what}{text[:1].lower()}{text[1:]}" if what else text)
    except MemoryError:
        return _end(BAD_INPUT, "the experiment needs more memory than this machine has")
    except Exception as error:
        if os.environ.get("SCHEDULER_CORE_TRACEBACK"):
            traceback.print_exc()
        reason = " ".join(str(error).split())[:300]
        return _end(
            INTERNAL,
            f"an internal error: {type(error).__name__}: {reason}",
            "set SCHEDULER_CORE_TRACEBACK=1 to see where",
        )


def _end(code: int, *lines: str) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return code
