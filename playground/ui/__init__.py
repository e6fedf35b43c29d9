"""The web page: Gradio lives in this folder and nowhere else."""

import os

# Read by gradio when it is imported: no calls to outside, and a cheap event summary.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", "100")
os.environ.setdefault("GRADIO_ANALYTICS_MAX_EVENTS", "500")
