"""Claims of papers that this server runs again."""
