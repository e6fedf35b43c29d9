"""Proved numbers: bounds on the valid mass and on every law made from it."""
