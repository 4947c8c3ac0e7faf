"""`python -m tilewright_ray JOB`: makes and merges the shards of a job."""

import argparse
import subprocess
import sys
from pathlib import Path

import ray

from . import finish


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tilewright_ray", description="Make the shards of a Tilewright job with Ray.")
    parser.add_argument("job", type=Path, help="folder of the job, from tilewright work plan")
    parser.add_argument("--binary", default="tilewright", help="the binary, the same build on all machines")
    parser.add_argument("--address", help="address of a Ray cluster, such as auto; default: a cluster of this machine")
    parser.add_argument("--workers", type=int, help="processes of a cluster of this machine [default: its cores]")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process")
    parser.add_argument("--seconds", type=int, default=300, help="how long a task goes on taking shards")
    parser.add_argument("--store", help="fsspec address of a folder for machines that do not see the job's, such as s3://bucket/job")
    arguments = parser.parse_args()
    local = {"num_cpus": arguments.workers} if arguments.address is None and arguments.workers else {}
    ray.init(address=arguments.address, log_to_driver=False, **local)
    try:
        finish(arguments.binary, arguments.job, arguments.threads, arguments.seconds, arguments.store)
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
