"""Runs that show what each knob moves, beside the clause that says so: `python -m bench.knobs [scheduler ...]`."""
