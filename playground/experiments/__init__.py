"""Experiments with one click: a question, a few arms, one effect with an interval."""
