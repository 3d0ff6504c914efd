"""Parts for schedulers that assign tasks at heartbeats: a resource manager's queue, and its nodes."""
