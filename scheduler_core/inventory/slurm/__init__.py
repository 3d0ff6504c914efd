"""Read what `sacct -P` and `scontrol show` print."""
