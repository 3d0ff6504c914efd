"""The benchmark suite: `python -m bench`. No test: figures depend on the machine and on what else it does."""
