"""What schedulers share whose nodes are given tasks when they report: a resource manager's queue, and its nodes."""
