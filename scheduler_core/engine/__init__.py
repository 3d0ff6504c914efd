"""The ground of every run: record arrays, events, random numbers, tasks, incidents, and how kernels are compiled."""
