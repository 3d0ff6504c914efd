"""A user's own policy: a few lines say which task is next and which machine it gets."""
