"""Language models behind one protocol: exact toy tables and transformers."""
