"""The engine under every run: record arrays, events, random numbers, tasks, incidents, and kernel compilation."""
