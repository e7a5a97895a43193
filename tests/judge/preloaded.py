"""Loads the slow imports and the forms once, in the process from which the killed processes are forked."""

import anthropic
import genai_prices
import instructor.core.exceptions
import openai
import rich.console
import rich.progress

from semiosis.ask import Model, Prices
from semiosis.ask._codec import prepared_form, versions
from semiosis.ask._request import _schema_text
from semiosis.cli import _app
from semiosis.judge._form import Judgment, judgment_form
from semiosis.read._form import graph_form
from semiosis.study import read_study
from semiosis.values import Usage

NODES = frozenset({"P.root", "A.root", "B.root"})
FORMS = [
    graph_form("text", 3, frozenset(), strict=True),
    graph_form("image", 3, frozenset({"P.root"}), strict=True),
    judgment_form(NODES),
    Judgment,
]

for form in FORMS:
    prepared_form(form).model_json_schema()
    _schema_text(form)
Prices().cost(Model("anthropic/claude-sonnet-5"), Usage(input_tokens=1))
versions()

LOADED = (anthropic, genai_prices, instructor, openai, rich, _app, read_study)
