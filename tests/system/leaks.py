"""Looking for secrets in files, in every form in which they might have been written."""

import base64
import re
import struct
from pathlib import Path


def forms(secret):
    """Raw, in both kinds of hexadecimal digits and as a decimal number, each in both orders of its bytes, and in base64
    at each of its three positions."""
    found = {secret, secret[::-1]}
    for digits in (secret.hex(), secret[::-1].hex()):
        found |= {digits.encode(), digits.upper().encode(), str(int(digits, 16)).encode()}
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + secret)
        # The first and last letters hold bits of neighbours, too.
        inner = text[(0, 2, 3)[shift]:len(text) - (len(text) - len(text.rstrip(b"="))) - 1]
        found |= {inner, inner.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def find(secrets, folder, but=()):
    """(path, which) of every secret in a file under the folder, without the files whose paths are in `but`."""
    needles = [(number, form) for number, secret in enumerate(secrets) for form in forms(secret)]
    hits = []
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and path not in but:
            # PEM and the like break their lines.
            content = path.read_bytes()
            joined = content.replace(b"\n", b"")
            hits += [(str(path), number) for number, form in needles if form in content or form in joined]
    return hits


def find_numbers(values, paths):
    """(path, value) of every number in a file: as eight bytes in either order, or written out in digits."""
    values = {value for value in values if value not in (0, 1)}
    raw = {form: value for value in values for form in (struct.pack("<d", value), struct.pack(">d", value))}
    hits = []
    for path in paths:
        content = path.read_bytes()
        windows = {content[at:at + 8] for at in range(len(content) - 7)}
        written = {float(digits) for digits in re.findall(rb"\d+\.\d+(?:[eE][-+]?\d+)?", content)}
        hits += [(str(path), raw[form]) for form in windows & raw.keys()]
        hits += [(str(path), value) for value in written & values]
    return hits


def too_open(folder):
    """Files and folders under `folder` into which others may look."""
    found = []
    for path in [Path(folder), *Path(folder).rglob("*")]:
        try:
            mode = path.stat().st_mode & 0o777
        except FileNotFoundError:  # the journal renames
            continue
        if mode & 0o077:
            found.append((str(path), oct(mode)))
    return found
