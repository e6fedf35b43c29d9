"""A run as one HTML file: the stage's modules joined into one script, its styles and one document.

The stage is written as ES modules in a disciplined form, so that joining them needs no build tool:
imports are single lines `import {a, b} from './x.js';`, exports are `export function`, `export
async function`, `export const` or `export class`, and top-level names are unique over all modules.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ENTRY = "main.js"
"""The stage's module that mounts everything; it exports `mountStage`."""

STYLES = ("stage.css", "panels.css")

PLACEHOLDER = "@@PLAYGROUND_DOCUMENT@@"
"""Where a document's JSON goes in the template; the browser fills it as `standalone_html` does."""

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
"""Of the exported file: it can load nothing, whatever stands in it."""

_IMPORT = re.compile(r"^import \{\s*(\w+(?:\s*,\s*\w+)*)\s*\} from '\./([\w-]+\.js)';?\s*$")
_DECLARED = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|class) ([A-Za-z_$][\w$]*)")
_LOOSE = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(|\bimport\.meta\b")


def stage_bundle(static: Path) -> str:
    """The modules of `static`/stage that main.js needs, as one script without imports.

    Raises:
        ValueError: a module leaves the disciplined form, a name is declared twice or imported
            but not exported, or the imports form a circle.
    """
    folder = static / "stage"
    owner: dict[str, str] = {}
    exported: dict[str, set[str]] = {}
    parts = []
    for module in _in_order(folder, ENTRY, ()):
        if module in exported:
            continue
        exported[module] = set()
        lines = []
        for number, line in enumerate(_lines(folder, module), 1):
            place = f"{module}:{number}"
            if match := _IMPORT.match(line):
                for name in re.split(r"\s*,\s*", match[1]):
                    if name not in exported[match[2]]:
                        raise ValueError(f"{place}: {match[2]} does not export {name!r}")
                continue
            if match := _DECLARED.match(line):
                if match[2] in owner:
                    raise ValueError(f"{place}: {match[2]!r} is also declared in {owner[match[2]]}")
                owner[match[2]] = module
                if match[1]:
                    exported[module].add(match[2])
                line = line.removeprefix("export ")
            if _LOOSE.search(line):
                raise ValueError(f"{place}: can't be joined: {line.strip()[:80]!r}")
            if "</script" in line.lower() or "<!--" in line:
                raise ValueError(f"{place}: would end or comment out the script it is put in")
            lines.append(line)
        parts.append(f"// {module}\n" + "\n".join(lines).strip() + "\n")
    return "\n".join(parts)


def standalone_template(static: Path) -> str:
    """The exported file with PLACEHOLDER, exactly once, where a document's JSON goes.

    Raises:
        ValueError: as `stage_bundle`, or a style sheet loads something.
    """
    styles = style_sheets(static, STYLES)
    html = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>Constrained decoding, one run</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 0; padding: 14px; background: #f8fafc; font-family: system-ui, sans-serif }}
body.dark {{ background: #0b0f19 }}
{styles}
</style>
</head>
<body>
<div id="stage"></div>
<noscript>This file draws a recorded run with a script of its own; please allow scripts.</noscript>
<script type="application/json" id="document">{PLACEHOLDER}</script>
<script type="module">
{stage_bundle(static)}
const standaloneDark = window.matchMedia('(prefers-color-scheme: dark)');
const standaloneTheme = () => document.body.classList.toggle('dark', standaloneDark.matches);
standaloneDark.addEventListener('change', standaloneTheme);
standaloneTheme();
mountStage(document.getElementById('stage'), {{
  value: JSON.parse(document.getElementById('document').textContent),
  server: null,
}});
</script>
</body>
</html>
"""
    if html.count(PLACEHOLDER) != 1:
        raise ValueError(f"{PLACEHOLDER} must stand in the template exactly once")
    return html


def style_sheets(static: Path, names: Iterable[str]) -> str:
    """These style sheets of `static` as one.

    Raises:
        ValueError: one loads something.
    """
    styles = "\n".join((static / name).read_text(encoding="utf-8") for name in names)
    if re.search(r"@import|url\((?!['\"]?data:)|</style", styles, re.IGNORECASE):
        raise ValueError("the style sheets must load nothing: the exported file makes no request")
    return styles


def standalone_html(doc: Mapping[str, Any], static: Path) -> str:
    """`doc`, a document of the Step screen, as one HTML file that works without any request.

    Raises:
        ValueError: as `standalone_template`, or `doc` holds a nan or an infinity.
    """
    return standalone_template(static).replace(PLACEHOLDER, embedded_json(doc))


def embedded_json(doc: Mapping[str, Any]) -> str:
    r"""`doc` as JSON that can stand inside a script element: every `<` is `\u003c`.

    Raises:
        ValueError: a nan or an infinity, which JSON has no word for.
    """
    return json.dumps(doc, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")


def _lines(folder: Path, module: str) -> list[str]:
    path = folder / module
    if not path.is_file():
        raise ValueError(f"{module}: no such module in {folder.name}")
    return path.read_text(encoding="utf-8").splitlines()


def _in_order(folder: Path, module: str, above: tuple[str, ...]) -> Iterator[str]:
    """Modules, each after those it imports; a module may come more than once."""
    if module in above:
        raise ValueError(f"imports form a circle: {' -> '.join((*above, module))}")
    for line in _lines(folder, module):
        if match := _IMPORT.match(line):
            yield from _in_order(folder, match[2], (*above, module))
    yield module
