"""Signs become HSGs: wire schema, requests, places found from quotes, and the reader."""

from semiosis.read._reader import Reader
from semiosis.read._request import image_identity, joint_identity, text_identity
from semiosis.read._settings import DEFAULT_LANGUAGE, LANGUAGES, ReadingSettings, language_name
from semiosis.read._tasks import Given, JointReadingTask, ReadingTask

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "Given",
    "JointReadingTask",
    "Reader",
    "ReadingSettings",
    "ReadingTask",
    "image_identity",
    "joint_identity",
    "language_name",
    "text_identity",
]
