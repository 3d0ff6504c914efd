"""Every text that the product shows to people, and figures about its words: `python -m tests.texts`.

Texts come from Python (strings that hold a sentence, and labels), from data (claims, gallery, presets), from the
catalogue of the scripts and from the templates. Docstrings, comments and pages of the documentation are counted apart.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.support import PROJECT

GLOSSARY = PROJECT / "fixtures" / "glossary.json"
_PACKAGES = ("scheduler_core", "playground")
_NOT_FOR_USERS = {"development", "contract.md", "effects.md"}
_LABELS = {"title", "label", "help", "description", "question", "text", "summary"}
_DATA = {"title", "text", "question", "about", "says", "parameters", "reason", "published", "why_band", "words", "name"}
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:(?:not|never|also|only|then|now|all|always|usually|already)\s+)?"
    r"(?:\w{2,}ed|drawn|given|taken|told|sent|said|seen|shown|made|done|kept|held|put|left|found|lost|run|chosen|known|"
    r"written|heard|thought|lent|meant|read|set|built|bought|paid|cut|let)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+(?=[\"'“(]?[A-Z0-9{`])|\n+")
_COMMENT = re.compile(r"(?:^|\s)#:? (.*)$")
_WORD = re.compile(r"[A-Za-z{][\w'{}-]*")


class Text(NamedTuple):
    """A text and where it stands."""

    kind: str
    place: str
    text: str


class Figures(NamedTuple):
    """Figures about the words of some texts."""

    texts: int
    sentences: int
    words_a_sentence: float
    long: float
    passive: float
    forbidden: int


def texts() -> Iterator[Text]:
    """Yield every text that people read in the product."""
    for package in _PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _of_python(path)
    for path in sorted((PROJECT / "scheduler_core" / "claims" / "data").rglob("*.toml")):
        yield from _of_data(tomllib.loads(path.read_text(encoding="utf-8")), _name(path))
    for folder in ("gallery", "presets", "experiments", "challenges"):
        for path in sorted((PROJECT / "fixtures" / folder).glob("*.json")):
            yield from _of_data(json.loads(path.read_text(encoding="utf-8")), _name(path))
    yield from _of_catalogue()
    for path in sorted((PROJECT / "templates").rglob("*.html")):
        yield from _of_template(path)


def docstrings() -> Iterator[Text]:
    """Yield the docstrings of modules, classes and functions."""
    for package in _PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    said = ast.get_docstring(node)
                    if said:
                        yield Text("docstrings", f"{_name(path)}:{getattr(node, 'lineno', 1)}", said)


def comments() -> Iterator[Text]:
    """Yield the comments of the library and of the product."""
    for package in _PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if said := _COMMENT.search(line):
                    yield Text("comments", f"{_name(path)}:{number}", said[1])


def pages() -> Iterator[Text]:
    """Yield the paragraphs of the pages for users, without tables that are made, code and names in backticks."""
    found = [*(PROJECT / "docs").rglob("*.md"), PROJECT / "README.md"]
    for path in sorted(path for path in found if not set(path.parts) & _NOT_FOR_USERS):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"<!-- table .*?<!-- end -->|```.*?```", "\n\n", text, flags=re.DOTALL)
        for block in re.split(r"\n\s*\n|\n(?=[-*|#]|\d+\. )", text):
            said = re.sub(r"\[([^]]*)\]\([^)]*\)|`[^`]*`|\*+", r"\1", block)
            if said := " ".join(said.split()):
                yield Text("docs", _name(path), said)


def forbidden() -> list[tuple[re.Pattern[str], str]]:
    """Return each forbidden wording of the glossary with the better one."""
    glossary = json.loads(GLOSSARY.read_text(encoding="utf-8"))
    pairs = [(each, term["term"]) for term in glossary["terms"] for each in term.get("not", ())]
    pairs += [(old, new) for old, new in glossary["words"].items()]
    return [(re.compile(rf"(?<![\w-])(?:{old})(?![\w-])", re.IGNORECASE), new) for old, new in pairs]


def figures(of: list[Text]) -> Figures:
    """Count what the rules of wording are about."""
    sentences = [each for text in of for each in _SENTENCE.split(text.text) if len(_WORD.findall(each)) > 2]
    lengths = [len(_WORD.findall(each)) for each in sentences]
    rules = forbidden() if GLOSSARY.exists() else []
    return Figures(
        len(of),
        len(sentences),
        sum(lengths) / max(1, len(lengths)),
        sum(one > 25 for one in lengths) / max(1, len(lengths)),
        sum(bool(_PASSIVE.search(each)) for each in sentences) / max(1, len(sentences)),
        sum(len(rule.findall(text.text)) for text in of for rule, _ in rules),
    )


def _name(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def _of_python(path: Path) -> Iterator[Text]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    labels = {
        id(each.value) for node in ast.walk(tree) if isinstance(node, ast.Call) for each in node.keywords
        if each.arg in _LABELS
    }  # fmt: skip
    parts = {id(each) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for each in node.values}
    for node in ast.walk(tree):
        text = _said(node)
        if text is None or id(node) in plain or id(node) in parts:
            continue
        # Two blanks make a phrase; fewer are a label where one is expected, and else a name.
        if text.count(" ") >= 2 or id(node) in labels:
            yield Text("python", f"{_name(path)}:{getattr(node, 'lineno', 0)}", text)


def _said(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else "{x}" for each in node.values)
    return None


def _of_data(data: Any, place: str, key: str = "") -> Iterator[Text]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _of_data(value, place, str(name))
    elif isinstance(data, list):
        for value in data:
            yield from _of_data(value, place, key)
    elif isinstance(data, str) and key in _DATA and " " in data:
        yield Text("data", f"{place} {key}", data)


def _of_catalogue() -> Iterator[Text]:
    path = PROJECT / "playground" / "locale" / "en.json"
    for feature, found in json.loads(path.read_text(encoding="utf-8")).items():
        for said in found.values():
            for text in said.values() if isinstance(said, dict) else (said,):
                yield Text("scripts", f"{_name(path)} {feature}", text)


def _of_template(path: Path) -> Iterator[Text]:
    text = re.sub(
        r"<(script|style)\b.*?</\1>|{#.*?#}|{% comment %}.*?{% endcomment %}", "", path.read_text(), flags=re.DOTALL
    )
    for quoted in re.findall(r"""{%\s*trans(?:late)?\s+(?:"([^"]+)"|'([^']+)')""", text):
        yield Text("templates", _name(path), "".join(quoted))
    for each in re.split(r"<[^>]*>|\x00", re.sub(r"{%[^%]*%}", "\x00", text)):
        said = " ".join(re.sub(r"{{[^}]*}}", "{x}", each).split())
        if said.count(" ") >= 1 and '="' not in said:  # attributes of a block are no text
            yield Text("templates", _name(path), said)


def main() -> None:
    """Print a row of figures for each kind of text; with --forbidden also the places of forbidden wordings."""
    found = [*texts(), *docstrings(), *comments(), *pages()]
    print(f"{'':12}{'texts':>8}{'sentences':>11}{'words':>7}{'>25':>8}{'passive':>9}{'forbidden':>11}")
    for kind in ("python", "data", "scripts", "templates", "docstrings", "comments", "docs"):
        row = figures([each for each in found if each.kind == kind])
        print(f"{kind:12}{row.texts:8}{row.sentences:11}{row.words_a_sentence:7.1f}{row.long:8.1%}{row.passive:9.1%}"
              f"{row.forbidden:11}")  # fmt: skip
    if "--forbidden" in sys.argv:
        for text in found:
            for rule, better in forbidden():
                for hit in rule.finditer(text.text):
                    print(f"{text.place}: “{hit[0]}” → {better}: {text.text[:120]}")


if __name__ == "__main__":
    main()
