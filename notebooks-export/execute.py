"""Executes the notebooks, each in a kernel of its own.

    TILEWRIGHT_DATA=DATA python execute.py [--in-place] [NOTEBOOK...]

DATA is the folder that make-data wrote. Without names, all notebooks next to this file are executed. An error or a
warning in a cell ends the program with exit code 1, after a message with the notebook and the cell. With --in-place,
the outputs are stored in the notebooks.
"""

import argparse
import base64
import os
import struct
import sys
import zlib
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError

HERE = Path(__file__).resolve().parent
SECONDS_PER_CELL = 300
# The parts of an output that are stored: pictures and text. GitHub shows no script.
STORED = ("image/png", "text/plain")


def faults(notebook):
    """What went wrong in a notebook that was executed: a message for each cell that wrote to stderr or failed."""
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                yield f"cell {number}: {output.text.strip()}"
            elif output.output_type == "error":
                yield f"cell {number}: {output.ename}: {output.evalue}"


def chunk(kind, content):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def compressed(picture):
    """The same PNG in a third of the bytes, since vl-convert compresses for speed; both are base64."""
    png = base64.b64decode(picture)
    at, header, pixels = 8, b"", b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        content = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = content
        elif kind == b"IDAT":
            pixels += content
        at += 12 + length
    packed = zlib.compress(zlib.decompress(pixels), 9)
    return base64.b64encode(png[:8] + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")).decode()


def without_machine(notebook):
    """Removes what differs between two executions of the same data and what GitHub cannot show."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {}
        cell.id = f"cell-{number}"
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data = {kind: data for kind, data in output.data.items() if kind in STORED}
                # The text of a picture is the name of a Python object.
                if "image/png" in output.data:
                    output.data.pop("text/plain", None)
                    output.data["image/png"] = compressed(output.data["image/png"])


def execute(path, in_place):
    """Executes one notebook, and returns the messages about its cells."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=SECONDS_PER_CELL, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    try:
        client.execute()
    except CellExecutionError:
        # The outputs of the cell hold the error.
        pass
    except (CellTimeoutError, RuntimeError) as error:
        # The kernel did not start, died or took too long.
        return [f"{path.name}: {error}"]
    found = [f"{path.name}, {fault}" for fault in faults(notebook)]
    if in_place and not found:
        without_machine(notebook)
        nbformat.validate(notebook)
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    return found


def main():
    parser = argparse.ArgumentParser(description="Executes the notebooks on the data in TILEWRIGHT_DATA.")
    parser.add_argument("--in-place", action="store_true", help="store the outputs in the notebooks")
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all next to this file")
    arguments = parser.parse_args()
    data = Path(os.environ.get("TILEWRIGHT_DATA", "data")).resolve()
    if not data.is_dir():
        parser.error(f"TILEWRIGHT_DATA: {data} is no folder; make-data writes it")
    # A kernel starts in the folder of its notebook, so a relative path would mean another folder there.
    os.environ["TILEWRIGHT_DATA"] = str(data)
    failed = False
    for path in arguments.notebooks or sorted(HERE.glob("*.ipynb")):
        found = execute(path.resolve(), arguments.in_place)
        for message in found:
            print(message, file=sys.stderr)
        failed |= bool(found)
        print(f"{path.name}: {'failed' if found else 'passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
