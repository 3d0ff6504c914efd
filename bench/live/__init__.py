"""The live half: a web process and its Redis, viewers in a process of their own, frames published as a worker does."""
