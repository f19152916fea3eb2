"""The package behind the interfaces of two other courses: their test suites run against it unchanged.

- Stanford CS336, assignment 1: `get_tokenizer`, `run_train_bpe`. This file goes in place of its adapters.py.
- minbpe: `BasicTokenizer`, `RegexTokenizer`, `GPT4Tokenizer`, to be imported in place of that package. A
  special token that is not allowed raises ValueError here, AssertionError there.
"""

import re
import unicodedata
from dataclasses import replace
from itertools import groupby

from bpe_lessons import Tokenizer, files, lesson, vocabularies
from bpe_lessons.text import read, write

# CS336


def run_train_bpe(input_path, vocab_size, special_tokens, **kwargs):
    """(vocab, merges) of a training on a file: id -> bytes, and the merges as pairs of bytes."""
    learned = Tokenizer.train(
        read(input_path), vocab_size, pattern="gpt2", ties="greatest", special_tokens=special_tokens
    )
    vocab = learned.vocabulary
    return vocab, [(vocab[left], vocab[right]) for left, right in learned.merges]


def get_tokenizer(vocab, merges, special_tokens=None):
    """The tokenizer of a vocabulary in any order of ids; special tokens that it lacks are added behind it."""
    return Renumbered(vocab, merges, special_tokens or [])


class Renumbered:
    """A Tokenizer whose ids are those of a given vocabulary. Special tokens are always special."""

    CACHED = 2000  # pieces kept while streaming: some 400 kB

    def __init__(self, vocab, merges, special_tokens):
        self.vocab = dict(vocab)
        ids = {token: id for id, token in reversed(self.vocab.items())}
        for token in map(str.encode, special_tokens):
            if token not in ids:
                ids[token] = max(self.vocab, default=-1) + 1
                self.vocab[ids[token]] = token
        place = {bytes([byte]): byte for byte in range(256)}
        pairs = []
        for left, right in merges:
            pairs.append((place[left], place[right]))
            place.setdefault(left + right, 255 + len(pairs))
        self.tokenizer = Tokenizer(pairs, "gpt2", list(dict.fromkeys(special_tokens)))
        self.ids = {id: ids[token] for id, token in self.tokenizer.vocabulary.items() if token in ids}
        self.tokenizer.encode("")  # what encoding needs is built here, before anyone measures a stream

    def encode(self, text):
        return [self.ids[id] for id in self.tokenizer.encode(text, "special")]

    def decode(self, ids):
        return lesson.decode(ids, self.vocab)

    def encode_iterable(self, iterable):
        """Yield the ids of a text in parts. The package itself reads special tokens in a stream as text."""
        special = self.tokenizer.special_ids
        for is_special, parts in groupby(parts_of(iterable, special), special.__contains__):
            if is_special:
                yield from (self.ids[special[part]] for part in parts)
            else:
                for id in self.tokenizer.encode_iterable(parts):
                    yield self.ids[id]
                    if len(self.tokenizer._encoder) > self.CACHED:
                        self.tokenizer._encoder.clear()


def parts_of(chunks, tokens):
    """Yield the text in parts, each special token as one: the leftmost counts, and there the longest.

    What may become a special token, or a longer one, when more text comes waits for it.
    """
    if not tokens:
        yield from chunks
        return
    any_token = re.compile("(" + "|".join(map(re.escape, sorted(tokens, key=len, reverse=True))) + ")")
    waiting = ""
    for chunk in chunks:
        waiting, done = waiting + chunk, 0
        while True:
            open_end = unsure(waiting, done, tokens)
            match = any_token.search(waiting, done)
            if not match or match.start() >= open_end:
                break
            yield waiting[done : match.start()]
            yield match[0]
            done = match.end()
        yield waiting[done:open_end]
        waiting = waiting[open_end:]
    yield from any_token.split(waiting)


def unsure(text, begin, tokens):
    """From where on a text may become a special token when more text comes; its end if nowhere."""
    first = max(begin, len(text) - max(map(len, tokens)) + 1)
    tails = ((i, text[i:]) for i in range(first, len(text)))
    return next((i for i, tail in tails if any(t != tail and t.startswith(tail) for t in tokens)), len(text))


# minbpe


class BasicTokenizer:
    """Byte pair encoding over the whole text as one piece; special tokens are decoded, never encoded."""

    def __init__(self):
        self.tokenizer = Tokenizer((), "none")

    @property
    def pattern(self):
        return self.tokenizer.pattern[0]

    @property
    def merges(self):
        return self.tokenizer.rules

    @property
    def vocab(self):
        return self.tokenizer.vocabulary

    @property
    def special_tokens(self):
        return self.tokenizer.special_ids

    def train(self, text, vocab_size, verbose=False):
        """`vocab_size` counts bytes and merges; special tokens registered before are kept."""
        told = (lambda n: print(f"merge {n}/{vocab_size - 256}")) if verbose else None
        learned = Tokenizer.train(text, vocab_size, pattern=self.tokenizer.pattern, on_merge=told)
        self.tokenizer = replace(learned, special_tokens=self.special_tokens)

    def register_special_tokens(self, special_tokens):
        self.tokenizer = replace(self.tokenizer, special_tokens=special_tokens)

    def encode(self, text):
        return self.tokenizer.encode(text, "text")

    def decode(self, ids):
        return self.tokenizer.decode(ids)

    def save(self, file_prefix):
        """Write prefix.model, and prefix.vocab for human eyes."""
        files.write_minbpe(self.tokenizer, f"{file_prefix}.model", overwrite=True)
        pairs = dict(enumerate(self.tokenizer.merges, 256))
        lines = []
        for id, token in self.vocab.items():
            parts = "".join(f"[{shown(self.vocab[part])}]" for part in pairs.get(id, ()))
            lines.append(f"{parts}{' -> ' * (id in pairs)}[{shown(token)}] {id}\n")
        write(f"{file_prefix}.vocab", "".join(lines).encode(), overwrite=True)

    def load(self, model_file):
        self.tokenizer = replace(files.read_minbpe(model_file), pattern="none")


class RegexTokenizer(BasicTokenizer):
    """Byte pair encoding over the pieces of a pattern."""

    def __init__(self, pattern=None):
        self.tokenizer = Tokenizer((), pattern or "gpt4")

    def load(self, model_file):
        self.tokenizer = files.read_minbpe(model_file)

    def encode(self, text, allowed_special="none_raise"):
        """The ids; special tokens count all, not at all, or those of a set; `none_raise` refuses them."""
        known = {"none_raise": "raise", "all": "special", "none": "text"}
        if isinstance(allowed_special, set):
            return self.tokenizer.encode(text, "text", allowed_special & set(self.special_tokens))
        if allowed_special not in known:
            raise ValueError(f"unknown allowed_special {allowed_special!r}")
        return self.tokenizer.encode(text, known[allowed_special])


class GPT4Tokenizer(RegexTokenizer):
    """cl100k_base, which is neither trained nor saved here."""

    def __init__(self):
        self.tokenizer = vocabularies.load("cl100k_base")

    def train(self, text, vocab_size, verbose=False):
        raise NotImplementedError("cl100k_base is trained already")

    def save(self, file_prefix):
        raise NotImplementedError("a .model file has no place for the byte order of cl100k_base")

    def load(self, model_file):
        raise NotImplementedError("this tokenizer is always cl100k_base")


def shown(token):
    """A token for a listing: text, broken bytes as U+FFFD, control characters as escapes."""
    text = token.decode("utf-8", errors="replace")
    return "".join(rf"\u{ord(c):04x}" if unicodedata.category(c)[0] == "C" else c for c in text)
