"""A scheduler from one function, `choose(task, machines) -> machine`: everything except the choice of a machine."""
