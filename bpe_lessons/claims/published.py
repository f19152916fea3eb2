"""Statements on a printed tokenizer.json: whose it is, in what order it stands, whether it loads."""

from typing import Any

from bpe_lessons import files, glyphs, text
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.claims.mapping import error
from bpe_lessons.pipeline import Pipeline
from bpe_lessons.tokenizer import Tokenizer

# What is printed: the expression, the first entries of the table, the first merges.
EXPRESSION = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ENTRIES = "!\"#$%&'()*+,-./0123"
MERGES = """
Ġ Ġ, ĠĠ ĠĠ, i n, Ġ t, ĠĠĠĠ ĠĠĠĠ, e r, ĠĠ Ġ, o n, Ġ a, r e, a t, s t,
e n, o r, Ġt h, Ċ Ċ, Ġ c, l e, Ġ s, i t, a n, a r, a l, Ġth e
"""
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def made() -> list[bytes]:
    """The tokens that the printed merges make."""
    return [glyphs.from_glyphs("".join(merge.split())) for merge in MERGES.split(",")]


def claim_000_28() -> dict[str, Any]:
    """The printed configuration beside Qwen3.5's: sizes, special tokens, expression, first entries."""
    known = ranked("qwen3.5")
    merged = [known.token_ids[token] for token in made()]
    return {
        "before the special tokens": 256 + len(known.merges),
        "special tokens": {token: known.special_ids[token] for token in SPECIAL},
        "special": len(known.special_ids),
        "all": len(known),
        "the same expression": known.pattern == (EXPRESSION,),
        "normalization": known.normalization,
        "the same entries": [known.token_ids[entry.encode()] for entry in ENTRIES] == [*range(len(ENTRIES))],
        "ids of the printed merges": [merged[0], merged[-1]],
    }


def claim_000_29() -> dict[str, Any]:
    """Why the printed JSON cannot be read, what is missing when it can, and what a filled one does."""
    printed = {
        "a comment": '{"merges": ["i n", // more\n"e r"]}',
        "three dots": '{"vocab": {"!": 0, ...}}',
        "a last comma": '{"vocab": {"!": 0,}}',
    }
    known, sample = ranked("qwen3.5"), "I say hello, 你好"
    whole = files.to_tokenizer_json(known.truncate(256 + len(made()) + len(known.special_ids)))
    bare = whole["model"] | {"vocab": {entry: id for id, entry in enumerate(ENTRIES)}}
    filled = Pipeline.from_json(whole)
    return {
        "read": {name: error(text.parse_json, listing) for name, listing in printed.items()},
        "without the byte symbols": error(Pipeline.from_json, whole | {"model": bare}),
        "filled": len(whole["model"]["vocab"]),
        "comes back": filled.decode(filled.encode(sample)) == sample,
    }


def claim_000_30() -> dict[str, list[int]]:
    """The ids of the tokens that the printed merges make, in three vocabularies."""
    names = ("qwen3.5", "qwen2.5", "cl100k_base")
    return {name: [ranked(name).token_ids[token] for token in made()] for name in names}


def claim_000_33() -> dict[str, str]:
    """The tokens of a word behind a ByteLevel post-processor, behind BERT's template, and padded too."""
    data = files.to_tokenizer_json(Tokenizer((), "gpt2", ["[CLS]", "[SEP]", "[PAD]"]))
    ids = {token["content"]: token["id"] for token in data["added_tokens"]}
    around = [{"SpecialToken": {"id": token, "type_id": 0}} for token in ("[CLS]", "[SEP]")]
    template = {
        "type": "TemplateProcessing",
        "single": [around[0], {"Sequence": {"id": "A", "type_id": 0}}, around[1]],
        "pair": [],
        "special_tokens": {
            token: {"id": token, "ids": [ids[token]], "tokens": [token]} for token in ("[CLS]", "[SEP]")
        },
    }
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    padding = {"strategy": {"Fixed": 6}, "pad_id": ids["[PAD]"], "pad_token": "[PAD]"}
    ways = {
        "ByteLevel": data | {"post_processor": byte_level},
        "template": data | {"post_processor": template},
        "template and padding": data | {"post_processor": template, "padding": padding},
    }
    return {name: " ".join(Pipeline.from_json(way).encoding("low").tokens) for name, way in ways.items()}
