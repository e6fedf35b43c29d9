"""The vocabulary of the 256 bytes: a constraint over it is asked byte by byte, without a model."""

from playground.vocabulary import Vocabulary

EOS = 256
"""The id that ends a text."""
BYTES = Vocabulary((*(bytes([byte]) for byte in range(256)), None), frozenset({EOS}))
"""Ids 0..255 are the bytes."""
