"""A playground that shows, with real numbers, what constrained decoding does to a language model."""
