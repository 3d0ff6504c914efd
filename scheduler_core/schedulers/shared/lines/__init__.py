"""Machines with a line of tasks each, first come, first served: all that happens but the choice of a machine."""
