"""A playground that shows, with real numbers, what constrained decoding does to a language model."""

__version__ = "0.1.0"
