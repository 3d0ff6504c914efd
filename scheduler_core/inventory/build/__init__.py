"""Make an experiment and a cluster file of an inventory."""
