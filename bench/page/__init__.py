"""What the engine costs in a page, and the files that benches serve to browsers."""
