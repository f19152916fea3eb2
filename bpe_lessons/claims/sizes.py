"""Statements on the size of a vocabulary: what it adds up to, what it costs, whether more is better."""

from typing import Any

from bpe_lessons import corpus, measure, vocabularies
from bpe_lessons.claims.cuts import ranked
from bpe_lessons.claims.models import encode
from bpe_lessons.tokenizer import Tokenizer
from bpe_lessons.walkthrough import Rules

# Published figures, typed in: rows, width, whether input and output share a table, all parameters.
MODELS = {
    "Llama-3-70B": (128_256, 8_192, False, 70_553_706_496),
    "Llama-3-8B": (128_256, 4_096, False, 8_030_261_248),
    "Gemma-2-2B": (256_000, 2_304, True, 2_614_341_888),
    "Qwen2.5-1.5B": (151_936, 1_536, True, 1_543_714_304),
    "Llama-3.2-1B": (128_256, 2_048, True, 1_235_814_400),
    "Qwen2.5-0.5B": (151_936, 896, True, 494_032_768),
}


def parts(name: str) -> dict[str, int]:
    """The rows of a real vocabulary by where they come from, their sum, and the highest id + 1."""
    tokenizer = ranked(name)
    rows = {"bytes": 256, "merges": len(tokenizer.merges), "special": len(tokenizer.special_ids)}
    return {**rows, "sum": sum(rows.values()), "highest id + 1": max(tokenizer.vocabulary) + 1}


def claim_000_11() -> dict[str, Any]:
    """How GPT-2's rows add up; and, of a toy training, how often each entry is used when it has ended."""
    steps, vocabulary = Rules().run(corpus.words("walkthrough"), 10)
    uses = {step.new_id: sum(ids.count(step.new_id) * n for ids, n in steps[-1].corpus) for step in steps}
    return {"GPT-2": parts("gpt2"), "uses in the toy": {vocabulary[id].decode(): n for id, n in uses.items()}}


def claim_002_24() -> dict[str, int]:
    """How GPT-2's rows add up."""
    return parts("gpt2")


def claim_002_25() -> dict[str, int]:
    """How the rows of GPT-4o's vocabulary add up; the ids between its two special tokens are not used."""
    return parts("o200k_base")


def claim_002_27() -> dict[str, dict[str, int]]:
    """How the rows of two Qwen vocabularies add up."""
    return {name: parts(name) for name in ("qwen2.5", "qwen3.5")}


def claim_002_28() -> dict[str, Any]:
    """Bytes per token of one English text, the vocabularies in the order of their size."""
    names = sorted(vocabularies.NAMES, key=lambda name: len(vocabularies.load(name)))
    text = corpus.text("english_heldout")
    found = {name: round(measure.bytes_per_token(text, encode(name, text)), 2) for name in names}
    return {"bytes per token": found, "larger is better": list(found.values()) == sorted(found.values())}


def claim_003_01() -> dict[str, float]:
    """How many times 18 tokens cost what 4 cost: in the KV cache, and in attention."""
    return {
        "KV cache": measure.cache_bytes(18, 4_096, 32) / measure.cache_bytes(4, 4_096, 32),
        "attention": measure.attention_cost(18, 4_096, 32) / measure.attention_cost(4, 4_096, 32),
    }


def claim_003_02() -> int:
    """The parameters of the input and output tables of 128,256 rows and 4,096 columns."""
    return measure.embedding_parameters(128_256, 4_096)


def claim_003_09() -> dict[str, Any]:
    """The exponent of English words on three stretches of ranks; what the commonest cover, in per cent."""
    counts = corpus.word_counts("en")
    stretches = ((1, 1000), (10, 1000), (1000, 10_000))
    share = measure.coverage(counts, 1e9)
    return {
        "exponent": {f"{a}-{b}": round(-measure.least_squares(counts, a, b).slope, 2) for a, b in stretches},
        "covered": {str(words): round(100 * float(share[words]), 1) for words in (10, 100, 1000)},
    }


claim_003_35 = claim_002_24
claim_003_38 = claim_002_27


def claim_003_51() -> dict[str, int]:
    """The parameters of the input and output tables for two numbers of rows."""
    return {str(rows): measure.embedding_parameters(rows, 4_096) for rows in (32_000, 128_256)}


def claim_003_52() -> Any:
    """The share of the tables in all parameters of published models, in per cent."""
    return (100 * measure.embedding_ledger(MODELS)["share"]).round(1).to_dict()


def claim_004_12() -> dict[str, Any]:
    """The rows that 65,280 merges make, real ones taken, and whether that is a power of two."""
    merges = ranked("cl100k_base").merges[:65_280]
    rows = len(Tokenizer(merges))
    return {"merges": len(merges), "rows": rows, "is 2 to the power of 16": rows == 1 << 16}
