"""Claims of papers that this server can run again."""
