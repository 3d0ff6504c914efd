"""Schedulers that offer: a master offers machines, frameworks choose among what they are offered."""
