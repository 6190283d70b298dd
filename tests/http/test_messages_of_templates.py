"""The messages of templates: with parameters, and with places that a script fills."""

from __future__ import annotations

import pytest
from jinja2 import Template

from app.http.templates import environment


def made(source: str) -> Template:
    return environment().from_string(source)


@pytest.mark.parametrize(
    ("source", "page"),
    [
        ("{{ _('%(name)s won 5%% of all.', name='<b>') }}", "&lt;b&gt; won 5% of all."),
        ("{{ _('%(name)s won 5%% of all.') }}", "%(name)s won 5% of all."),
        ("{% trans %}Up to 5% of all{% endtrans %}", "Up to 5% of all"),
        ("{% trans n=2 %}{{ n }} of 5%{% pluralize %}{{ n }} of 9%{% endtrans %}", "2 of 9%"),
    ],
)
def test_places_without_parameters_stay_for_scripts(source: str, page: str):
    assert made(source).render() == page


def test_a_message_that_lacks_one_of_its_parameters_is_an_error():
    with pytest.raises(KeyError):
        made("{{ _('%(name)s beat %(other)s.', name='Anna') }}").render()
