"""The driver on a Ray cluster of this machine: the bytes of one process, also when a worker is killed, with a shared folder and with a store.

    TILEWRIGHT=target/release/tilewright python test_loopback.py
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import ray

from tilewright_ray import finish

TILEWRIGHT = str(Path(os.environ.get("TILEWRIGHT", "tilewright")).resolve())

EVOLUTION = """\
# tilewright evolve
seed = 1
baseline = "leave"
method = "cma-es"
population = 12
generations = 3
pairs = 40
fitness = "spread"
race = true
sigma = 0.7
mean_rate = 0.5
final_pairs = 250

[fixed]
score = 1.0
leave = 1.0

[weights]
blanks_kept = { start = 0.0, scale = 10.0, min = -60.0, max = 60.0 }
vowel_imbalance = { start = 0.0, scale = 2.0, min = -20.0, max = 20.0 }

[promotion]
against = "leave"
h0 = 48.0
h1 = 52.0
error_rate = 0.05
pairs = 256
seed = 2026
"""

#: Commands by what they make; the work of each takes some seconds. A config goes into the folder of the job.
COMMANDS = {
    "a leave table": ["leaves", "train", "--budget", "games=1500", "--match-pairs", "300"],
    "a match": ["match", "--player-a", "leave", "--player-b", "greedy", "--pairs", "1500", "--seed", "5"],
    "three generations": ["evolve", "evolution.toml"],
    "a win table": ["win-percentage", "train", "--games", "6000", "--held-out-games", "5000"],
    "a candidate set": ["selfplay", "--games", "1200", "--candidates", "5", "--deals", "10", "--every", "60"],
}


def files_of(run: Path) -> dict[str, bytes]:
    """The files of a run that are its result."""
    files = {path.relative_to(run).as_posix(): path for path in run.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if "work" not in Path(name).parts and name != ".lock"}


def tilewright(folder: Path, *arguments: str) -> None:
    """Runs the binary in a folder."""
    subprocess.run([TILEWRIGHT, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def kill_one(killed: list[int]) -> None:
    """Kills the first process that makes a shard, a little after it has begun."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0] == TILEWRIGHT.encode() and words[1:3] == [b"work", b"run"]:
                time.sleep(0.3)
                try:
                    os.kill(int(entry.name), signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed.append(int(entry.name))
                return
        time.sleep(0.02)


def main() -> None:
    """Checks every command."""
    ray.init(num_cpus=2, log_to_driver=False)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "evolution.toml").write_text(EVOLUTION)
        for number, (what, command) in enumerate(COMMANDS.items()):
            alone = folder / f"alone-{number}"
            tilewright(folder, *command, "--out", str(alone), "--quiet")
            for store in [None, f"file://{folder}/store-{number}"]:
                job, killed = folder / f"job-{number}-{'store' if store else 'shared'}", []
                planned = [command[1]] if command[0] == "evolve" else ["--", *command]
                tilewright(folder, "work", "plan", "--out", str(job), "--quiet", *planned)
                killer = threading.Thread(target=kill_one, args=[killed])
                killer.start()
                begun = time.monotonic()
                finish(TILEWRIGHT, job, store=store)
                killer.join()
                assert killed, f"{what}: no process was killed"
                if command[0] == "match":
                    pairs = [(run / "work/pairs-00000").read_bytes() for run in [job / "run", alone]]
                    assert pairs[0] == pairs[1] and pairs[0], what
                else:
                    assert files_of(job / "run") == files_of(alone) and files_of(alone), what
                print(f"{what}: same bytes, {job.name}, one process killed, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
