"""Readings of signs by models: the requests, the form of the answers, and the HSGs built from them."""

from semiosis.read._reader import Reader
from semiosis.read._request import image_identity, joint_identity, text_identity
from semiosis.read._settings import ReadingSettings
from semiosis.read._tasks import JointReadingTask, ReadingTask

__all__ = [
    "JointReadingTask",
    "Reader",
    "ReadingSettings",
    "ReadingTask",
    "image_identity",
    "joint_identity",
    "text_identity",
]
