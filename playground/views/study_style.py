"""The styles of a study's report: the palette by meaning, light and dark, paper and phone."""

from playground.views.theme import DARK, LIGHT, Palette

BACKGROUND = {"light": "#FFFFFF", "dark": "#0B0F19"}


def _colours(palette: Palette, background: str) -> str:
    return (
        f"--model:{palette.model};--masked:{palette.masked};--blocked:{palette.blocked};"
        f"--exact:{palette.exact};--tried:{palette.rejection};--ink:{palette.ink};"
        f"--quiet:{palette.quiet};--grid:{palette.grid};--paper:{background}"
    )


STYLE = (
    f":root{{color-scheme:light dark;{_colours(LIGHT, BACKGROUND['light'])}}}\n"
    f"@media (prefers-color-scheme:dark){{:root{{{_colours(DARK, BACKGROUND['dark'])}}}}}\n"
    f"@media print{{:root{{color-scheme:light;{_colours(LIGHT, BACKGROUND['light'])}}}}}\n"
    """
*{box-sizing:border-box}
body{margin:0 auto;max-width:1000px;padding:24px 16px 64px;background:var(--paper);color:var(--ink);
 font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 4px}
h2{font-size:1.2rem;margin:40px 0 8px}
h3{font-size:1rem;margin:20px 0 4px}
p,ul{margin:8px 0;max-width:75ch}
.quiet,figcaption{color:var(--quiet);font-size:.875rem}
.note{border-left:4px solid var(--blocked);padding:4px 12px;margin:16px 0}
.scroll{overflow-x:auto;margin:8px 0}
.scroll:focus-visible,summary:focus-visible{outline:3px solid var(--masked);outline-offset:2px}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:5px 12px 5px 0;text-align:right;vertical-align:top;border-bottom:1px solid var(--grid);
 min-width:4.5em;max-width:22em}
th:first-child,.words{text-align:left}
.words{min-width:11em}
thead th{vertical-align:bottom}
small{display:block;font-weight:400;color:var(--quiet)}
td small{white-space:nowrap}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:2px 16px;margin:8px 0}
dt{color:var(--quiet)}
dd{margin:0}
pre,code{font:.8125rem/1.5 ui-monospace,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:plaintext;margin:4px 0;padding:8px 10px;
 border:1px solid var(--grid);border-radius:4px;max-height:24rem;overflow:auto}
bdi{unicode-bidi:isolate}
details{margin:6px 0}
summary{cursor:pointer;padding:4px 0}
figure{margin:12px 0}
figcaption{margin-bottom:6px}
.bars{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:10px 12px;align-items:center;
 max-width:760px;font-size:.875rem}
.bar{position:relative;height:26px;background:linear-gradient(var(--grid),var(--grid)) 50% 0/1px 100% no-repeat;
 border:1px solid var(--grid);print-color-adjust:exact;-webkit-print-color-adjust:exact}
.bar i{position:absolute;top:0;bottom:0}
.bar b{position:absolute;top:50%;height:2px;margin-top:-1px;background:var(--ink);box-shadow:0 0 0 2px var(--paper)}
.bar b::before,.bar b::after{content:"";position:absolute;top:-5px;height:12px;width:2px;background:var(--ink)}
.bar b::before{left:0}.bar b::after{right:0}
.bar u{position:absolute;top:50%;width:10px;height:10px;margin:-5px 0 0 -5px;background:var(--ink);
 border:1px solid var(--paper);transform:rotate(45deg)}
.scale{display:flex;justify-content:space-between;color:var(--quiet);font-size:.8125rem}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;margin:8px 0;padding:0;list-style:none;font-size:.875rem}
.key i{display:inline-block;width:18px;height:12px;margin-right:6px;vertical-align:-1px}
.key i,.bar i{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.right{background:var(--exact)}
.wrong{background:repeating-linear-gradient(90deg,var(--tried) 0 5px,var(--paper) 5px 8px)}
.valid{background:var(--masked)}
.invalid{background:repeating-linear-gradient(45deg,var(--blocked) 0 4px,var(--paper) 4px 7px)}
.truncated{background:var(--paper);border:2px solid var(--model)}
.gave_up{background:radial-gradient(var(--quiet) 0 1.5px,var(--paper) 2px) 0 0/6px 6px}
@media (max-width:600px){dl{grid-template-columns:1fr}dd{margin-bottom:8px}
 .bars{grid-template-columns:1fr;gap:2px 0}.bar{margin-bottom:8px}.scale{order:1}}
@media print{body{max-width:none;padding:0;font-size:11pt}pre{max-height:none}
 details::details-content{content-visibility:visible;block-size:auto}
 h2,h3{break-after:avoid}tr,figure,pre{break-inside:avoid}.scroll{overflow:visible}}
"""
)
"""Colours never carry a meaning alone: each share of a bar has a pattern, and a table stands beside."""
