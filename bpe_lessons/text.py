"""Text at the border: what comes in as it is, files that go out whole or not at all."""

import errno
import json
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from charset_normalizer import from_bytes

LARGEST = 200_000_000  # bytes of a file


def to_bytes(text: str) -> bytes:
    """The UTF-8 bytes of a text. Raises ValueError naming the first lone surrogate and its position."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"character {error.start} is the surrogate U+{ord(text[error.start]):04X}, "
            "which no UTF-8 text can hold; bpe_lessons.text.repair(text) joins the two halves of a pair "
            "and replaces a lone one by U+FFFD"
        ) from None


def repair(text: str) -> str:
    """The text with surrogate pairs joined and every lone surrogate replaced by U+FFFD; all else as it was.

    >>> repair("a\\ud83d\\ude80b") == "a\\U0001f680b", repair("a\\ud83d") == "a\\ufffd"
    (True, True)
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read(path: str | Path, encoding: str = "utf-8") -> str:
    """The text of a file, or of standard input for `-`, line ends as they are, without a byte order mark.

    Raises ValueError that names the byte offset where the encoding does not fit, and a likely encoding.
    """
    if str(path) == "-" and sys.stdin is None:
        raise OSError(errno.EBADF, "is closed", "standard input")
    data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    name = "standard input" if str(path) == "-" else path
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = f"byte {data[error.start]:#04x} at offset {error.start}"
        cut_off = error.end == len(data) and error.reason == "unexpected end of data"
        if cut_off and not data[: error.start].isascii():
            raise ValueError(f"{name} ends inside a character: {found}") from None
        raise ValueError(f"{name} is not {encoding}: {found}{suggestion(data)}") from None
    except (LookupError, ValueError):
        raise ValueError(
            f"unknown encoding {encoding!r}; for example utf-8, gb18030, utf-16, cp1252"
        ) from None


def read_json(path: str | Path) -> Any:
    """The content of a JSON file. Raises ValueError naming the line or the key that is wrong.

    A file of over 200 MB, a key that is there twice, NaN, and nesting beyond Python's limit are refused.
    """
    with naming(path):
        if Path(path).stat().st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST:,} bytes")
        return parse_json(read(path))


def parse_json(text: str | bytes) -> Any:
    """The content of some JSON. Raises ValueError for a key that is there twice and for NaN."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Turn what goes wrong inside with a file into a ValueError that begins with the file's name."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}: line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deep") from None
    except ValueError as error:
        raise ValueError(error if str(error).startswith(str(path)) else f"{path}: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice")
        found[key] = value
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def suggestion(data: bytes) -> str:
    """Half a sentence that names the likely encoding of some bytes, or nothing."""
    sample = data[:100_000]
    names = [name for match in from_bytes(sample) for name in match.could_be_from_charset]
    if b"\0" not in sample and not sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        names = [name for name in names if not name.startswith("utf")]
    thin = sum(byte > 127 for byte in sample) < 20
    for common in ("gb18030", "cp1252") if thin else ("cp1252",):  # with little to go by, the common one
        if common in names:
            names.insert(0, common)
            break
    return f"; it may be {names[0]}" if names else ""


def write(path: str | Path, data: bytes, overwrite: bool = False) -> None:
    """Write a file whole or not at all: a crash leaves what was there before. A link is followed.

    Raises FileExistsError when the file exists and `overwrite` is false, OSError when the place is no
    ordinary file or cannot be written.
    """
    target = Path(os.path.realpath(path))
    if target.exists():
        if not target.is_file():
            raise OSError(errno.EINVAL, "not an ordinary file", str(path))
        if not overwrite:
            raise FileExistsError(errno.EEXIST, "exists and is not overwritten unless asked", str(path))
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, "is read-only", str(path))
    draft = target.parent / f".{secrets.token_hex(8)}.draft"
    try:
        with open(draft, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(draft, target.stat().st_mode & 0o777)
        os.replace(draft, target)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(draft):
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise


def refused(special_token: str, place: int) -> ValueError:
    """The error for a special token spelled out in a text where it is not expected, `place` in characters."""
    return ValueError(
        f"the text spells the special token {special_token!r} at character {place}; "
        "say special='text' to read it as text or special='special' to mean the token"
    )
