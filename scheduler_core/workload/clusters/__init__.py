"""The cluster file: the machines and tasks of a user's cluster, in columns."""
