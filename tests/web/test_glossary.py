"""The glossary's page, and its terms as data for the tips of other pages."""

from __future__ import annotations

from django.test import Client

from playground.glossary.service import glossary


def test_the_page_and_the_data_have_every_term(client: Client) -> None:
    html = client.get("/glossary").content.decode()
    data = client.get("/glossary.json").json()["terms"]
    assert [term["words"][0] for term in data] == [one.term for one in glossary()]
    for one in glossary():
        assert f'id="{one.anchor}"' in html
    assert all(term["text"] for term in data)
