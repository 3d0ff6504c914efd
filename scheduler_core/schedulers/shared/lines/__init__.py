"""Machines with a first-come-first-served queue each: everything except the choice of a machine."""
