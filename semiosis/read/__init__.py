"""Signs become HSGs: the wire schema, the prompts, the places found from quotes, and the reader that asks."""

from semiosis.read._prompt import Prompt, fenced, prompt
from semiosis.read._reader import Reader
from semiosis.read._show import AnySign, shown_hsg, shown_sign

__all__ = ["AnySign", "Prompt", "Reader", "fenced", "prompt", "shown_hsg", "shown_sign"]
