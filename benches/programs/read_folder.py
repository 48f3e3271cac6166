"""Reads each text file of a folder, whose encoding is unknown, and prints a hash of its text.

    read_folder.py utflane|charset-normalizer FOLDER
"""

import hashlib
import pathlib
import sys


def read_with_utflane(path):
    """Returns the text of a file, or None if its encoding is not likely."""
    try:
        with utflane.open(path) as file:
            return file.read()
    except utflane.DetectionError:
        return None


def read_with_charset_normalizer(path):
    """Returns the text of a file, or None if its encoding is not found."""
    best = charset_normalizer.from_path(path).best()
    return None if best is None else str(best)


package, folder = sys.argv[1:]
if package == "utflane":
    import utflane

    read = read_with_utflane
else:
    import charset_normalizer

    read = read_with_charset_normalizer
for path in sorted(pathlib.Path(folder).iterdir()):
    text = read(path)
    print(path.name, text and hashlib.sha256(text.encode()).hexdigest())
