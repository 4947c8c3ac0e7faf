#!/usr/bin/env python3
"""Tests of the adapters without the engines: a program that stands for the engine replays recorded dialogues.

Each file in dialogues/ has the adapter and its options in its first line, then the lines of `--record`. To renew one with the engine:

    python3 test_dialogues.py renew dialogues/magpie-search.txt --program bin/magpie --data data
"""

import json
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIALOGUES = sorted(HERE.glob("dialogues/*.txt"))


def read(path):
    """The adapter and its options, and the recorded lines as pairs of a kind and a text."""
    first, *lines = Path(path).read_text(encoding="utf-8").splitlines()
    return first.split(" ")[1:], [(line[0], line[2:]) for line in lines]


def texts(dialogue, kind):
    return [text for other, text in dialogue if other == kind]


def run(adapter, arguments, requests):
    """Runs an adapter on lines from the match."""
    command = [sys.executable, HERE / adapter, *arguments]
    return subprocess.run(command, input="".join(line + "\n" for line in requests), capture_output=True, encoding="utf-8", timeout=60)


def replay(path, arguments):
    """Stands for the engine: checks the lines that it gets, and prints the recorded answers."""
    for kind, text in read(path)[1]:
        got = " ".join(arguments) if kind == "$" else sys.stdin.readline().rstrip("\n") if kind == ">" else text
        if got != text:
            sys.exit(f"fatal: the line {got!r} is not the recorded {text!r}")
        if kind == "<":
            print(text, flush=True)
        if kind == "!":
            time.sleep(60)


def renew(path, arguments):
    """Records a dialogue with the engine, for the same lines from the match."""
    options, dialogue = read(path)
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "record")
        result = run(options[0], [*options[1:], *arguments, "--record", record], texts(dialogue, "="))
        if result.returncode:
            sys.exit(result.stderr)
        Path(path).write_text(f"# {' '.join(options)}\n{record.read_text(encoding='utf-8')}", encoding="utf-8")


class Dialogues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def play(self, path, dialogue=None, requests=None, arguments=()):
        """Plays a dialogue, or a changed one, with the engine's stand-in. Returns the recorded dialogue and the result."""
        options, recorded = read(path)
        script = self.folder / "script"
        lines = [f"{kind} {text}\n" for kind, text in dialogue or recorded]
        script.write_text("".join(["# changed\n", *lines]), encoding="utf-8")
        engine = self.folder / "engine"
        engine.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" replay "{script}" "$@"\n', encoding="utf-8")
        engine.chmod(0o755)
        tiles = json.loads(texts(recorded, "=")[0])["tiles"]
        for name, small in (("english.csv", str.lower), ("english", None)):
            rows = [[label, *([small(label)] if small else []), str(count), str(points), "0"] for label, count, points in tiles]
            self.write(f"letterdistributions/{name}", "\n".join(map(",".join, rows)))
        for name in ("lexica/NWL23", "lexica/gaddag/NWL23"):
            self.write(f"{name}.kwg")
            self.write(f"{name}.klv2")
        arguments = [*options[1:], "--program", engine, "--data", self.folder, *arguments]
        return recorded, run(options[0], arguments, texts(recorded, "=") if requests is None else requests)

    def write(self, name, text=""):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_a_dialogue_is_replayed(self):
        moves = []
        for path in DIALOGUES:
            recorded, result = self.play(path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.splitlines(), texts(recorded, ":"))
            moves += [json.loads(line).get("move", "") for line in texts(recorded, ":")]
        self.assertIn("pass", moves)
        self.assertTrue(any(move.startswith("-") for move in moves), "no exchange")
        self.assertTrue(any(any(letter.islower() for letter in move) for move in moves if move != "pass"), "no blank")

    def test_other_rules_tiles_and_boards_are_refused(self):
        changes = {
            "bingo_bonus": 40, "exchange_minimum": 1, "passes_limit": 4, "rack_size": 8, "tiles": [["?", 2, 0], ["A", 8, 1]],
            "tileset": "klingon", "start": "1A", "premiums": [".. .."]}
        for path in DIALOGUES:
            hello = json.loads(texts(read(path)[1], "=")[0])
            for key, value in changes.items():
                _, result = self.play(path, requests=[json.dumps({**hello, key: value})])
                answer = json.loads(result.stdout)
                self.assertEqual((answer["type"], result.returncode), ("refuse", 1))
                self.assertIn(answer["reason"], result.stderr)

    def test_a_missing_lexicon_is_refused(self):
        for path in DIALOGUES:
            _, result = self.play(path, arguments=["--lexicon", "CSW24"])
            self.assertIn("CSW24.kwg", json.loads(result.stdout)["reason"])

    def ends(self, path, dialogue, reason, arguments=()):
        """Checks that the adapter gives its name and no move."""
        _, result = self.play(path, dialogue, arguments=arguments)
        self.assertEqual((len(result.stdout.splitlines()), result.returncode), (1, 1), result.stdout)
        self.assertIn(reason, result.stderr)

    def test_an_engine_that_ends_or_hangs_ends_the_adapter(self):
        for path in DIALOGUES:
            dialogue = read(path)[1]
            ready = [kind for kind, _ in dialogue].index(":")
            self.ends(path, dialogue[: ready + 4], "the engine ended with exit code 0")
            self.ends(path, [*dialogue[: ready + 4], ("!", "")], "the engine hangs", ["--patience", "0.5"])
            self.ends(path, [*dialogue[: ready + 2], (">", "other")], "the recorded 'other'")

    def test_nonsense_ends_the_adapter(self):
        """No move is made up from an answer without one, from an error, or from a move that the rack does not have."""
        answers = {"hm": "no move", "Error: no luck": "Error: no luck", "(error 5) no": "error 5", "1: 8D ZZZZ 99": "more tiles than the rack"}
        for path in DIALOGUES:
            dialogue = read(path)[1]
            ready = [kind for kind, _ in dialogue].index(":")
            first = next(at for at, line in enumerate(dialogue) if at > ready and re.match(" *1:", line[1]))
            for answer, reason in answers.items():
                # Without a second move there is no simulation.
                rest = [line for line in dialogue[first + 1:] if not re.match(" *[23]:", line[1])]
                self.ends(path, [*dialogue[:first], ("<", answer), *rest], reason)


if __name__ == "__main__":
    if sys.argv[1:2] == ["replay"]:
        replay(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:2] == ["renew"]:
        renew(sys.argv[2], sys.argv[3:])
    else:
        unittest.main()
