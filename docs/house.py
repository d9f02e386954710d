"""Draws docs/pictures/house.svg: the rooms of the package, floor by floor, and what each really imports.

    python docs/house.py            # writes the picture anew
    python docs/house.py --check    # says whether it still shows the code

The floors are those of the import contract in pyproject.toml, the words are the first sentences of the
rooms' docstrings, and the imports are read from the code, those for type checking left out.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "netlines"
PICTURE = ROOT / "docs" / "pictures" / "house.svg"

WIDTH, GAP, PAD, LINE = 980, 14, 12, 17
SMALL, LETTER = 12, 6.4  # the size of most letters, and about how wide one is
COLOURS = {  # Okabe and Ito's, light: who trains, who reads, the value and its tables, the floor
    "training selection classifiers family": "#cfe6f5",
    "inspection plots report export": "#fde3b3",
    "network tables datasets": "#c9ead9",
    "__main__ cli reproduce": "#f3d9e6",
    "_words _files": "#e8e8e8",
}


@cache
def floors() -> list[list[str]]:
    """Return the rooms of each layer of the import contract, from top to bottom."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("exhaustive"))
    return [[room.strip() for room in layer.split("|")] for layer in layers]


@cache
def imports(room: str) -> set[str]:
    """Return the other rooms that the modules of a room import."""
    path = SOURCE / room
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    names = {name for file in files for name in _imported(ast.parse(file.read_text(encoding="utf-8")))}
    parts = {name.split(".")[1] for name in names if name.startswith("netlines.")}
    return {part for part in parts if any(part in floor for floor in floors())} - {room}


def _imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a module imports, but for type checking."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from _imported(node)


def purpose(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = SOURCE / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].replace("`", "").split())


def contents(room: str) -> str:
    """Return the modules of a room, folders with a slash."""
    path = SOURCE / room
    if not path.is_dir():
        return ""
    names = [
        entry.name + "/" if entry.is_dir() else entry.stem
        for entry in sorted(path.iterdir())
        if entry.suffix == ".py" or (entry / "__init__.py").exists()
    ]
    return " · ".join(name for name in names if not name.startswith("__"))


@cache
def lines_of(room: str, width: float) -> list[tuple[str, str]]:
    """Return the lines of a room's box, each with its style."""
    letters = int((width - 2 * PAD) / LETTER)
    below = [other for floor in floors() for other in floor if other in imports(room)]
    lines = [(room, "name")]
    lines += [(text, "purpose") for text in wrap(purpose(room), letters)]
    lines += [(text, "contents") for text in wrap(contents(room), letters)]
    return lines + [(text, "uses") for text in wrap(f"uses {', '.join(below)}" if below else "", letters)]


def box(room: str, x: float, y: float, width: float, height: float) -> str:
    """Return a room as SVG."""
    colour = next(colour for rooms, colour in COLOURS.items() if room in rooms.split())
    parts = [f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" fill="{colour}"/>']
    for k, (text, style) in enumerate(lines_of(room, width)):
        place = f'x="{x + PAD:g}" y="{y + PAD + (k + 0.75) * LINE:g}"'
        parts.append(f'<text {place} class="{style}">{escape(text)}</text>')
    return "\n".join(parts)


def picture() -> str:
    """Return the whole house as SVG."""
    words = "A room imports only what stands below it. Blue trains, yellow reads what was trained, green is"
    words += " the value and the tables, pink is what runs it all."
    parts, y = [f'<text x="{GAP}" y="{GAP + LINE * 0.75:g}" class="uses">{words}</text>'], GAP + LINE + 6
    for floor in floors():
        width = (WIDTH - GAP * (len(floor) + 1)) / len(floor)
        height = max(len(lines_of(room, width)) for room in floor) * LINE + 2 * PAD
        parts += [box(room, GAP + k * (width + GAP), y, width, height) for k, room in enumerate(floor)]
        y += height + GAP
    style = (
        f"text {{ font: {SMALL}px system-ui, sans-serif; fill: #222 }} "
        f".name {{ font-weight: bold; font-size: {SMALL + 2}px }} "
        f".contents {{ font-family: ui-monospace, monospace; font-size: {SMALL - 2}px }} "
        ".uses { font-style: italic; fill: #555 }"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" role="img">'
    title = "<title>The rooms of netlines; a room imports only what stands below it</title>"
    ground = f'<rect width="{WIDTH}" height="{y:g}" fill="#fff"/>'
    return "\n".join([head, title, f"<style>{style}</style>", ground, *parts, "</svg>", ""])


def main() -> int:
    """Write the picture, or with --check tell whether it is as it should be."""
    if sys.argv[1:] == ["--check"]:
        fresh = PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == picture()
        print("the picture shows the code" if fresh else "the picture is old: run python docs/house.py")
        return 0 if fresh else 1
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)} shows {sum(map(len, floors()))} rooms on {len(floors())} floors")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
