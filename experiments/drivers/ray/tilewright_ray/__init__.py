"""Makes the shards of a Tilewright job with Ray.

Each stage is a set of tasks, and ends with a merge on the machine of the driver. A task runs `tilewright work run`; nothing is computed
here. If its process or its machine dies, Ray runs the task again, and what is missing all the same is made in another round.
"""

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import fsspec
import ray

#: Rounds of tasks after which the merge names the shards that are still missing.
ROUNDS = 3


def status(binary: str, job: Path) -> dict:
    """What `work status` says of a job."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "status.json"
        command = [binary, "work", "status", str(job), "--json", str(file)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return json.loads(file.read_text())


def shards_of(job: Path) -> list[str]:
    """The work files of the stage in work, relative to the folder of the job, in the order of their numbers."""
    stage = json.loads((job / "stage.json").read_text())
    return [f"{shard['folder']}/work/{shard['file']}" for shard in stage["shards"]]


def run(command: list[str]) -> None:
    """Runs a command; its message is that of the error, which the dashboard shows."""
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {ended.returncode}: {ended.stderr.strip()}")


@ray.remote(max_retries=3, retry_exceptions=True)
def make_some(binary: str, job: str, threads: int, seconds: int) -> None:
    """Makes shards that nobody is making, in a folder that all machines see."""
    run([binary, "work", "run", job, "--next", "--for", f"{seconds}s", "--threads", str(threads), "--quiet"])


@ray.remote(max_retries=3, retry_exceptions=True)
def make_one(binary: str, store: str, number: int, threads: int) -> None:
    """Makes one shard in a copy of the job, and puts it into the store."""
    files, root = fsspec.core.url_to_fs(store)
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job"
        fetch(files, f"{root}/stage.json", job / "stage.json")
        shards = shards_of(job)
        # The shards of the stage do not need each other.
        left_out = set(shards) | {records_of(shard) for shard in shards} | {"stage.json"}
        for path in files.find(root):
            name = path[len(root.rstrip("/")) + 1 :]
            if name not in left_out and not name.startswith("shards/"):
                fetch(files, path, job / name)
        run([binary, "work", "run", str(job), "--shard", str(number), "--threads", str(threads), "--quiet"])
        # The records come before their receipt, which says that they are there.
        for name in [records_of(shards[number]), shards[number]]:
            if (job / name).exists():
                put(files, job / name, f"{root}/{name}")


def records_of(shard: str) -> str:
    """The records of a shard of self-play, which lie beside the folder of the work files."""
    folder, _, name = shard.rpartition("/work/")
    return f"{folder}/{name}.parquet"


def fetch(files: fsspec.AbstractFileSystem, path: str, to: Path) -> None:
    """Copies a file from the store."""
    to.parent.mkdir(parents=True, exist_ok=True)
    files.get_file(path, str(to))


def put(files: fsspec.AbstractFileSystem, path: Path, to: str) -> None:
    """Copies a file into the store, whole or not at all."""
    temporary = f"{to}.{time.time_ns()}.part"
    files.makedirs(to.rpartition("/")[0], exist_ok=True)
    files.put_file(str(path), temporary)
    files.mv(temporary, to)


def make_stage(binary: str, job: Path, stage: dict, threads: int, seconds: int, store: str | None) -> None:
    """Runs the tasks of a stage until they end, and prints how far it is."""
    name = f"stage {stage['stage']}"
    if store is None:
        slots = max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
        count = min(slots, stage["shards"] - stage["done"])
        options = make_some.options(num_cpus=threads, name=name)
        tasks = [options.remote(binary, str(job), threads, seconds) for _ in range(count)]
    else:
        upload(job, store)
        missing = [number for number, shard in enumerate(shards_of(job)) if not (job / shard).exists()]
        tasks = [
            make_one.options(num_cpus=threads, name=f"{name}, shard {number}").remote(binary, store, number, threads)
            for number in missing
        ]
    waiting = tasks
    while waiting:
        _, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=5)
        if store is None:
            print(f"{name}: {status(binary, job)['done']} of {stage['shards']} shards", flush=True)
        else:
            print(f"{name}: {len(tasks) - len(waiting)} of {len(tasks)} tasks", flush=True)
    for task in tasks:
        try:
            ray.get(task)
        except ray.exceptions.RayError as error:
            # Another task may have made the shard; if none has, the next round does, or the merge names it.
            print(f"{name}: a task failed: {str(error).strip().splitlines()[-1]}", flush=True)
    if store is not None:
        download(job, store)


def upload(job: Path, store: str) -> None:
    """Puts the job into the store."""
    files, root = fsspec.core.url_to_fs(store)
    for path in job.rglob("*"):
        name = path.relative_to(job).as_posix()
        if path.is_file() and not name.startswith("shards/"):
            put(files, path, f"{root}/{name}")


def download(job: Path, store: str) -> None:
    """Fetches the shards of the stage from the store."""
    files, root = fsspec.core.url_to_fs(store)
    for shard in shards_of(job):
        for name in [records_of(shard), shard]:
            if not (job / name).exists() and files.exists(f"{root}/{name}"):
                fetch(files, f"{root}/{name}", job / name)


def finish(binary: str, job: Path, threads: int = 1, seconds: int = 300, store: str | None = None) -> None:
    """Makes and merges all stages of a job. Ray is initialised already."""
    binary = shutil.which(binary) or binary
    job = job.resolve()
    while True:
        for _ in range(ROUNDS):
            stage = status(binary, job)
            if stage["is_finished"]:
                return
            if stage["done"] < stage["shards"]:
                make_stage(binary, job, stage, threads, seconds, store)
        subprocess.run([binary, "work", "merge", str(job), "--quiet"], check=True)
