"""The parts of both adapters: the protocol of external players (docs/engines.md), and the engine as a child process.

Standard output belongs to the protocol. Every failure is explained on standard error and ends the adapter with exit code 1.
"""

import argparse
import atexit
import contextlib
import hashlib
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# The standard board: the SHA-256 of the rows in `premiums` of `hello`, joined by line ends.
STANDARD_BOARD = "b3b6303ed4c1d60dc4bb64d1ba20b45bfb51c6cc5c575c33b87f5bd92ad92200"
RULES = {"start": "8H", "rack_size": 7, "bingo_bonus": 50, "exchange_minimum": 7, "scoreless_limit": 6, "passes_limit": None,
         "tiles_left": "twice"}
# A move as both engines print it.
MOVE = r"(?P<move>\(exch [^ )]+\)|\(?[Pp]ass\)?|(?:[0-9]+[A-Z]|[A-Z][0-9]+) [^ ]+)"
UNLIMITED = 10**9  # More iterations than any time limit allows.


class Refusal(Exception):
    """The reason why the engine cannot play the match, or cannot go on."""


def options(description):
    """Reads the options, which are the same for both adapters."""
    parser = argparse.ArgumentParser(description=description)
    add, path = parser.add_argument, lambda name: Path(name).expanduser().resolve()
    add("--program", required=True, type=path, help="the engine's program")
    add("--data", required=True, type=path, help="the engine's data folder")
    add("--lexicon", required=True, help="the lexicon's name in the data folder, such as NWL23")
    add("--simulate", type=float, metavar="SECONDS", help="simulate the best moves for this time")
    add("--iterations", type=int, metavar="N", help="iterations of a simulation, of all moves together")
    add("--plies", type=int, default=2, help="plies of a simulation after the move [default: 2]")
    add("--candidates", type=int, default=15, help="moves to simulate [default: 15]")
    add("--confidence", type=int, default=99, help="percent of confidence that end a simulation [default: 99]")
    add("--endgame", type=float, metavar="SECONDS", help="solve endgames, each move in this time")
    add("--endgame-plies", type=int, default=25, metavar="N", help="greatest depth of endgames [default: 25]")
    add("--pre-endgame", type=float, metavar="SECONDS", help="solve pre-endgames, each move in this time")
    add("--bag", type=int, default=1, choices=range(1, 5), help="most tiles in the bag for --pre-endgame [default: 1]")
    add("--threads", type=int, default=1, help="threads of the engine [default: 1]")
    add("--memory", type=float, default=0.01, help="share of the machine's memory for endgames [default: 0.01]")
    add("--patience", type=float, default=60, help="seconds beyond a search after which the engine hangs [default: 60]")
    add("--record", type=Path, metavar="FILE", help="append the dialogue to this file")
    return parser.parse_args()


def settings(chosen):
    """The settings of a player, for its name in results."""
    simulates = chosen.simulate or chosen.iterations
    parts = {
        "static": not simulates, "simulation {:g} s": chosen.simulate, "simulation {} iterations": chosen.iterations,
        "{} plies": simulates and chosen.plies, "{} moves": simulates and chosen.candidates, "endgame {:g} s": chosen.endgame,
        "pre-endgame {:g} s": chosen.pre_endgame, "bag {}": chosen.pre_endgame and chosen.bag, "threads {}": chosen.threads}
    return ", ".join([chosen.lexicon] + [text.format(value) for text, value in parts.items() if value])


class Engine:
    """The engine, which lives as long as the match. It stays in the adapter's process group, where `match` counts its CPU time."""

    def __init__(self, chosen, record, arguments, environment, noise="(?!)"):
        """Starts the program in an empty folder with a link `data`. Lines that match `noise` are dropped."""
        self.record, self.patience, self.noise, self.count = record, chosen.patience, re.compile(noise), 0
        self.folder, self.lines = tempfile.TemporaryDirectory(), queue.Queue()
        os.symlink(chosen.data, Path(self.folder.name, "data"))
        record("$", " ".join(arguments))
        try:
            self.child = subprocess.Popen(
                [chosen.program, *arguments], cwd=self.folder.name, env={**os.environ, **environment}, encoding="utf-8",
                errors="replace", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError as error:
            raise Refusal(f"{chosen.program}: {error.strerror}") from error
        atexit.register(self.child.kill)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            line = re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip()  # without colours
            if line and not self.noise.search(line):
                self.lines.put(line)
        self.lines.put(None)

    def send(self, line):
        self.record(">", line)
        with contextlib.suppress(OSError):  # The answer will be missing, and the engine's last lines give the reason.
            self.child.stdin.write(line + "\n")
            self.child.stdin.flush()

    def read_until(self, pattern, seconds):
        """Returns the lines up to the first one that matches."""
        found, limit = [], seconds + self.patience
        deadline = time.monotonic() + limit
        while not found or not re.search(pattern, found[-1]):
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Refusal(f"the engine hangs: no answer within {limit:g} s after {found[-3:]}") from None
            if line is None:
                last = [line for line in found if line.startswith(("panic", "fatal"))] or found[-3:]
                raise Refusal(f"the engine ended with exit code {self.child.wait()} after {last}")
            self.record("<", line)
            found.append(line)
        return found

    def ask(self, line, seconds=0.0, until=None, stop=None, earliest=None):
        """Returns the lines of the answer. The engine's complaint about an unknown command marks their end. `until` matches the last
        line of a command that works in the background. `stop` ends it after the time, but not before a line matches `earliest`."""
        begun = time.monotonic()
        self.send(line)
        found = self.read_until(earliest, seconds) if earliest else []
        if until and not any(re.search(until, line) for line in found):
            timer = threading.Timer(max(0.0, begun + seconds - time.monotonic()), self.send, [stop])
            timer.start()
            found += self.read_until(until, seconds)
            timer.cancel()
        while True:
            self.count += 1
            self.send(f"end-{self.count}")
            found += self.read_until(rf"\bend-{self.count}\b", seconds)
            if "async" not in found.pop():
                break
            time.sleep(0.01)  # MAGPIE has read the command too early: its last one still ends in the background.
        # A search that ended just before it was stopped is no error.
        error = next((line for line in found if re.match(r"\(?error(?!.* to (stop|cancel))", line, re.IGNORECASE)), None)
        if error:
            raise Refusal(f"{line}: {error}")
        return found


def check(hello, chosen, files, extension):
    """Refuses missing files, another board, other rules or another tile set. `extension` is the one of the engine's tile sets."""
    if hashlib.sha256("\n".join(hello["premiums"]).encode()).hexdigest() != STANDARD_BOARD:
        raise Refusal(f"the board {hello['board']} is not the standard board, the only one of this adapter")
    for key, value in RULES.items():
        if hello.get(key) != value:
            raise Refusal(f"{key} is {hello.get(key)}, and the engine plays {value}")
    path = chosen.data / "letterdistributions" / (hello["tileset"] + extension)
    for file in (*files, path):
        if not file.is_file():
            raise Refusal(f"there is no {file}: see experiments/drivers/engines/README.md")
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    tiles = [[label, *[int(field) for field in row if field.isdigit()][:2]] for label, *row in rows]
    if sorted(tiles) != sorted(hello["tiles"]) or any(len(tile[0]) > 1 for tile in tiles):
        raise Refusal(f"the tiles of {hello['tileset']} differ from {path}, or some have several letters")


def search_time(request, wanted, threads):
    """The seconds of a search, at most 80 % of the limit. Without a clock the limit may be CPU time of all threads."""
    limit = request["limit_ms"] / threads if request.get("clock_ms") is None else request["share_ms"]
    return min(wanted or float("inf"), 0.8 * limit / 1000)


def first_move(lines, pattern):
    """The move in the first line that matches, in the notation of the protocol."""
    match = next(filter(None, (re.search(pattern, line) for line in lines)), None)
    if not match:
        raise Refusal(f"no move in the engine's answer {lines[:3]}")
    move = match["move"]
    return "pass" if "pass" in move.lower() else "-" + move[6:-1] if move.startswith("(exch") else move


def choose(player, request, chosen):
    """The move of a solver if the bag is nearly empty, else of a simulation or by equity, as the options say."""
    bag, move = request["bag"], None
    player.load(" ".join(request["cgp"].split(" ")[:4]))
    solve, wanted = (player.pre_endgame, chosen.pre_endgame) if bag else (player.endgame, chosen.endgame)
    if wanted and bag <= chosen.bag:
        move = solve(search_time(request, wanted, chosen.threads))
        if move is None:
            print(f"the solver has no result in time, so the move is chosen without it: {request['cgp']}", file=sys.stderr)
    if move is None:
        moves = player.moves()
        if bag > 0 and (chosen.simulate or chosen.iterations) and any(re.match(" *2:", line) for line in moves):
            move = player.simulation(search_time(request, chosen.simulate, chosen.threads))
        else:
            move = first_move(moves, rf"^ *1: +{MOVE}")
    rack = list(request["rack"])
    for tile in re.sub(r"\([^)]*\)|\.|^.* |-|pass", "", move):
        tile = "?" if tile.islower() else tile
        if tile not in rack:
            raise Refusal(f"the engine's move {move} needs more tiles than the rack {request['rack']}")
        rack.remove(tile)
    return move


def play(description, start):
    """Answers the requests of a match. `start` takes `hello`, the options and a function that records a line."""
    chosen, player = options(description), None
    file = chosen.record and chosen.record.open("a", encoding="utf-8")

    def record(kind, line):
        """Records `=` and `:` lines from and to the match, the engine's arguments `$`, and `>` and `<` lines to and from it."""
        if file:
            print(kind, line, file=file, flush=True)

    def answer(**message):
        line = json.dumps(message, ensure_ascii=False)
        record(":", line)
        print(line, flush=True)

    for line in sys.stdin:
        record("=", line.rstrip())
        request = json.loads(line)
        try:
            if request["type"] == "hello":
                player = start(request, chosen, record)
                answer(type="ready", protocol=1, name=f"{player.name}, {settings(chosen)}")
            elif request["type"] == "move":
                answer(type="move", id=request["id"], move=choose(player, request, chosen))
        except Refusal as reason:
            if player is None:
                answer(type="refuse", reason=str(reason))
            sys.exit(f"{Path(sys.argv[0]).name}: {reason}")
