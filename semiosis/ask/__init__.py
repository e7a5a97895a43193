"""One structured question to one model: providers, profiles, reply journal, budget and limits."""

import logging

from semiosis.ask._asker import Asker, shared_asker
from semiosis.ask._budget import Budget
from semiosis.ask._choice import choice_probabilities
from semiosis.ask._chunks import CHUNK, map_chunks
from semiosis.ask._decode import Token
from semiosis.ask._exchange import Attempt, Exchange, read_exchanges
from semiosis.ask._failure import UnansweredRequest
from semiosis.ask._language import DEFAULT_LANGUAGE, about_length, language_name
from semiosis.ask._local import log_likelihoods
from semiosis.ask._loop import on_loop, wait_for
from semiosis.ask._model import Model
from semiosis.ask._picture import Picture, picture
from semiosis.ask._prices import Prices
from semiosis.ask._profile import STRUCTURED, Profile
from semiosis.ask._prompt import PromptFile, fence, load_prompt
from semiosis.ask._render import render_hsg, render_sign
from semiosis.ask._reply import Reply
from semiosis.ask._request import DEFAULT_MAX_TOKENS, Passage, Request
from semiosis.ask._runner import Done, Runner, run_task
from semiosis.ask._secret import contains_key, hide_keys_in
from semiosis.ask._task import ComputedTask, RequestTemplate, Task, task_key

# Without a handler, logging prints warnings on standard error. The command line shows them in its own way.
logging.getLogger("semiosis.ask").addHandler(logging.NullHandler())

__all__ = [
    "CHUNK",
    "DEFAULT_LANGUAGE",
    "DEFAULT_MAX_TOKENS",
    "STRUCTURED",
    "Asker",
    "Attempt",
    "Budget",
    "ComputedTask",
    "Done",
    "Exchange",
    "Model",
    "Passage",
    "Picture",
    "Prices",
    "Profile",
    "PromptFile",
    "Reply",
    "Request",
    "RequestTemplate",
    "Runner",
    "Task",
    "Token",
    "UnansweredRequest",
    "about_length",
    "choice_probabilities",
    "contains_key",
    "fence",
    "hide_keys_in",
    "language_name",
    "load_prompt",
    "log_likelihoods",
    "map_chunks",
    "on_loop",
    "picture",
    "read_exchanges",
    "render_hsg",
    "render_sign",
    "run_task",
    "shared_asker",
    "task_key",
    "wait_for",
]
