"""Paillier encryption of whole arrays of integers: add them, and multiply them by integers, without the private key.

Many numbers share one ciphertext, so an array costs a fraction of what its numbers cost one by one.

>>> from ppdnmf import paillier
>>> public, private = paillier.generate_keypair(bits=2048)
>>> a = public.encrypt([1, -2, 3])
>>> b = public.encrypt([10, 20, 30])
>>> private.decrypt(2 * a + b - 1).tolist()
[11, 15, 35]

Numbers stay within a bound that everybody may know (`value_bits`). It grows with every operation, and an operation that
could leave the slot a number has (`slot_bits`) is refused, so nothing ever wraps around.
"""

from __future__ import annotations

import math
import struct
from typing import Any, NoReturn, Tuple

import numpy as np

from . import _core
from ._checks import is_integer, whole_number

__all__ = ["EncryptedArray", "PrivateKey", "PublicKey", "generate_keypair"]

LARGEST_FACTOR = 2**62 - 1
_HEADER = struct.Struct("<4sBBQ")  # magic, dimensions, slot bits, limit; the shape follows as u64 each
_MAGIC = b"PPE1"


def generate_keypair(bits: int = 3072, profile: str = "standard") -> Tuple["PublicKey", "PrivateKey"]:
    """A new key of the operating system's randomness, as (public, private).

    Parameters
    ----------
    bits : int, default=3072
        A multiple of 256 from 2048 to 4096.
    profile : {'standard', 'fast'}, default='standard'
        'fast' needs one more assumption and peers who trust the key's owner (docs/crypto.md).
    """
    private = PrivateKey(_core.PrivateKey.generate(bits, profile))
    return private.public_key, private


class PublicKey:
    """Encrypts. Can be sent to anybody: `to_bytes`, or pickled."""

    __slots__ = ("_key",)

    def __init__(self, key: _core.PublicKey) -> None:
        self._key = key

    @property
    def bits(self) -> int:
        """The length of n."""
        return self._key.bits

    @property
    def profile(self) -> str:
        """'standard' or 'fast'."""
        return self._key.profile

    def encrypt(self, values: Any, *, value_bits: int = 32, slot_bits: int = 64) -> "EncryptedArray":
        """Encrypts an array of integers of any shape.

        Parameters
        ----------
        values : array-like of int
            Each below 2**value_bits in absolute value.
        value_bits : int, default=32
            Public: it must not follow from the values themselves.
        slot_bits : int, default=64
            Bits for each number, at most 64. The difference to value_bits is the room for sums and multiples.
        """
        array, limit = _checked(values, value_bits, slot_bits)
        return EncryptedArray(self._key.encrypt(array.ravel(), slot_bits), array.shape, limit)

    def to_bytes(self) -> bytes:
        return self._key.encode()

    @classmethod
    def from_bytes(cls, data: bytes, bits: int = 3072, profile: str = "standard") -> "PublicKey":
        """A peer's key, held against the size and profile that were agreed on. ValueError if it is none."""
        return cls(_core.PublicKey.decode(data, bits, profile))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self._key.same_as(other._key)

    def __hash__(self) -> int:
        return hash(self._key.encode())

    def __repr__(self) -> str:
        return f"<ppdnmf.paillier.PublicKey of {self.bits} bits, {self.profile}>"

    def __reduce__(self) -> Tuple:
        return PublicKey.from_bytes, (self.to_bytes(), self.bits, self.profile)


class PrivateKey:
    """Decrypts. It is not printed, copied or pickled; `reveal_secret_bytes` is the one way to keep it."""

    __slots__ = ("_key", "public_key")

    def __init__(self, key: _core.PrivateKey) -> None:
        self._key = key
        self.public_key = PublicKey(key.public_key)

    def encrypt(self, values: Any, *, value_bits: int = 32, slot_bits: int = 64) -> "EncryptedArray":
        """As PublicKey.encrypt, several times as fast."""
        array, limit = _checked(values, value_bits, slot_bits)
        return EncryptedArray(self._key.encrypt(array.ravel(), slot_bits), array.shape, limit)

    def decrypt(self, encrypted: "EncryptedArray") -> np.ndarray:
        """The integers, as int64 in their shape. ValueError if they were encrypted for another key."""
        if not isinstance(encrypted, EncryptedArray):
            raise TypeError(f"decrypt takes an EncryptedArray, not {type(encrypted).__name__}")
        return self._key.decrypt(encrypted._numbers).reshape(encrypted.shape)

    def reveal_secret_bytes(self) -> bytes:
        """The key itself, for whoever must store it. Write it to files of mode 0600 only."""
        return self._key.encode_secret()

    @classmethod
    def from_secret_bytes(cls, data: bytes, bits: int = 3072, profile: str = "standard") -> "PrivateKey":
        return cls(_core.PrivateKey.decode_secret(data, bits, profile))

    def __repr__(self) -> str:
        return f"<ppdnmf.paillier.PrivateKey of {self.public_key.bits} bits, not shown>"

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError("a private key is not copied or pickled; reveal_secret_bytes() gives it to whoever must keep it")

    __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = __getstate__ = _refuse


class EncryptedArray:
    """Encrypted integers of one key and a shape. Supports + and - with another one or integers, * with an integer.

    Each result is another array. `to_bytes` and pickle give bytes with fresh randomness, so that nobody can see from
    them what was computed.
    """

    __slots__ = ("_numbers", "shape", "limit")
    __array_ufunc__ = None  # numpy leaves + - * to this class

    def __init__(self, numbers: _core.Encrypted, shape: Tuple[int, ...], limit: int) -> None:
        self._numbers = numbers
        self.shape = shape
        self.limit = limit
        """What no number exceeds in absolute value; public."""

    @property
    def size(self) -> int:
        return self._numbers.count

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def slot_bits(self) -> int:
        return self._numbers.slot_bits

    @property
    def public_key(self) -> PublicKey:
        return PublicKey(self._numbers.public_key)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def _within(self, limit: int) -> int:
        if limit >= 2 ** (self.slot_bits - 1):
            raise ValueError(
                f"the result could be as large as {limit}, which a slot of {self.slot_bits} bits does not hold: encrypt "
                "with more slot_bits or fewer value_bits"
            )
        return limit

    def __add__(self, other: Any) -> "EncryptedArray":
        if not isinstance(other, EncryptedArray):
            return self._add_integers(other)
        if other.shape != self.shape:
            raise ValueError(f"arrays of shapes {self.shape} and {other.shape} cannot be added")
        limit = self._within(self.limit + other.limit)
        return EncryptedArray(self._numbers.add(other._numbers), self.shape, limit)

    def _add_integers(self, other: Any) -> "EncryptedArray":
        if is_integer(other) and other == 0:
            return self  # sum() of a list of arrays begins with 0
        plain = np.broadcast_to(_integers(other), self.shape)
        # As one's own values these numbers are known; their largest may be, too.
        limit = max((abs(int(value)) for value in (plain.min(), plain.max())), default=0) if plain.size else 0
        total = self._within(self.limit + limit)
        added = self._numbers.public_key.encrypt(np.ascontiguousarray(plain).ravel(), self.slot_bits)
        return EncryptedArray(self._numbers.add(added), self.shape, total)

    __radd__ = __add__

    def __neg__(self) -> "EncryptedArray":
        return EncryptedArray(self._numbers.negate(), self.shape, self.limit)

    def __sub__(self, other: Any) -> "EncryptedArray":
        return self + (-other if isinstance(other, EncryptedArray) else np.negative(_integers(other)))

    def __rsub__(self, other: Any) -> "EncryptedArray":
        return -self + other

    def __mul__(self, factor: Any) -> "EncryptedArray":
        if isinstance(factor, EncryptedArray):
            raise TypeError("two encrypted arrays cannot be multiplied: Paillier adds only")
        if not is_integer(factor):
            raise TypeError(f"an encrypted array is multiplied by one integer for all its numbers, not by {factor!r}")
        factor = int(factor)
        if factor == 0:
            raise ValueError("multiplying by 0 would give a ciphertext that everybody can read")
        if abs(factor) > LARGEST_FACTOR:
            raise ValueError(f"the factor must be at most {LARGEST_FACTOR} in absolute value, not {factor}")
        limit = self._within(self.limit * abs(factor))
        signed = self._numbers if factor > 0 else self._numbers.negate()
        return EncryptedArray(signed if abs(factor) == 1 else signed.multiply(abs(factor)), self.shape, limit)

    __rmul__ = __mul__

    def to_bytes(self) -> bytes:
        """Shape, bounds and ciphertexts, with fresh randomness."""
        header = _HEADER.pack(_MAGIC, self.ndim, self.slot_bits, self.limit)
        return header + struct.pack(f"<{self.ndim}Q", *self.shape) + self._numbers.encode()

    @classmethod
    def from_bytes(cls, public_key: PublicKey, data: bytes) -> "EncryptedArray":
        """What a peer sent. ValueError if it is no array under the key."""
        if len(data) < _HEADER.size:
            raise ValueError("the bytes are no encrypted array: they are too few")
        magic, ndim, slot_bits, limit = _HEADER.unpack_from(data)
        begin = _HEADER.size + 8 * ndim
        if magic != _MAGIC or len(data) < begin or not 2 <= slot_bits <= 64 or limit >= 2 ** (slot_bits - 1):
            raise ValueError("the bytes are no encrypted array: their beginning is not that of one")
        shape = struct.unpack_from(f"<{ndim}Q", data, _HEADER.size)
        count = math.prod(shape)
        if count > 32 * len(data) * 8:
            raise ValueError(f"the bytes are no encrypted array: they are too few for the shape {shape}")
        return cls(_core.Encrypted.decode(public_key._key, data[begin:], count, slot_bits), shape, limit)

    def __repr__(self) -> str:
        return f"<ppdnmf.paillier.EncryptedArray of shape {self.shape}>"

    def __reduce__(self) -> Tuple:
        return EncryptedArray.from_bytes, (self.public_key, self.to_bytes())


def _integers(values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.size == 0 and array.dtype == np.float64:  # NumPy's guess for []
        return array.astype(np.int64)
    too_large = array.dtype == np.uint64 and array.size > 0 and int(array.max()) >= 2**63
    if too_large or array.dtype == object:
        raise ValueError("the values must be integers below 2**63 in absolute value")
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"the values must be integers, not {array.dtype}")
    return array.astype(np.int64)


def _checked(values: Any, value_bits: int, slot_bits: int) -> Tuple[np.ndarray, int]:
    whole_number("value_bits", value_bits, 1)
    whole_number("slot_bits", slot_bits, 2)
    if not 2 <= slot_bits <= 64 or not 1 <= value_bits < slot_bits:
        raise ValueError(f"1 <= value_bits < slot_bits <= 64 must hold, not {value_bits} and {slot_bits}")
    array = _integers(values)
    limit = 2 ** int(value_bits) - 1
    outside = (array > limit) | (array < -limit)
    if outside.any():
        place = tuple(int(i) for i in np.argwhere(outside)[0])
        raise ValueError(f"the value at {place} does not fit {value_bits} bits: encrypt with larger value_bits")
    return array, limit
