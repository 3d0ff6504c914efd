"""Pages name all modules of their script, so that none waits for another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template import Context, Template

from tests.support import PROJECT

STATIC = PROJECT / "static"
SCRIPTS = {
    path: match[1]
    for path in (PROJECT / "templates").glob("*.html")
    if (match := re.search(r'\{% page_script "(\w+)" %\}', path.read_text()))
}
PAGES = sorted(set(SCRIPTS.values()))


def linked(page: str) -> list[Path]:
    html = Template("{% load modules %}{% preload_modules page %}").render(Context({"page": page}))
    addresses = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', html)
    return [STATIC / address for address in addresses]


def test_there_are_pages_with_scripts_and_each_asks_for_its_own_modules() -> None:
    assert {"landing", "studio", "embed", "experiments"} <= set(PAGES)
    for template, page in SCRIPTS.items():
        assert f'{{% preload_modules "{page}" %}}' in template.read_text()


@pytest.mark.parametrize("page", PAGES)
def test_what_any_linked_module_imports_is_linked_too(page: str) -> None:
    modules = linked(page)
    assert STATIC / "js" / "pages" / f"{page}.js" in modules
    assert len(set(modules)) == len(modules)
    places = {module.resolve() for module in modules}
    for module in modules:
        # Told apart from the tag's own way of reading: line by line, quotes of either kind.
        for line in module.read_text().splitlines():
            if re.match(r"\s*(import(?!\()|export|\}).*['\"]\.\.?/", line):
                name = re.findall(r"['\"](\.[^'\"]+)['\"]", line)[-1]
                assert (module.parent / name).resolve() in places, (module, name)


def test_what_a_page_wants_later_is_not_linked() -> None:
    names = {str(path.relative_to(STATIC)) for path in linked("studio")}
    assert "js/studio/store.js" in names
    # Comments of the store name the types of the desk and of the sheet, which are loaded when somebody opens them.
    later = {"features/graphs/desk.js", "studio/editor_sheet.js", "features/compare/compare_dialog.js"}
    assert not names & {f"js/{name}" for name in later}
