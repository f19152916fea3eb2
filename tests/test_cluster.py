"""Counting on a Dask cluster: the answer of one machine, even when a worker is killed."""

import os
import threading
import time

import pytest

from bpe_lessons import corpus, engine, split

distributed = pytest.importorskip("distributed")
ALPHABET = {id: bytes([id]) for id in range(256)}


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def shards(tmp_path):
    """Ten files that end at safe places, and a few that break readers."""
    paths = []
    text = corpus.text("english") + " \n" + corpus.text("mixed")
    for part in [*engine.Cutter(split.find_pattern("gpt4")).stretches(text, 18_000), "", "\r\n", "低" * 99]:
        paths.append(tmp_path / f"{len(paths)}.txt")
        paths[-1].write_bytes(part.encode())
    return paths


def merges(counts, ties="first"):
    return engine.train(engine.spell(counts, range(256)), ALPHABET, 300, ties).merges


def test_the_answer_is_that_of_one_machine(client, shards):
    far, near = engine.count(shards, client=client), engine.count(shards)
    assert list(far.items()) == list(near.items())
    for ties in ("first", "smallest", "greatest"):
        assert merges(far, ties) == merges(near, ties)


def test_the_order_of_the_files_counts_and_not_that_of_the_workers(client, shards):
    for paths in (shards, shards[::-1]):
        assert list(engine.count(paths, client=client)) == list(engine.count(paths))


def test_pattern_and_strings_for_paths(client, shards):
    far = engine.count(map(str, shards), "o200k", client=client)
    assert list(far.items()) == list(engine.count(shards, "o200k").items())


def test_a_bad_file_is_named(client, shards):
    shards[3].write_bytes(b"good \xff bad")
    with pytest.raises(ValueError, match=r"3\.txt is not utf-8: byte 0xff at offset 5"):
        engine.count(shards, client=client)


def test_a_client_counts_files_and_no_text(client):
    with pytest.raises(ValueError, match="files, not a text"):
        engine.count("low low", client=client)


def pids(client):
    return sorted(client.run(os.getpid).values())


def test_a_worker_killed_midway_changes_nothing(client, shards):
    """The files grow until counting takes a while; one worker is killed when it has begun."""
    for path in shards[:-3]:
        path.write_bytes(path.read_bytes() * 60)
    near = engine.count(shards)
    before = pids(client)
    killed = []

    def kill_soon():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            busy = [address for address, keys in client.processing().items() if keys]
            if busy:
                pid = client.run(os.getpid, workers=[busy[0]])[busy[0]]
                os.kill(pid, 9)
                killed.append(pid)
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill_soon)
    killer.start()
    far = engine.count(shards, client=client)
    killer.join()
    assert killed and killed[0] in before
    assert list(far.items()) == list(near.items())
    assert merges(far) == merges(near)
    client.wait_for_workers(2, timeout=30)
    assert killed[0] not in pids(client)
