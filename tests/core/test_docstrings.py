"""A function's docstring begins with a verb in the imperative: what it does with its arguments, or what it returns.

Ruff's D401 knows verbs in other forms (`Returns`); it lets articles, nouns and questions pass, which this test refuses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("scheduler_core", "playground")
VERBS = """
Accept Activate Add Adjust Admit Adopt Agree Align Allow Answer Append Apply Arrange Ask Assert Assign Attach Begin
Bind Book Bound Bring Build Bundle Cache Call Cancel Carry Change Charge Check Choose Claim Clamp Clean Clear Close
Collect Combine Compare Compile Compute Configure Connect Continue Convert Copy Correct Count Create Cut Decide
Declare Decode Decrease Deduct Delete Deliver Describe Detect Discard Divide Do Double Drain Draw Drop Emit Encode
End Enter Estimate Evaluate Even Explain Export Extract Fill Find Finish Fit Flip Follow Forget Format Free Gather
Give Go Group Grow Guard Guess Hand Handle Hash Have Hide Hold Ignore Import Increase Initialize Insert Inspect
Install Integrate Interpolate Introduce Invert Join Keep Label Launch Lay Lease Leave Lend Let Limit Link List Load
Locate Lock Log Look Lose Lower Make Map Mark Match Measure Merge Move Multiply Name Negotiate Normalise Normalize
Note Notice Notify Offer Omit Open Order Override Pack Paint Pair Park Parse Pass Patch Pause Pick Place Plan Point
Poll Pop Predict Prefer Preload Prepare Present Press Prevent Print Probe Process Profile Prune Publish Pull Push
Put Queue Quote Raise Rank Read Rebuild Receive Recompile Recompute Record Redraw Reduce Refresh Refuse Register
Reject Release Reload Remember Remove Rename Render Reorder Repair Repeat Replace Replay Report Request Require
Reserve Reset Resolve Restore Resume Retry Return Reverse Rewrite Rotate Round Run Sample Satisfy Save Say Scale
Scan Schedule Search See Select Send Separate Serve Set Shade Share Shed Shift Shorten Show Sign Simulate Skip Sleep
Smooth Solve Sort Split Spread Start Step Stop Store Stream Submit Subtract Suggest Sum Supply Support Swap Sweep
Switch Take Teach Tell Test Thin Touch Trace Transform Translate Trigger Trim Truncate Try Turn Undo Unlock Unpack
Update Use Validate Verify Visit Wait Wake Walk Watch Wind Withdraw Withhold Word Wrap Write Yield Zoom
"""
"""A verb that is missing is added here."""
KNOWN = frozenset(re.findall(r"\w+", VERBS))


def described() -> Iterator[tuple[str, str, str]]:
    """Yield (place, name, first line) of each function with a docstring, without properties, which are nouns."""
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                if any(ast.unparse(one).endswith(("property", ".setter")) for one in node.decorator_list):
                    continue
                if text := ast.get_docstring(node):
                    yield f"{path.relative_to(PROJECT)}:{node.lineno}", node.name, text.partition("\n")[0]


def is_imperative(line: str) -> bool:
    """Return whether a line begins with a known verb; `Share of ...` is a noun."""
    first, _, rest = line.partition(" ")
    return first.rstrip(",;:") in KNOWN and not rest.startswith("of ")


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    wrong = [
        f"{place} {name}: {first}" for place, name, first in described() if first.split()[0].rstrip(",;:") not in VERBS
    ]
    assert not wrong, "begin with a verb in the imperative (Return, Add, ...)\n" + "\n".join(wrong)
    assert sum(1 for _ in described()) > 3_000
