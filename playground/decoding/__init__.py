"""Decoding: the problem, the record of a run, and the methods that draw from it."""
