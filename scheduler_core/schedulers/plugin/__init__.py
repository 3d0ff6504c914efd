"""Schedulers that live in one file outside this library: they are loaded, declared, checked and told apart here."""
