"""The texts and word counts of the course, by name: its own, and published lists that need no network."""

import json
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
# A checkout keeps data/ and notebooks/ beside the package, a wheel carries them inside.
ROOT = HERE if (HERE / "data").is_dir() else HERE.parent

TEXTS = (
    "english",
    "english_heldout",
    "chinese",
    "chinese_heldout",
    "code",
    "code_heldout",
    "mixed",
)


def text(name: str) -> str:
    """A sample text: `english`, `chinese`, `code`, each also as `..._heldout` (never trained on), or `mixed`.

    Raises ValueError for any other name.
    """
    if name not in TEXTS:
        raise ValueError(f"unknown text {name!r}; known: {', '.join(TEXTS)}")
    return (ROOT / "data" / f"{name}.txt").read_bytes().decode("utf-8")


def words(name: str) -> dict[str, int]:
    """The words of a toy corpus with their counts, in the order first seen, for example `walkthrough`.

    Raises ValueError for an unknown name.

    >>> words("walkthrough")
    {'low': 5, 'lower': 2, 'newest': 6, 'widest': 3}
    """
    toys: dict[str, dict[str, int]] = json.loads((ROOT / "data" / "toy.json").read_bytes())
    if name not in toys:
        raise ValueError(f"unknown toy corpus {name!r}; known: {', '.join(toys)}")
    return toys[name]


def parallel() -> dict[str, list[str]]:
    """The same everyday sentences in many languages: language code -> sentences, in one order for all.

    They were written for this course and are not proof-read by native speakers: good for an illustration.
    """
    rows = (ROOT / "data" / "parallel.tsv").read_bytes().decode("utf-8").rstrip("\n").split("\n")
    codes, *sentences = (row.split("\t") for row in rows)
    return {code: list(column) for code, column in zip(codes, zip(*sentences))}


def word_counts(language: str, most: int | None = None) -> dict[str, int]:
    """How often the words of a language occur in a billion words, most frequent first (`en`, `zh`, ...).

    `most` takes only so many. From the package wordfreq, which rounds to a hundredth of a power of ten,
    writes numbers of several digits in zeros and ends at 10 in a billion (some languages at 1,000). Raises
    ValueError for a language it has no list of.

    >>> word_counts("en", 2)
    {'the': 53703180, 'to': 26915348}
    """
    import wordfreq

    known = wordfreq.available_languages("best")
    if language not in known:
        raise ValueError(f"no word counts for {language!r}; known: {', '.join(sorted(known))}")
    frequencies = wordfreq.get_frequency_dict(language, "best")
    return {word: round(1e9 * share) for word, share in islice(frequencies.items(), most)}


def names(language: str) -> dict[str, str]:
    """What a language calls countries, regions and languages, such as `territory DE` -> `Germany`.

    From the Unicode CLDR, through the package babel. Raises ValueError for a language it does not hold.

    >>> names("fi")["territory DE"]
    'Saksa'
    """
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError, TypeError):
        raise ValueError(f"no names in the language {language!r}; its code is two or three letters") from None
    kinds = {"territory": locale.territories, "language": locale.languages}
    return {f"{kind} {code}": kinds[kind][code] for kind in kinds for code in sorted(kinds[kind])}
