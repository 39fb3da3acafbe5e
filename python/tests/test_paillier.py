"""ppdnmf.paillier: arithmetic, bounds, and the care that keys need."""

import copy
import pickle
import struct

import numpy as np
import pytest

from ppdnmf import paillier

PUBLIC, PRIVATE = paillier.generate_keypair(bits=2048)
OTHER_PUBLIC, OTHER_PRIVATE = paillier.generate_keypair(bits=2048, profile="fast")
VALUES = np.random.default_rng(1).integers(-(2**31), 2**31, size=(17, 23))
KEYS = pytest.mark.parametrize("public, private", [(PUBLIC, PRIVATE), (OTHER_PUBLIC, OTHER_PRIVATE)], ids=["standard", "fast"])


@KEYS
def test_what_was_encrypted_comes_back(public, private):
    for values in (VALUES, [], 7, [[-1]], np.arange(5, dtype=np.uint8)):
        opened = private.decrypt(public.encrypt(values))
        assert opened.dtype == np.int64 and np.array_equal(opened, np.asarray(values))
    assert np.array_equal(private.decrypt(private.encrypt(VALUES)), VALUES)


@KEYS
def test_arithmetic(public, private):
    a, b = public.encrypt(VALUES), private.encrypt(VALUES[::-1])
    for encrypted, expected in (
        (a + b, VALUES + VALUES[::-1]),
        (a - b, VALUES - VALUES[::-1]),
        (-a, -VALUES),
        (a * 1000, VALUES * 1000),
        (-7 * a, VALUES * -7),
        (np.int64(3) * a, VALUES * 3),
        (a + 5, VALUES + 5),
        (VALUES - a, 0 * VALUES),
        (a - VALUES[0], VALUES - VALUES[0]),
        (sum([a, b, a]), 2 * VALUES + VALUES[::-1]),
        (3 * (a - b) + a * -1, 2 * VALUES - 3 * VALUES[::-1]),
    ):
        assert np.array_equal(private.decrypt(encrypted), expected)


def test_the_same_number_never_looks_the_same():
    assert PUBLIC.encrypt([1]).to_bytes() != PUBLIC.encrypt([1]).to_bytes()
    total = PUBLIC.encrypt([1]) + PUBLIC.encrypt([2])
    assert total.to_bytes() != total.to_bytes()


def test_arrays_travel():
    a = PUBLIC.encrypt(VALUES)
    received = paillier.EncryptedArray.from_bytes(paillier.PublicKey.from_bytes(PUBLIC.to_bytes(), 2048), a.to_bytes())
    assert received.shape == VALUES.shape and received.limit == a.limit
    assert np.array_equal(PRIVATE.decrypt(received + a), 2 * VALUES)
    assert np.array_equal(PRIVATE.decrypt(pickle.loads(pickle.dumps(2 * a))), 2 * VALUES)


def test_damaged_bytes_are_refused():
    good = PUBLIC.encrypt(VALUES).to_bytes()
    begin = struct.calcsize("<4sBBQ2Q")
    for bad in (b"", good[:10], good[:-1], good + b"x", b"XXXX" + good[4:], good[:begin] + bytes(len(good) - begin),
                good[:begin] + b"\xff" * (len(good) - begin), good[:14] + b"\xff" * 16 + good[begin:]):
        with pytest.raises(ValueError):
            paillier.EncryptedArray.from_bytes(PUBLIC, bad)
    with pytest.raises(ValueError):
        paillier.PublicKey.from_bytes(PUBLIC.to_bytes()[:-1], 2048)
    with pytest.raises(ValueError):
        paillier.PublicKey.from_bytes(PUBLIC.to_bytes(), 3072)
    with pytest.raises(ValueError):
        paillier.PrivateKey.from_secret_bytes(b"\0" * 100, 2048)


def test_what_could_overflow_is_refused():
    a = PUBLIC.encrypt([1], value_bits=32, slot_bits=40)
    assert PRIVATE.decrypt(a * 128).tolist() == [128]
    with pytest.raises(ValueError, match="a slot of 40 bits does not hold"):
        a * 129
    with pytest.raises(ValueError, match="a slot of 40 bits"):
        a * 128 + a
    with pytest.raises(ValueError, match="at \\(1,\\) does not fit 8 bits"):
        PUBLIC.encrypt([255, 256], value_bits=8)
    with pytest.raises(ValueError, match="value_bits < slot_bits"):
        PUBLIC.encrypt([1], value_bits=64)


@pytest.mark.parametrize("values", [[1.5], ["a"], [2**70], np.array([2**63], dtype=np.uint64), [True]])
def test_only_integers_are_encrypted(values):
    with pytest.raises(ValueError, match="integers"):
        PUBLIC.encrypt(values)


def test_what_paillier_cannot_do_is_said():
    a = PUBLIC.encrypt([1, 2])
    for factor in (a, 1.5, [1, 2], True):
        with pytest.raises(TypeError):
            a * factor
    with pytest.raises(ValueError, match="everybody can read"):
        a * 0
    with pytest.raises(ValueError, match="factor"):
        a * 2**62
    with pytest.raises(ValueError, match="shapes"):
        a + PUBLIC.encrypt([1, 2, 3])
    with pytest.raises(ValueError, match="slots"):
        a + PUBLIC.encrypt([1, 2], slot_bits=50)
    with pytest.raises(ValueError, match="different keys"):
        a + OTHER_PUBLIC.encrypt([1, 2])
    with pytest.raises(ValueError, match="another key"):
        OTHER_PRIVATE.decrypt(a)
    with pytest.raises(TypeError, match="EncryptedArray"):
        PRIVATE.decrypt([1, 2])
    for bits in (1024, 2049, 8192):
        with pytest.raises(ValueError, match="bits"):
            paillier.generate_keypair(bits=bits)
    with pytest.raises(ValueError, match="profile"):
        paillier.generate_keypair(profile="slow")


def test_a_private_key_is_not_shown_copied_or_pickled():
    secret = PRIVATE.reveal_secret_bytes()
    for text in (repr(PRIVATE), str(PRIVATE), f"{PRIVATE}"):
        assert "not shown" in text and len(text) < 100
    for attempt in (pickle.dumps, copy.copy, copy.deepcopy, lambda key: pickle.dumps({"key": key}),
                    lambda key: pickle.dumps(key._key)):
        with pytest.raises(TypeError):
            attempt(PRIVATE)
    with pytest.raises(TypeError):
        vars(PRIVATE)
    again = paillier.PrivateKey.from_secret_bytes(secret, 2048)
    assert again.public_key == PUBLIC and np.array_equal(again.decrypt(PUBLIC.encrypt(VALUES)), VALUES)


def test_public_keys_are_values():
    again = pickle.loads(pickle.dumps(PUBLIC))
    assert again == PUBLIC != OTHER_PUBLIC and hash(again) == hash(PUBLIC)
    assert "2048" in repr(PUBLIC) and (PUBLIC.bits, OTHER_PUBLIC.profile) == (2048, "fast")
