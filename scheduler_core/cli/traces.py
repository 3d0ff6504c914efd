"""Command `traces`: list the readable trace formats."""

from __future__ import annotations

import argparse
import json

from scheduler_core.cli.command import Command, json_option


def _list(args: argparse.Namespace) -> int:
    from scheduler_core.workload.readers.registry import TRACE_READERS

    if args.json:
        print(
            json.dumps(
                [
                    {
                        "name": reader.name,
                        "label": reader.label,
                        "help": reader.help,
                        "suffixes": list(reader.suffixes),
                        "queues": reader.has_queues,
                        "beside": list(reader.beside),
                    }
                    for reader in TRACE_READERS
                ],
                indent=2,
            )
        )
        return 0
    for reader in TRACE_READERS:
        print(f"{reader.name}: {reader.label}\n  {reader.help}")
    return 0


LIST = Command("traces", "List the trace formats that can be read.", json_option, _list)
