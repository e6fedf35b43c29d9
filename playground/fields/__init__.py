"""Typed decisions: records of closed fields, decided without writing text."""
