#!/usr/bin/env python3
"""Lets MAGPIE (jvc56/MAGPIE) play: tilewright match --player-a 'stdio:python3 magpie.py --program bin/magpie …'."""

import re

from player import MOVE, UNLIMITED, Engine, check, first_move, play


class Magpie:
    name = "MAGPIE"

    def __init__(self, hello, chosen, record):
        graph = chosen.data / "lexica" / f"{chosen.lexicon}.kwg"
        check(hello, chosen, [graph, graph.with_suffix(".klv2")], ".csv")
        iterations = chosen.iterations or UNLIMITED
        self.simulate = (f"simulate -plies {chosen.plies} -scondition {chosen.confidence} -iterations {iterations} "
                         f"-minplayiterations {max(1, min(50, iterations // chosen.candidates))}")
        self.plies = chosen.endgame_plies
        settings = (f"-lex {chosen.lexicon} -ld {hello['tileset']} -wmp {str(graph.with_suffix('.wmp').is_file()).lower()} -mode sync "
                    f"-savesettings false -hr false -shwithmoves false -numplays {chosen.candidates} -threads {chosen.threads} "
                    f"-ttfraction {chosen.memory}")
        self.engine = Engine(chosen, record, ["set", *settings.split(" ")], {})
        self.engine.ask("generate")

    def load(self, cgp):
        self.engine.ask(f"cgp {cgp}")

    def moves(self):
        return self.engine.ask("generate")

    def simulation(self, seconds):
        return first_move(self.engine.ask(f"{self.simulate} -tlim {seconds:g}", seconds), rf"^ *1: +{MOVE}")

    def endgame(self, seconds):
        # The solver looks at its time only between two depths. In the background it can be stopped at any time.
        self.engine.ask("set -mode async")
        end = r"^Endgame \(|^No principal variation|^\(error"
        lines = self.engine.ask(f"endgame -eplies {self.plies} -etlim {seconds:g}", seconds, end, "stop")
        self.engine.ask("set -mode sync")
        return None if any("No principal" in line for line in lines) else first_move(lines, rf"^ *{MOVE}")

    def pre_endgame(self, seconds):
        """The move of rank 1, or `None` if there was no time to value all of them."""
        lines = self.engine.ask(f"peg -pegtlim {seconds:g}", seconds)
        is_complete = any(re.match(r"0 +greedy +([0-9]+)/\1 ", line) for line in lines)
        return first_move(lines, rf"^(?:[0-9]+-ply)? *1  +{MOVE}") if is_complete else None


if __name__ == "__main__":
    play(__doc__, Magpie)
