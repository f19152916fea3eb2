"""Byte pair encoding, learned by building it: the helper package of the notebooks."""

from bpe_lessons.exercises import check, hint
from bpe_lessons.tokenizer import Tokenizer

__version__ = "0.1.0"
__all__ = ["Tokenizer", "check", "hint"]
