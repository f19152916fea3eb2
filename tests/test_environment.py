"""The package where Python warns of everything and the system speaks no UTF-8."""

import os
import subprocess
import sys

from bpe_lessons import corpus

ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
STRICT = [sys.executable, "-X", "dev", "-W", "error"]

EVERYTHING = """
import importlib, locale, pickle, pkgutil, sys, tempfile
from pathlib import Path

assert locale.getpreferredencoding(False).lower() not in ("utf-8", "utf8"), locale.getpreferredencoding(False)

import bpe_lessons
from bpe_lessons import Tokenizer, chat, check, corpus, engine, files, hint, lesson, split, text, vocabularies

for module in pkgutil.walk_packages(bpe_lessons.__path__, "bpe_lessons."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)

mixed = corpus.text("mixed")[:3000] + "\\u4f4e\\U0001f6b2"
assert corpus.parallel()["zh"] and corpus.words("walkthrough")
for ties in ("first", "smallest", "greatest"):
    tokenizer = Tokenizer.train(mixed, merges=30, ties=ties, special_tokens=["<s>", "\\u4f4e"])
assert Tokenizer.train(mixed, merges=30, processes=2).merges
assert lesson.learn(lesson.train(*lesson.spell(split.count(mixed)), 5)).stopped == "size reached"
for policy in ("text", "special"):
    assert tokenizer.decode(tokenizer.encode(mixed, policy)) == mixed
assert tokenizer.encode_batch([mixed] * 2, processes=2, special="text")[1] == tokenizer.encode(mixed, "text")
assert list(tokenizer.encode_iterable([mixed])) == tokenizer.encode(mixed, "text")
assert "".join(tokenizer.decode_stream(tokenizer.encode(mixed, "text"))) == mixed
assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    tokenizer.save(folder / "own.json")
    tokenizer.save(folder / "own.json", overwrite=True)
    assert Tokenizer.load(folder / "own.json") == tokenizer
    files.write_tokenizer_json(tokenizer, folder / "tokenizer.json")
    assert files.read_tokenizer_json(folder / "tokenizer.json").encode(mixed, special="special")
    files.write_ranks(tokenizer, folder / "t.tiktoken")
    assert files.read_ranks(folder / "t.tiktoken") == tokenizer.token_ids
    files.write_merges(tokenizer, folder / "merges.txt", folder / "vocab.json")
    assert files.read_merges(folder / "merges.txt", folder / "vocab.json").merges == tokenizer.merges
    files.write_minbpe(tokenizer, folder / "t.model")
    assert files.read_minbpe(folder / "t.model") == tokenizer
    (folder / "in.txt").write_bytes(mixed.encode())
    assert text.read(folder / "in.txt") == mixed
    assert engine.count(folder / "in.txt", processes=2) == split.count(mixed)
    (folder / "in.txt").write_bytes(mixed.encode("gb18030", "ignore"))
    try:
        text.read(folder / "in.txt")
    except ValueError as error:
        assert "gb18030" in str(error)

gpt2 = vocabularies.load("gpt2")
assert gpt2.decode(gpt2.encode(mixed)) == mixed
print("all of it")
"""


def run(*command):
    return subprocess.run([*STRICT, *map(str, command)], capture_output=True, env={**os.environ, **ASCII})


def assert_silent(done, code=0):
    assert (done.stderr, done.returncode) == (b"", code), done.stderr.decode("utf-8", "replace")


def test_everything_without_a_warning_and_without_utf8():
    done = run("-c", EVERYTHING)
    assert_silent(done)
    assert done.stdout == b"all of it\n"


def test_commands_without_a_warning_and_without_utf8(tmp_path):
    source, out = tmp_path / "in.txt", tmp_path / "t.json"
    source.write_bytes((corpus.text("mixed")[:2000] + "低🚲").encode())
    done = run("-m", "bpe_lessons", "walkthrough", "低低:2", "lo:1", "--steps", "3")
    assert_silent(done)
    assert "低 + 低" in done.stdout.decode()
    assert_silent(run("-m", "bpe_lessons", "walkthrough", "--mine", "es est lo low"))
    assert_silent(run("-m", "bpe_lessons", "train", source, "-o", out, "--merges", "9"))
    ids = run("-m", "bpe_lessons", "encode", out, source)
    assert_silent(ids)
    (tmp_path / "ids.txt").write_bytes(ids.stdout)
    back = run("-m", "bpe_lessons", "decode", out, tmp_path / "ids.txt")
    assert_silent(back)
    assert back.stdout == source.read_bytes()
