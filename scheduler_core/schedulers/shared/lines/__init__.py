"""Machines with a line of tasks each, first come, first served: all that happens there but for the choice of a machine."""
