"""The same `train`, `encode` and `count` as the lessons, fast. The lessons are the specification."""

from bpe_lessons.engine.count import add_up, count, workers
from bpe_lessons.engine.cut import Cutter
from bpe_lessons.engine.encode import Encoder, merge_by_rank, merge_piece
from bpe_lessons.engine.train import Rows, Trained, spell, train

__all__ = [
    "Cutter",
    "Encoder",
    "Rows",
    "Trained",
    "add_up",
    "count",
    "merge_by_rank",
    "merge_piece",
    "spell",
    "train",
    "workers",
]
