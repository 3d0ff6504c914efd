"""The engine: record arrays, events, random numbers, the driver."""
