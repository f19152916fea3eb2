"""Statements on special tokens and chat templates: the tokens of a conversation, and what they cost."""

from typing import Any

from bpe_lessons import chat
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.show import readable

QUESTION = [
    {"role": "system", "content": "You are a helpful assistant."},
    {"role": "user", "content": "你好"},
]


def claim_003_46() -> dict[str, Any]:
    """The id of <|im_start|>, its tokens where it is ordinary text, and whether merges can make it."""
    known, mark = ranked("qwen2.5"), "<|im_start|>"
    return {
        "meant": known.encode(mark, "special"),
        "as text": " ".join(readable(known.vocabulary[id]) for id in known.encode(mark, "text")),
        "made by merges": mark.encode() in known.token_ids,
    }


def claim_003_47() -> dict[str, Any]:
    """A conversation as ids, and how many of them are content and how many template."""
    stream = chat.tokens(QUESTION, chat.TEMPLATES["ChatML"], ranked("qwen2.5"))
    counts = chat.overhead(stream)
    return {
        "ids": [token.id for token in stream],
        "content": sum(content for _, content, _ in counts),
        "template": {role: template for role, _, template in counts},
    }


def claim_003_48() -> dict[str, Any]:
    """What a system text of 2,000 tokens adds to ten requests, and what is new of it with a prefix cache."""
    dialogue = [{"role": role, "content": "Go on."} for _ in range(10) for role in ("user", "assistant")]
    with_it, without = (
        chat.turns(
            [{"role": "system", "content": text}, *dialogue], chat.TEMPLATES["ChatML"], ranked("qwen2.5")
        )
        for text in ("the" + " the" * 1999, "")
    )
    added = [long.prompt - short.prompt for long, short in zip(with_it, without)]
    return {
        "requests": len(added),
        "each": sorted(set(added)),
        "together": sum(added),
        "new with a cache": sum(long.new - short.new for long, short in zip(with_it, without)),
    }


def claim_003_49() -> dict[str, Any]:
    """One conversation in four templates, and how many of the texts differ."""
    written = {name: chat.render(QUESTION, template) for name, template in chat.TEMPLATES.items()}
    return {**written, "different": len(set(written.values()))}
