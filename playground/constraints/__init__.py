"""Constraints, compiled to automata over tokens: which token may come next, and why not."""
