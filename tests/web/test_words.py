"""Texts go through one catalogue, and with another one the same pages come in another language.

Spaces and corners are tokens; sizes of type are in test_design_tokens.py.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.template.base import Lexer, TokenType
from django.utils import translation
from pytest_django import Settings

import scheduler_core
from playground.classes.exploring import MEASURES
from playground.studies.metric_names import metric_words
from playground.web import reasons, words
from scheduler_core.run.moment_texts import PLACES, TAGS
from scheduler_core.run.said import fill, moment, say
from tests import declared
from tests.support import PROJECT
from tests.web.conftest import JsonClient

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


@pytest.fixture
def esperanto(settings: Settings, tmp_path: Path) -> dict[str, Any]:
    """A language that nobody else's test has loaded: catalogues are kept for the process."""
    texts = {
        "features/sharing": {"Share": "Kunhavigi"},
        "run": {"{n} run": {"one": "{n} ruliĝo", "other": "{n} ruliĝoj"}},
        "templates/landing": {"Open the studio": "Malfermu la studion"},
        "server/studio": {"One queue": "Unu <vico>"},
    }
    (tmp_path / "eo.json").write_text(json.dumps(texts), encoding="utf-8")
    (tmp_path / "declared").mkdir()
    declared = {"schedulers": {"At random": "Hazarde", "megha": "wrong: a name is not a text"}}
    (tmp_path / "declared" / "eo.json").write_text(json.dumps(declared), encoding="utf-8")
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("eo", "Esperanto")]
    return texts


def test_one_catalogue_serves_templates_views_and_scripts(browser: JsonClient, esperanto: dict[str, Any]) -> None:
    page = browser.get("/", headers={"accept-language": "eo"}).content.decode()
    assert '<html lang="eo"' in page
    assert "Malfermu la studion" in page
    assert "Unu &lt;vico&gt;" in page
    found = re.search(r'<script id="words" type="application/json">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found[1]) == esperanto["features/sharing"] | esperanto["run"]
    english = browser.get("/", headers={"accept-language": "fr"}).content.decode()
    assert '<html lang="en"' in english
    assert 'id="words"' not in english


@pytest.mark.usefixtures("esperanto")
def test_the_address_chooses_the_language_then_the_cookie_then_the_browser(browser: JsonClient) -> None:
    def spoken(path: str, asked: str = "en") -> str:
        answer = browser.get(path, headers={"accept-language": asked})
        assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
        found = re.search(r'<html lang="(\w+)"', answer.content.decode())
        assert found is not None
        assert answer["Content-Language"] == found[1]
        return found[1]

    assert [spoken("/"), spoken("/", "eo"), spoken("/?lang=eo"), spoken("/gallery")] == ["en", "eo", "eo", "eo"]
    assert spoken("/?lang=xx") == "eo"
    assert [spoken("/?lang=en", "eo"), spoken("/", "eo")] == ["en", "en"]


@pytest.mark.usefixtures("esperanto")
def test_texts_have_forms_numbers_and_declared_words_of_the_language() -> None:
    with translation.override("eo"):
        assert [words.ngettext("{n} run", "{n} runs", n) for n in (1, 2)] == ["1 ruliĝo", "2 ruliĝoj"]
        assert words.gettext("Not translated: {n}", n="x") == "Not translated: x"
        assert (words.is_translated("At random"), words.is_translated("At last")) == (True, False)
        declared = {"name": "megha", "label": "At random", "params": [{"title": "At random", "default": "At random"}]}
        assert words.translated(declared) == {
            "name": "megha",
            "label": "Hazarde",
            "params": [{"title": "Hazarde", "default": "At random"}],
        }
    with translation.override("de"):
        assert words.told(1234.5, 1) == "1.234,5"
    assert words.ngettext("{n} run", "{n} runs", 12345) == "12,345 runs"


def test_every_measure_of_a_class_has_a_german_name_on_its_pages() -> None:
    on_pages = words._of_pages(words._folders(), "de")
    names = [metric_words(name) for name in MEASURES]
    assert [name for name in names if name not in on_pages] == []


#: What a reader of another language meets first; help, reasons and long descriptions may wait for a translator.
FIRST = {
    "lessons": {"text"},
    "challenges": {"title", "question", "says", "text"},
    "gallery": {"label", "question", "about", "title", "text"},
    "claims": {"text"},
    "moments": {"text"},
    "run": {"label", "plain", "unit"},
    "schedulers": {"label", "family_label", "summary"},
    "signatures": {"label", "decides", "knows", "says", "waits", "unseen"},
    "parameters": {"title", "label"},
}
MISSING_AT_MOST = 0.1  # an English text may be reworded by somebody who does not know the language


def test_other_languages_translate_what_the_library_declares() -> None:
    by_part = declared.declared_texts()
    assert {"summary", "label"} <= set(by_part["schedulers"].values())
    names = {spec.label for spec in scheduler_core.SCHEDULERS} | {"s", "µs", "ns", "GB", "GB/s"}
    for path in declared.files():
        known = declared.translations(path)
        for part, fields in FIRST.items():
            wanted = [text for text, field in by_part[part].items() if field in fields and not text.endswith("Params")]
            missing = [text for text in wanted if text not in known and text not in names]
            assert len(missing) <= MISSING_AT_MOST * len(wanted), f"python -m tests.declared: {path.name}: {missing}"
        places = re.compile(r"\{\w+\}")
        for text, translated in known.items():
            assert set(places.findall(text)) == set(places.findall(translated)), text


def test_no_word_of_an_experiment_is_translated() -> None:
    """The unit of a constraint is `job` in every language; German pages once began experiments with the unit `Job`."""
    experiment = {"constraints": {"asks": {"unit": "job"}}}
    told = {"label": "job", "experiment": experiment, "next": [{"text": "job", "change": {"unit": "job"}}]}
    with translation.override("de"):
        found = words.translated(told)
    assert found["experiment"] == experiment
    assert found["next"][0]["change"] == {"unit": "job"}
    assert found["label"] != found["experiment"]["constraints"]["asks"]["unit"]


def test_a_reason_is_told_in_the_readers_language() -> None:
    reason = next(one for one in scheduler_core.scheduler_by_name("megha").reasons if "taken" in one.fields)
    arguments = {"to": "3", "machine": "1,234", "cluster": "lm-1", "frm": "2", "taken": "task 57,240 had taken it"}
    arguments = {name: arguments[name] for name in reason.fields}
    assert reasons.filled(reason.template, arguments) == ""  # English is the template's own
    with translation.override("de"):
        told = reasons.filled(reason.template, arguments)
        one = {"reason": reason.name, "arguments": arguments, "sentence": "in English"}
        assert reasons.reworded("megha", [one])[0]["sentence"] == told
    assert "57.240" in told
    assert "1.234" in told
    assert "{" not in told
    assert "had" not in told


def test_a_moment_is_told_in_the_readers_language() -> None:
    told = say("waited_1", task="1,234", time="2.5 s", time_1="2 s", place_1=PLACES["worker_queuing"])
    one = moment("longest_wait", (0, 1234, [5]), [told], tag=fill(TAGS["central"], job="7", tasks="1,000"))
    unknown = moment("usual_wait", (0, 1, [5]), [told, fill("Nobody translated {this}.", this="it")])
    english = [{name: value for name, value in each.items() if name != "said"} for each in (one, unknown)]
    assert reasons.moments_told([one, unknown]) == english
    assert english[0]["sentence"] == "Task 1,234 waited 2.5 s, 2 s of it in a queue at a machine."
    with translation.override("de"):
        german, mixed = reasons.moments_told([one, unknown])
    assert re.search(r"1\.234.*2,5 s.*2 s", german["sentence"])
    assert "1.000" in german["tag"]
    assert all(german[name] != english[0][name] for name in ("label", "sentence", "tag"))
    assert mixed["sentence"] == unknown["sentence"], "a sentence is of one language"
    assert "said" not in german


class _Read(HTMLParser):
    """Collects what a person reads: text, and the attributes that are shown or read out."""

    _SHOWN: ClassVar = {"title", "alt", "aria-label", "placeholder", "data-tip", "data-label"}

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._code = tag in {"code", "script"}
        about = ("name", "description") in attrs
        self.texts += [value or "" for name, value in attrs if name in self._SHOWN or (about and name == "content")]

    def handle_endtag(self, tag: str) -> None:
        self._code = False

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.texts.append(data)


def literal_texts(source: str) -> list[str]:
    """Return the words of a template that go through no tag."""
    reader, block = _Read(), ""
    for token in Lexer(re.sub(r"(?s)\{% comment %\}.*?\{% endcomment %\}", "", source)).tokenize():
        if token.token_type == TokenType.BLOCK and token.contents.startswith(("block ", "endblock")):
            block = token.contents.removeprefix("block ")
        if token.token_type == TokenType.TEXT and not block.startswith("body_"):  # classes and data of <body>
            reader.feed(token.contents)
    reader.close()
    return [text.strip() for text in reader.texts if re.search(r"[^\W\d_]{2,}", text)]


def test_every_text_of_the_templates_goes_through_the_catalogue() -> None:
    page = '<p title="Hi there">{% text "Fine" %} Not fine</p><script>let code</script>{{ value }}'
    assert literal_texts(page) == ["Hi there", "Not fine"]
    # The name of the product, formats, units; /dev/components is a developer's.
    names = {"Scheduler Playground", "· Scheduler Playground", "API · Scheduler Playground", "JSON", "UTC", "mm", "pt"}
    strays = {
        path.name: found
        for path in sorted((PROJECT / "templates").rglob("*.html"))
        if path.name != "components.html" and (found := set(literal_texts(path.read_text())) - names)
    }
    assert strays == {}


def test_spaces_and_corners_are_tokens() -> None:
    kinds = re.compile(
        r"(?<![\w-])((?:padding|margin)(?:-\w+)*|(?:row-|column-)?gap|border(?:-\w+)*-radius)\s*:\s*([^;}]+)"
    )
    strays = [
        f"{path.name}: {kind}: {value.strip()}"
        for path in sorted((PROJECT / "static" / "css").glob("*.css"))
        for kind, value in kinds.findall(path.read_text())
        # A pixel is a hair beside a line; what is less than nothing puts something across an edge.
        if set(re.findall(r"(?<![\w.-])[\d.]+(?:px|rem|em)\b", value)) - {"1px"}
    ]
    assert strays == []
