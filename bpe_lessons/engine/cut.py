"""Cut text into pieces fast: in stretches, and with the standard library's `re` where a stretch is ASCII.

A stretch ends between an ASCII letter and the space after it, or between a line end with no blank before it
and an ASCII letter or Hanzi. For every named pattern but `none` a piece ends there too, so the pieces of the
stretches are the pieces of the text.
"""

import re
from collections.abc import Iterable, Iterator

import regex

from bpe_lessons.split import PATTERNS, SECONDS, compiled, split

STRETCH = 1500  # characters at least in a stretch; short ones stay in the processor's cache
SAFE = r"(?<=[A-Za-z])(?= )|(?<=\S\n)(?=[A-Za-z\u4e00-\u9fff])"
FIRST, LAST = re.compile(SAFE), regex.compile(f"(?r){SAFE}")

# What the expressions are when all text is ASCII. Its white space is [\t-\r ]: `re` would count 1c to 1f too.
_WORDS = r"[^\r\nA-Za-z0-9]?[A-Za-z]+"
_CONTRACTION = "'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])"
_MARKS, _BLANKS = r"| ?[^\t-\r A-Za-z0-9]+", r"[\t-\r ]*[\r\n]+|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+"
_GPT4 = rf"{_CONTRACTION}|{_WORDS}|[0-9]{{1,3}}{_MARKS}[\r\n]*|{_BLANKS}"
_QWEN = rf"{_CONTRACTION}|{_WORDS}|[0-9]{_MARKS}[\r\n]*|{_BLANKS}"
ASCII = {
    name: re.compile(expression)
    for name, expression in {
        "whitespace": r"[^\t-\r ]+|[\t-\r ]+",
        "simple": r"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z0-9_]+| ?[^\t-\r A-Za-z0-9_]+"
        r"|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+",
        "gpt2": rf"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]+{_MARKS}|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+",
        "gpt4": _GPT4,
        "llama3": _GPT4,
        "o200k": rf"[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+(?:{_CONTRACTION})?"
        rf"|[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*(?:{_CONTRACTION})?|[0-9]{{1,3}}{_MARKS}[\r\n/]*|{_BLANKS}",
        "qwen": _QWEN,
        "qwen3.5": _QWEN,
    }.items()
}


class Cutter:
    """Cuts text by one pattern: the same pieces as `split`."""

    def __init__(self, pattern: tuple[str, ...]) -> None:
        self.pattern = pattern
        name = next((name for name, known in PATTERNS.items() if known == pattern), "")
        self.ascii = ASCII.get(name)
        self.has_safe_places = name not in ("", "none")

    def pieces(self, text: str) -> Iterator[list[str]]:
        """Yield the pieces of a text, stretch by stretch."""
        for stretch in self.stretches(text):
            if self.ascii and stretch.isascii():
                yield self.ascii.findall(stretch)
            else:
                yield self._found(stretch)

    def _found(self, stretch: str) -> list[str]:
        """The pieces of any stretch: all matches, when together they are the stretch, else by `split`."""
        if len(self.pattern) == 1 and not (expression := compiled(self.pattern[0])).groups:
            try:
                pieces: list[str] = expression.findall(stretch, timeout=SECONDS)
            except (TimeoutError, MemoryError):
                pieces = []  # split says what is wrong
            if sum(map(len, pieces)) == len(stretch) and "" not in pieces:
                return pieces
        return split(stretch, self.pattern)

    def stretches(self, text: str, size: int = STRETCH) -> Iterator[str]:
        """Yield the text in stretches of `size` characters or a little more that end at safe places."""
        start = 0
        while self.has_safe_places and (place := FIRST.search(text, start + size)):
            yield text[start : place.start()]
            start = place.start()
        if start < len(text):
            yield text[start:]

    def safe_end(self, text: str, begin: int = 0) -> int:
        """How much of an unfinished text can be cut: up to its last safe place from `begin` on, or 0."""
        if not self.has_safe_places:
            return 0
        last = LAST.search(text, max(0, begin - 2))  # two characters before a place decide about it
        return last.start() if last else 0

    def of_chunks(self, chunks: Iterable[str]) -> Iterator[str]:
        """Yield stretches of a text that arrives in chunks; what cannot be cut yet waits for the next."""
        waiting = ""
        for chunk in chunks:
            looked_through = len(waiting)
            waiting += chunk
            end = self.safe_end(waiting, looked_through)
            if end:
                yield waiting[:end]
                waiting = waiting[end:]
        if waiting:
            yield waiting
