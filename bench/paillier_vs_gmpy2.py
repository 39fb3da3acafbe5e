#!/usr/bin/env python3
"""ppdnmf.paillier against python-paillier's arithmetic as plain gmpy2 code: 2048 bits, time for one number, one thread each.

usage: PYTHONPATH=build/python paillier_vs_gmpy2.py

The arithmetic of python-paillier: g = n + 1, a random r below n for each number, decryption by the Chinese remainder theorem, one
number in each ciphertext, without the encoding of floats. Ours packs 31 numbers of 64 bits into a ciphertext. The time of one
ciphertext is shown, too.
"""
import secrets
import time

import gmpy2
import numpy as np

from ppdnmf import paillier

BITS, NUMBERS, PACKED, FACTOR = 2048, 31 * 512, 31, 1_000_003


class Textbook:
    def __init__(self):
        prime = lambda: gmpy2.next_prime(secrets.randbits(BITS // 2) | 3 << (BITS // 2 - 2) | 1)
        self.p, self.q = prime(), prime()
        self.n = self.p * self.q
        self.square = self.n * self.n
        self.hp = gmpy2.invert(self.ell(gmpy2.powmod(1 + self.n, self.p - 1, self.p**2), self.p), self.p)
        self.hq = gmpy2.invert(self.ell(gmpy2.powmod(1 + self.n, self.q - 1, self.q**2), self.q), self.q)
        self.p_inverse = gmpy2.invert(self.p, self.q)

    @staticmethod
    def ell(x, p):
        return (x - 1) // p

    def encrypt(self, m):
        r = gmpy2.mpz(secrets.randbelow(int(self.n) - 1) + 1)
        return (1 + self.n * (m % self.n)) % self.square * gmpy2.powmod(r, self.n, self.square) % self.square

    def decrypt(self, c):
        mp = self.ell(gmpy2.powmod(c, self.p - 1, self.p**2), self.p) * self.hp % self.p
        mq = self.ell(gmpy2.powmod(c, self.q - 1, self.q**2), self.q) * self.hq % self.q
        m = mp + (mq - mp) * self.p_inverse % self.q * self.p
        return m if m <= self.n // 2 else m - self.n


def per_number(call, count):
    """Processor seconds; the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        result = call()
        best = min(best, time.process_time() - begin)
    return best / count, result


def main():
    values = np.random.default_rng(1).integers(-(2**31), 2**31, size=NUMBERS)
    few = [int(v) for v in values[:64]]
    theirs = Textbook()
    public, private = paillier.generate_keypair(BITS)
    public.encrypt([0])  # makes the tables

    rows = []
    slow, c = per_number(lambda: [theirs.encrypt(m) for m in few], len(few))
    fast, a = per_number(lambda: public.encrypt(values), NUMBERS)
    rows.append(("encrypt", slow, fast))
    slow, opened = per_number(lambda: [theirs.decrypt(x) for x in c], len(few))
    fast, ours = per_number(lambda: private.decrypt(a), NUMBERS)
    rows.append(("decrypt", slow, fast))
    assert opened == few and np.array_equal(ours, values)
    slow, _ = per_number(lambda: [x * y % theirs.square for x, y in zip(c, c[1:] + c[:1])], len(few))
    fast, _ = per_number(lambda: a + a, NUMBERS)
    rows.append(("add", slow, fast))
    slow, _ = per_number(lambda: [gmpy2.powmod(x, FACTOR, theirs.square) for x in c], len(few))
    fast, _ = per_number(lambda: a * FACTOR, NUMBERS)
    rows.append(("multiply", slow, fast))
    for name, slow, fast in rows:
        print(f"{name:9s} gmpy2 {1e6 * slow:10.2f} us, ppdnmf {1e6 * fast:8.3f} us a number ({1e6 * PACKED * fast:8.2f} us a ciphertext): "
              f"{slow / fast:7.1f} times as fast, {slow / fast / PACKED:5.1f} for a ciphertext")


if __name__ == "__main__":
    main()
