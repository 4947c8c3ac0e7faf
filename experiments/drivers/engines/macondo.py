#!/usr/bin/env python3
"""Lets Macondo (domino14/macondo) play: tilewright match --player-a 'stdio:python3 macondo.py --program bin/shell …'."""

import time

from player import MOVE, UNLIMITED, Engine, check, first_move, play

# Its log without two lines about searches, and its pictures of the board.
NOISE = r"^(?!.*(sim-ended|best-val ply:[12] )).*\| (INFO|WARN|ERROR|DEBUG) +\||^\{\"level|^ *[0-9]*\||^ *-+$|^ +A B C"


class Macondo:
    name = "Macondo"

    def __init__(self, hello, chosen, record):
        graph = chosen.data / "lexica" / "gaddag" / f"{chosen.lexicon}.kwg"
        check(hello, chosen, [graph, graph.with_suffix(".klv2")], "")
        threads = f"-threads {chosen.threads}"
        self.opcodes = f"lex {chosen.lexicon}; ld {hello['tileset']};"
        self.generate = f"gen {chosen.candidates}"
        self.simulate = (f"sim -plies {chosen.plies} {threads} -stop {chosen.confidence} "
                         f"-stop-itercutoff {chosen.iterations or UNLIMITED}")
        self.solve, self.solve_pre = f"endgame -plies {chosen.endgame_plies} {threads}", f"peg {threads}"
        # Its server listens only on this machine, it builds no word map, and it reads no settings of the user.
        environment = {
            "MACONDO_DATA_PATH": "data", "MACONDO_DEFAULT_LEXICON": chosen.lexicon, "MACONDO_SERVE": "127.0.0.1:0", "NO_COLOR": "1",
            "MACONDO_TTABLE_MEM_FRACTION": str(chosen.memory), "MACONDO_WMP_BUILD_IF_MISSING": "false", "XDG_CONFIG_HOME": "."}
        self.engine = Engine(chosen, record, [], environment, NOISE)
        self.load("/".join(["15"] * 15) + " / 0/0 0")

    def load(self, cgp):
        self.engine.ask(f"load cgp {cgp} {self.opcodes}")

    def moves(self):
        return self.engine.ask(self.generate)

    def search(self, command, seconds, until, earliest=None):
        return self.engine.ask(command, seconds, f"{until}|^Error", command.split(" ")[0] + " stop", earliest)

    def simulation(self, seconds):
        self.search(self.simulate, seconds, "sim-ended")
        time.sleep(0.1)  # If the next simulation begins before this one has quite ended, `sim stop` blocks for ever.
        return first_move(self.engine.ask("sim show"), rf"^ *{MOVE} ")

    def endgame(self, seconds):
        # It crashes if it is stopped before its first depth is complete.
        lines = self.search(self.solve, seconds, "^Best sequence:", "best-val ply:[12] |^Best sequence:|^Error")
        return first_move(lines, rf"^Best move: +{MOVE}")

    def pre_endgame(self, seconds):
        """The best move, or `None` if there was no time to value one."""
        lines = self.search(self.solve_pre, seconds, "^Winner:")
        best = lines[next(at for at, line in enumerate(lines) if line.startswith("Play ")) + 1]
        return None if "NaN" in best else first_move(lines, rf"^Winner: +{MOVE}")


if __name__ == "__main__":
    play(__doc__, Macondo)
