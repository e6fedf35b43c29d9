"""The schema debugger: what a constraint says, what it allows, and what is wrong with it."""
