"""What the page says in numbers, counted again without the page's scripts."""
