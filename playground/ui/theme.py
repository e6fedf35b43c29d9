"""The look of the Gradio parts: calm, local fonts only."""

import gradio as gr


def theme() -> gr.themes.Base:
    """Base with slate and indigo, IBM Plex in the two weights whose bundled files are whole."""
    font = gr.themes.LocalFont
    return gr.themes.Base(
        primary_hue="indigo",
        secondary_hue="slate",
        neutral_hue="slate",
        font=(
            font("IBM Plex Sans", weights=(400, 700)),
            "ui-sans-serif",
            "system-ui",
            "sans-serif",
        ),
        font_mono=(
            font("IBM Plex Mono", weights=(400, 700)),
            "ui-monospace",
            "monospace",
        ),
    ).set(
        body_background_fill="*neutral_50",
        body_background_fill_dark="*neutral_950",
        block_background_fill="white",
        block_background_fill_dark="*neutral_900",
        body_text_color_subdued="*neutral_500",  # 4.5 : 1 and more on white and on the page
        input_placeholder_color="*neutral_500",
        block_shadow="none",
        block_border_width="0px",
        input_border_width="1px",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
        button_primary_text_color="white",
    )
