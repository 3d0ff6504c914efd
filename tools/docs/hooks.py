"""What MkDocs does besides for this project: anchors as on GitHub, the version, files shared with the product."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import sources
from mkdocs.structure.files import File

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Section
    from mkdocs.structure.pages import Page

PROJECT = sources.PROJECT
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
STILLS, PICTURES = PROJECT / "static" / "img" / "schedulers", "images/schedulers"
"""The product's pictures of its schedulers, which `manage.py record_signatures` draws, and where the site has them."""
SHARED = (
    "css/tokens.css",
    "css/base.css",
    "js/theme.js",
    "img/icon.svg",
    "vendor/source-sans/source-sans-3-latin-wght-normal.woff2",
    "vendor/source-sans/LICENSE",
)
"""Files of the product that the site's pages use, copied so that the site stands by itself."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the version, and make anchors as GitHub makes them."""
    config.extra["version"] = sources.version()
    config.mdx_configs["toc"]["slugify"] = slug
    return config


def slug(heading: str, separator: str) -> str:
    """Return the anchor of a heading as GitHub writes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Take the product's pictures of schedulers into the site."""
    for path in sorted(STILLS.glob("*.svg")):
        files.append(File.generated(config, f"{PICTURES}/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Name files outside of the documentation instead of linking them: the site does not hold them."""
    folder = Path(page.file.abs_src_path or "").parent

    def named(found: re.Match[str]) -> str:
        text, target = found[1], found[2].partition("#")[0]
        if not target or re.match(r"[a-z]+:|/", target):
            return found[0]
        path = Path(os.path.normpath(folder / target))
        if path.parent == STILLS:
            return f"[{text}]({os.path.relpath(Path(config.docs_dir) / PICTURES / path.name, folder)})"
        if path.is_relative_to(config.docs_dir):
            return found[0]
        name = path.relative_to(PROJECT).as_posix()
        return text if name in text else f"{text} (`{name}` in the repository)"

    return LINK.sub(named, markdown)


def on_env(env: Environment, *, config: MkDocsConfig, files: Files) -> Environment:
    """Let the template find the page that a section opens with."""
    env.globals["first_page"] = first_page
    return env


def first_page(section: Section) -> Any:
    """Return the first page of a section."""
    return next(child if child.is_page else first_page(child) for child in section.children)


def on_post_build(config: MkDocsConfig) -> None:
    """Copy the product's own style, typeface and scripts, and note which sources the site was built from."""
    for name in SHARED:
        target = Path(config.site_dir) / "assets" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / "static" / name, target)
