"""The command line: bpe-lessons, or python -m bpe_lessons."""

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from bpe_lessons import __version__, corpus, engine, text, walkthrough
from bpe_lessons.split import PATTERNS
from bpe_lessons.tokenizer import Tokenizer


class Parser(argparse.ArgumentParser):
    """Bad input ends with exit code 2 and one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def utf8(argument: str) -> str:
    """An argument read as UTF-8, whatever the locale."""
    try:
        data = os.fsencode(argument)
    except UnicodeEncodeError:
        return argument  # no shell gave it: `main` was called from Python
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise argparse.ArgumentTypeError("this argument is not UTF-8") from None


def positive(argument: str) -> int:
    """An argument that counts something: 1 or more."""
    number = whole(argument)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{argument!r} is not a whole number of at least 1")
    return number


def whole(argument: str) -> int:
    """A whole number of sensible length."""
    if not re.fullmatch("-?[0-9]{1,18}", argument):
        raise argparse.ArgumentTypeError(f"{argument!r} is not a whole number")
    return int(argument)


def parse_words(arguments: Sequence[str]) -> dict[str, int]:
    """`low:5 lower` as {"low": 5, "lower": 1}; a word given twice adds up. ValueError for a bad count."""
    words: dict[str, int] = {}
    for argument in arguments:
        word, colon, number = argument.rpartition(":")
        if not colon:
            word, number = argument, "1"
        if not word or not re.fullmatch("0*[1-9][0-9]{0,8}", number):
            raise ValueError(f"{argument!r} is not a word with a count; write it as low:5")
        words[word] = words.get(word, 0) + int(number)
    return words


def run_walkthrough(options: argparse.Namespace) -> None:
    """Show a walkthrough round by round, or say where the reader's own list comes from."""
    from bpe_lessons import show

    words = parse_words(options.words) or corpus.words("walkthrough")
    print("corpus: " + ", ".join(f"{show.readable(text.to_bytes(word))} x{n}" for word, n in words.items()))
    marker = options.marker
    if marker is None:
        marker = "</w>" if "</w>" in (options.mine or "") else "_"
    if options.mine is not None:
        merges = walkthrough.parse_merges(options.mine, marker)
        found = walkthrough.identify(merges, words, marker)
        if found.stuck:
            as_glyphs = walkthrough.identify(walkthrough.read_as_glyphs(merges), words, marker)
            found = found if as_glyphs.stuck else as_glyphs
        print(show.verdict(found))
        return
    rules = walkthrough.Rules(options.form, options.ties, options.alphabet, marker)
    start, alphabet = rules.start(words)
    steps, vocabulary = rules.run(words, options.steps)
    print(
        f"form {rules.form}: {walkthrough.FORMS[rules.form]}; alphabet {rules.alphabet}; ties {rules.ties}\n"
    )
    print(f"{show.corpus(start, alphabet)}\n\n{show.steps(steps, vocabulary)}")
    if len(steps) < options.steps:
        print(f"\nstopped after {len(steps)} merges: no pair left")


def run_train(options: argparse.Namespace) -> None:
    """Train on a file and save the tokenizer."""
    from tqdm import tqdm

    folder = os.path.dirname(options.output) or "."
    if os.path.lexists(options.output) and not options.force:
        raise ValueError(f"{options.output} exists; --force overwrites it")
    if not os.path.basename(options.output) or not os.path.isdir(folder):
        raise ValueError(f"{options.output!r} is no file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"no file can be written into {folder}")
    size = {"merges": options.merges} if options.merges is not None else {"vocab_size": options.vocab_size}
    source = read_pieces(options)
    with tqdm(desc="merging", unit=" merges", disable=None, leave=False) as bar:
        tokenizer = Tokenizer.train(
            source,
            **size,
            pattern=options.pattern,
            ties=options.ties,
            alphabet=options.alphabet,
            min_frequency=options.min_frequency,
            special_tokens=options.special_token,
            on_merge=lambda learned: bar.update(),
        )
    tokenizer.save(options.output, overwrite=options.force)
    print(f"{options.output}: {tokenizer}; stopped: {tokenizer.stopped}")


def read_pieces(options: argparse.Namespace) -> str | dict[str, int]:
    """What to train on: the counted pieces of a file, never held whole, or the text where that cannot be."""
    from tqdm import tqdm

    path = Path(options.file)
    if options.file == "-" or options.special_token or options.encoding.lower() not in ("utf-8", "utf8"):
        return read_source(options)
    Tokenizer((), options.pattern)  # a bad pattern is told before the counting
    with tqdm(
        desc="counting", total=path.stat().st_size, unit="B", unit_scale=True, disable=None, leave=False
    ) as bar:
        counts: dict[str, int] = with_encoding_hint(
            lambda: engine.count(path, options.pattern, os.cpu_count() or 1, on_read=bar.update)
        )
        return counts


def with_encoding_hint(read: Callable[[], Any]) -> Any:
    """What `read` gives; where an encoding does not fit, the error says how to name another."""
    try:
        return read()
    except ValueError as error:
        also = "; --encoding names another" if "it may be" in str(error) else ""
        raise ValueError(f"{error}{also}") from None


def read_source(options: argparse.Namespace) -> str:
    """The text of FILE."""
    source: str = with_encoding_hint(lambda: text.read(options.file, options.encoding))
    return source


def run_encode(options: argparse.Namespace) -> None:
    """Print the ids of a text on one line."""
    tokenizer = Tokenizer.load(options.tokenizer)
    source = options.text if options.text is not None else read_source(options)
    print(*tokenizer.encode(source, options.special))


def run_decode(options: argparse.Namespace) -> None:
    """Write the text of ids, exactly."""
    tokenizer = Tokenizer.load(options.tokenizer)
    words = text.read(options.file).translate(str.maketrans("[],", "   ")).split()
    for word in words:
        if not re.fullmatch("-?[0-9]{1,18}", word):
            raise ValueError(f"{word!r} is not an id; ids are whole numbers with spaces between")
    data = tokenizer.decode_bytes(map(int, words))
    whole = data.decode("utf-8", "replace").encode()
    if whole != data:
        print("note: these bytes are not whole UTF-8; U+FFFD stands for what is broken", file=sys.stderr)
    sys.stdout.buffer.write(whole + b"\n" * sys.stdout.isatty())


def run_lab(options: argparse.Namespace) -> int:
    """Copy the lessons to work/ and open JupyterLab."""
    from bpe_lessons import workspace

    for path in workspace.make_copies():
        print(f"copied to {path}")
    return workspace.open_lab(options.jupyter)


def run_reset(options: argparse.Namespace) -> None:
    """Restore one lesson in work/."""
    from bpe_lessons import workspace

    lesson_path, backup = workspace.restore(options.lesson)
    print(f"{lesson_path} is as shipped" + (f"; your copy is kept as {backup.name}" if backup else ""))


def run_progress(options: argparse.Namespace) -> None:
    """Run the notebooks in work/ and print which exercises pass."""
    from tqdm import tqdm

    from bpe_lessons import workspace

    done = {}
    for number, states in tqdm(workspace.progress(), unit=" lessons", disable=None, leave=False):
        done[number] = states
    if not done:
        print(f"no lessons in {workspace.WORK} yet; bpe-lessons lab makes them")
    for number, states in done.items():
        passed = list(states.values()).count("all pass")
        print(f"lesson {number}: {passed} of {len(states)} pass")
        for id, state in states.items():
            print(f"  {id}  {state}")


def run_bench(options: argparse.Namespace) -> None:
    """Measure this package beside the libraries that are installed and print the report."""
    from tqdm import tqdm

    from bpe_lessons import bench, peers

    size = options.size or (2 if options.quick else 10)
    if size > 1000:
        raise ValueError(f"--size is {size} MB; 1000 is the most")
    texts = {name: bench.fit(text.read(name), (options.size or 0) * 10**6) for name in options.corpus}
    texts = texts or bench.found_texts(size * 10**6)
    contests = peers.contests(texts, peers.SIZES[:1] if options.quick else peers.SIZES)
    runs = 1 if options.quick else 3
    tqdm.monitor_interval = 0  # a thread of its own would keep our processes from starting by fork
    with tqdm(
        total=runs * sum(len(contest.entries) for contest in contests),
        unit=" runs",
        disable=None,
        leave=False,
    ) as bar:

        def on_run(what: str) -> None:
            bar.set_description_str(what)
            bar.update()

        report = bench.report(texts, contests, peers.installed(), runs, on_run)
    print(json.dumps(report, indent=1) if options.json else show_report(report))


def show_report(report: dict[str, Any]) -> str:
    """A report for the eye."""
    from bpe_lessons import show

    known = [f"{name} {version or 'not installed'}" for name, version in report["peers"].items()]
    lines = [
        f"bpe-lessons {report['bpe_lessons']}, Python {report['python']}, {report['platform']}, "
        f"{report['cores']} cores"
        + ("" if report["load"] is None else f", load {report['load']:.1f} at the start"),
        f"peers: {', '.join(known)}",
        *(f"text {t['name']}: {t['bytes']:,} bytes, sha256 {t['sha256'][:12]}" for t in report["texts"]),
        f"seed {report['seed']}, {report['runs']} runs in turn, their median; "
        "spread: (slowest - fastest) / median",
        "ratio: time of bpe-lessons / time of the peer, where the outputs are equal",
        "",
    ]
    rows: list[tuple[object, ...]] = []
    for contest in report["contests"]:
        what = f"{contest['work']} ({contest['text']})"
        for row in contest["rows"]:
            seconds = "" if row["median"] is None else f"{row['median']:.3f} s"
            spread = "" if row["spread"] is None else f"{row['spread']:.0%}"
            ratio = row["note"] or ("no ratio" if row["ratio"] is None else f"{row['ratio']:.3g}")
            rows.append((what, row["name"], row["uses"], seconds, spread, ratio))
            what = ""
    head = ("work", "who", "uses", "time", "spread", "ratio")
    return "\n".join(lines) + repr(show.table(head, rows))


def parser() -> Parser:
    """The parser of all commands."""
    main = Parser(
        prog="bpe-lessons", description="Byte pair encoding: the lessons, and the same from the command line."
    )
    main.add_argument("--version", action="version", version=__version__)
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Any, help: str, **settings: Any) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help, **settings)
        command.set_defaults(run=run)
        return command

    command = add(
        "walkthrough",
        run_walkthrough,
        "train on a few words, round by round, or identify your own list of merges",
    )
    command.add_argument(
        "words",
        nargs="*",
        type=utf8,
        metavar="WORD:COUNT",
        help="for example low:5 lower:2 (default: the low / lower / newest / widest corpus)",
    )
    command.add_argument(
        "--mine",
        type=utf8,
        metavar="LIST",
        help='your list of merges, "es est lo" or "e s, es t" or a printed Python list: which rules give it?',
    )
    command.add_argument(
        "--form",
        choices=list(walkthrough.FORMS),
        default="plain",
        help="how words are written: "
        + "; ".join(f"{name}: {what}" for name, what in walkthrough.FORMS.items())
        + " (default: plain)",
    )
    command.add_argument(
        "--marker",
        type=utf8,
        help="the end-of-word marker of the forms own and glued (default: _)",
    )
    command.add_argument(
        "--alphabet",
        choices=walkthrough.ALPHABETS,
        default="characters",
        help="the start symbols and their order (default: characters)",
    )
    command.add_argument(
        "--ties",
        choices=walkthrough.TIES,
        default="first",
        help="who wins among pairs of equal count (default: first)",
    )
    command.add_argument("--steps", type=positive, default=10, help="how many merges at most (default: 10)")

    command = add("train", run_train, "train a tokenizer on a file")
    command.add_argument("file", metavar="FILE", help="a text file, or - for standard input")
    command.add_argument("-o", "--output", required=True, metavar="OUT", help="the JSON file to write")
    size = command.add_mutually_exclusive_group()
    size.add_argument(
        "--vocab-size", type=whole, default=1000, help="256 bytes + merges + special tokens (default: 1000)"
    )
    size.add_argument("--merges", type=whole, help="the number of merges instead")
    command.add_argument(
        "--pattern",
        type=utf8,
        default="gpt4",
        help=f"how text is cut into pieces: {', '.join(PATTERNS)}, or a regular expression (default: gpt4)",
    )
    command.add_argument(
        "--ties",
        choices=walkthrough.TIES,
        default="first",
        help="who wins among pairs of equal count (default: first)",
    )
    command.add_argument(
        "--alphabet",
        choices=["bytes", "glyphs"],
        default="bytes",
        help="the order of the 256 byte ids (default: bytes)",
    )
    command.add_argument(
        "--min-frequency", type=positive, default=1, help="stop when no pair occurs so often (default: 1)"
    )
    command.add_argument(
        "--special-token", type=utf8, action="append", default=[], help="a special token; may be given again"
    )
    command.add_argument("--force", action="store_true", help="overwrite OUT")
    command.add_argument("--encoding", default="utf-8", help="the encoding of FILE (default: utf-8)")

    command = add("encode", run_encode, "print the ids of a text")
    command.add_argument("tokenizer", metavar="TOKENIZER", help="a file that train wrote")
    command.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a text file (default: standard input)"
    )
    command.add_argument("--text", type=utf8, help="encode this text instead of a file")
    command.add_argument(
        "--special",
        choices=["raise", "text", "special"],
        default="raise",
        help="what a special token spelled out in the text is (default: raise an error)",
    )
    command.add_argument("--encoding", default="utf-8", help="the encoding of FILE (default: utf-8)")

    command = add("decode", run_decode, "write the text of ids")
    command.add_argument("tokenizer", metavar="TOKENIZER", help="a file that train wrote")
    command.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a file of ids (default: standard input)"
    )

    command = add("bench", run_bench, "train and encode beside the tokenizer libraries that are installed")
    command.add_argument(
        "--corpus",
        type=utf8,
        action="append",
        default=[],
        metavar="FILE",
        help="a UTF-8 text to use instead of those found on this machine; may be given again",
    )
    command.add_argument(
        "--size",
        type=positive,
        metavar="MB",
        help="cut or repeat each text to this size (default: 10, with --quick 2; a file as it is)",
    )
    command.add_argument("--quick", action="store_true", help="one run, the small vocabulary only")
    command.add_argument("--json", action="store_true", help="print the report as JSON")

    lab_help = "copy the lessons to work/ and open JupyterLab there; further options go to jupyter lab"
    add("lab", run_lab, lab_help)
    command = add("reset", run_reset, "restore one lesson in work/, keeping a backup of yours")
    command.add_argument("lesson", metavar="LESSON", help="the number of the lesson, such as 02")
    add("progress", run_progress, "run your notebooks in work/ and show which exercises pass")
    return main


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0, or 2 after a sentence about bad input."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # errors have nowhere to go
    if sys.stdout is None:
        return complain("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    options = parse(arguments)
    try:
        code = options.run(options) or 0
        sys.stdout.flush()
        return int(code)
    except BrokenPipeError:
        sys.stdout = None  # the reader has gone; nothing is left to flush
        return 0
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except OSError as error:
        with suppress(OSError):
            sys.stdout.close()  # what it still holds cannot be written
        sys.stdout = None
        return complain(
            f"{options.command}: {error.filename or 'standard output'}: {error.strerror or error}"
        )
    except ValueError as error:
        return complain(f"{options.command}: {error}")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of a command. Options may stand before, between and after the words and files."""
    commands = parser()
    options, rest = commands.parse_known_args(arguments)
    if options.command == "lab":
        options.jupyter = rest
        return options
    plain = [word for word in rest if not word.startswith("-")]
    if options.command == "walkthrough":
        options.words += map(utf8, plain)
    elif options.command in ("encode", "decode") and options.file == "-" and len(plain) == 1:
        options.file = plain[0]
    elif plain:
        commands.error(f"{options.command} does not know {' '.join(rest)}")
    if len(plain) < len(rest):
        commands.error(f"{options.command} does not know {' '.join(w for w in rest if w not in plain)}")
    return options


def complain(message: str) -> int:
    """Print one sentence about bad input; the exit code for it."""
    with suppress(OSError):
        print(f"bpe-lessons {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
