"""Lessons: what is shown in which order, the sentences claimed, and the numbers that keep them true."""
