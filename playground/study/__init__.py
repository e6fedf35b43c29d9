"""Studies: how often each method's output is valid, right and affordable over many prompts."""
