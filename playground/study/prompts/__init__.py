"""The built-in prompt sets: texts written for this project, most of them by seeded grammars."""
