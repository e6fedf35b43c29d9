"""A study's file: its spec, then a line for each chunk of prompts, each on disk before the next begins."""

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from playground.errors import InvalidInput
from playground.study.row import Row
from playground.study.spec import StudySpec

VERSION = 1
THREADS = "torch_threads"


class Checkpoint:
    """The chunks of one study that are done, in a file that survives a kill: what was begun and not
    finished is lost, and a torn last line is dropped."""

    def __init__(
        self,
        path: Path,
        spec: StudySpec,
        provenance: Mapping[str, Any],
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Open a study's file, or begin it.

        Args:
            path: made if absent; its folder must exist.
            spec: must be the one that the file was begun with.
            provenance: of the model; must be the same too, as other weights give other rows. A file
                from before it held the number of threads is taken as it is.
            clock: in seconds; each chunk's line then says how long it took since the one before it
                or since the file was opened. Without one equal studies make equal files.

        Raises:
            InvalidInput: the file is another study's, or no study's at all.
        """
        self.path = path
        self.chunks: dict[int, tuple[Row, ...]] = {}
        self._seconds: dict[int, float] = {}
        self._clock = clock
        self._since = clock() if clock else 0.0
        head = {"v": VERSION, "spec": spec.model_dump(mode="json"), "provenance": dict(provenance)}
        self._file: BinaryIO = path.open("ab+")
        try:
            whole = self._read(head)
            if not whole and not self._begun(head):
                raise self._foreign()
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write(head)

    def __enter__(self) -> "Checkpoint":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, chunk: int, rows: tuple[Row, ...]) -> None:
        """Keep a finished chunk; it is on disk when this returns."""
        self.chunks[chunk] = rows
        took: dict[str, float] = {}
        if self._clock is not None:
            now = self._clock()
            took["seconds"] = self._seconds[chunk] = round(now - self._since, 3)
            self._since = now
        self._write({"chunk": chunk, **took, "rows": [row.model_dump(mode="json") for row in rows]})

    @property
    def seconds(self) -> float | None:
        """What its chunks took, those of earlier openings too; None where one doesn't say so. Of a
        chunk that was begun and dropped nothing counts."""
        return _sum(self._seconds, self.chunks)

    def _write(self, document: Mapping[str, Any]) -> None:
        self._file.write(_line(document))
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, head: Mapping[str, Any]) -> int:
        """Read the whole lines; their length in bytes."""
        self._file.seek(0)
        length = 0
        for number, document, size in _lines(self._file):
            if number == 0:
                self._same(document, head)
            else:
                found = _chunk(document)
                if found is None:
                    break
                self.chunks[found[0]] = found[1]
                self._seconds |= _took(document)
            length += size
        return length

    def _begun(self, head: Mapping[str, Any]) -> bool:
        """The file, which has no whole line, is empty or holds a torn first line of this study."""
        self._file.seek(0)
        return _line(head).startswith(self._file.read())

    def _foreign(self) -> InvalidInput:
        return InvalidInput(f"{self.path.name} is no study's file.", "Choose another name.", "file")

    def _same(self, found: Any, head: Mapping[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("v") != VERSION or "spec" not in found:
            raise self._foreign()
        mine, known = json.loads(json.dumps(head)), found.get("provenance")
        other = "another model"
        if isinstance(known, dict):
            threads = known.get(THREADS)
            if threads is None:
                mine["provenance"].pop(THREADS, None)
            elif known == {**mine["provenance"], THREADS: threads}:
                other = f"{threads} torch threads"
        for part, what in (("spec", "other settings"), ("provenance", other)):
            if found.get(part) != mine[part]:
                raise InvalidInput(
                    f"{self.path.name} holds a study with {what}.",
                    "Go on with the settings that it was begun with, or choose another name.",
                    "file",
                )


def _line(document: Mapping[str, Any]) -> bytes:
    line = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return line.encode("utf-8", "surrogatepass") + b"\n"


def _lines(file: BinaryIO) -> Iterator[tuple[int, Any, int]]:
    """Each whole line: its number, what it holds, its length in bytes. A torn or damaged line ends it."""
    for number, line in enumerate(file):
        if not line.endswith(b"\n"):
            return
        try:
            yield number, json.loads(line.decode("utf-8", "surrogatepass")), len(line)
        except ValueError:
            if number == 0:
                yield number, None, len(line)
            return


def read_checkpoint(path: Path) -> tuple[StudySpec, dict[str, Any], dict[int, tuple[Row, ...]]]:
    """A study's file, read without touching it: its spec, the model's provenance, its chunks.

    Raises:
        InvalidInput: it is no study's file, or can't be read.
    """
    return read_timed(path)[:3]


def read_timed(
    path: Path,
) -> tuple[StudySpec, dict[str, Any], dict[int, tuple[Row, ...]], float | None]:
    """`read_checkpoint`, and the seconds that its chunks took: None where one doesn't say so.

    Raises:
        InvalidInput: it is no study's file, or can't be read.
    """
    try:
        with path.open("rb") as file:
            documents = [document for _, document, _ in _lines(file)]
        head = documents[0]
        spec = StudySpec.model_validate(head["spec"])
        provenance = dict(head["provenance"])
    except OSError as error:
        raise InvalidInput(f"{path.name} can't be read: {error.strerror}.", where="file") from None
    except (IndexError, KeyError, TypeError, ValueError):
        raise InvalidInput(f"{path.name} is no study's file.", where="file") from None
    chunks, took = dict[int, tuple[Row, ...]](), dict[int, float]()
    for document in documents[1:]:
        found = _chunk(document)
        if found is None:
            break
        chunks[found[0]] = found[1]
        took |= _took(document)
    return spec, provenance, chunks, _sum(took, chunks)


def _chunk(document: Any) -> tuple[int, tuple[Row, ...]] | None:
    """A chunk's number and rows; None for a damaged line, from which on chunks are run again."""
    try:
        rows = tuple(Row.model_validate(row) for row in document["rows"])
        return int(document["chunk"]), rows
    except (KeyError, TypeError, ValueError):
        return None


def _took(document: Any) -> dict[int, float]:
    """Of a chunk's line: its number and its seconds, where it says them."""
    seconds = document.get("seconds")
    known = isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds >= 0
    return {int(document["chunk"]): float(seconds)} if known else {}


def _sum(took: Mapping[int, float], chunks: Mapping[int, Any]) -> float | None:
    return math.fsum(took.values()) if took.keys() >= chunks.keys() else None
