"""Data in, plotly Figures or HTML out; the only room that imports plotly."""
