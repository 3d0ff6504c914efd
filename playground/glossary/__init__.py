"""The glossary: terms of the field in plain words, for its page, tooltips, and the test of forbidden wordings."""
