#!/usr/bin/env python3
"""Known answers for Paillier, from Python integers alone: python3 make_vectors.py > paillier_vectors.txt

A vector is a block "[kind]" of "name = hexadecimal number" lines. Nothing here is shared with the C++ code: primes,
powers and inverses are Python's own, decryption is the plain formula L(c^lambda) / lambda.
"""
import random
from math import gcd, lcm

SMALL = [s for s in range(3, 2000, 2) if all(s % d for d in range(3, int(s**0.5) + 1, 2))]


def is_prime(candidate, rng):
    if any(candidate % s == 0 for s in SMALL):
        return candidate in SMALL
    odd, twos = candidate - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(30):
        x = pow(rng.randrange(2, candidate - 1), odd, candidate)
        if x in (1, candidate - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % candidate
            if x == candidate - 1:
                break
        else:
            return False
    return True


def prime(bits, rng):
    while True:
        candidate = rng.getrandbits(bits) | 3 << bits - 2 | 3
        if is_prime(candidate, rng):
            return candidate


def prime_above(divisor, bits, rng):
    while True:
        cofactor = ((rng.getrandbits(bits) | 3 << bits - 2) // (2 * divisor)) | 1
        candidate = 2 * divisor * cofactor + 1
        if candidate >> bits - 2 == 3 and is_prime(candidate, rng):
            return candidate


def block(kind, **numbers):
    print(f"[{kind}]")
    for name, number in numbers.items():
        print(f"{name} = {number:x}")
    print()


def decrypt(c, p, q):
    n = p * q
    order = lcm(p - 1, q - 1)
    return (pow(c, order, n * n) - 1) // n * pow(order, -1, n) % n


def operations(p, q, h, exponent_bits, rng):
    n = p * q
    square = n * n
    base = pow(h, n, square)
    edges = [0, 1, n - 1, n // 2 - 1, n // 2, n // 2 + 1, rng.randrange(n), rng.randrange(n)]
    exponents = [0, 1, 2**exponent_bits - 1] + [rng.getrandbits(exponent_bits) for _ in edges[3:]]
    ciphertexts = []
    for m, r in zip(edges, exponents):
        c = (1 + n * m) * pow(base, r, square) % square
        assert decrypt(c, p, q) == m
        block("encrypt", m=m, r=r, c=c)
        ciphertexts.append((c, m))
    for (a, ma), (b, mb) in zip(ciphertexts, ciphertexts[1:] + ciphertexts[:1]):
        c = a * b % square
        assert decrypt(c, p, q) == (ma + mb) % n
        block("add", a=a, b=b, c=c, m=(ma + mb) % n)
    for (a, m), weight in zip(ciphertexts, [1, 2, 3, 65535, 54321, 2**24 - 1, 2**30 + 7, 2**62 - 1]):
        c = pow(a, weight, square)
        assert decrypt(c, p, q) == m * weight % n
        block("multiply", a=a, weight=weight, c=c, m=m * weight % n)


def standard(bits, rng):
    while True:
        p, q = prime(bits // 2, rng), prime(bits // 2, rng)
        if p != q and gcd(p - 1, q - 1) == 2:
            break
    n = p * q
    x = rng.randrange(2, n)
    h = -x * x % n
    block("key", bits=bits, profile=1, p=p, q=q, n=n, x=x, h=h, hn=pow(h, n, n * n),
          exponent_p=p - 1, exponent_q=q - 1, factor_p=pow((p - 1) * q, -1, p), factor_q=pow((q - 1) * p, -1, q))
    operations(p, q, h, bits // 2, rng)


def fast(bits, short, rng):
    while True:
        sub_p, sub_q = prime(short // 2, rng), prime(short // 2, rng)
        p, q = prime_above(sub_p, bits // 2, rng), prime_above(sub_q, bits // 2, rng)
        if gcd(p - 1, q - 1) == 2 and gcd(sub_p * sub_q, (p - 1) // sub_p * ((q - 1) // sub_q)) == 1:
            break
    n = p * q
    y = rng.randrange(2, n)
    h = -pow(y, (p - 1) // sub_p * ((q - 1) // sub_q) // 2, n) % n
    assert pow(h, 2 * sub_p * sub_q, n) == 1
    block("key", bits=bits, profile=2, p=p, q=q, n=n, sub_p=sub_p, sub_q=sub_q, h=h, hn=pow(h, n, n * n),
          exponent_p=2 * sub_p, exponent_q=2 * sub_q,
          factor_p=pow(2 * sub_p * q, -1, p), factor_q=pow(2 * sub_q * p, -1, q))
    operations(p, q, h, short, rng)


def iso_18033_6():
    """The sample key and ciphertexts that ISO/IEC 18033-6 prints; gcd(p - 1, q - 1) is 6 there."""
    p = int("ff03b1a74827c746db83d2eaff00067622f545b62584321256e62b01509f10962f9c5c8fd0b7f5184a9ce8e81f439df47dda14563d"
            "d55a221799d2aa57ed2713271678a5a0b8b40a84ad13d5b6e6599e6467c670109cf1f45ccfed8f75ea3b814548ab294626fe4d14ff"
            "764dd8b091f11a0943a2dd2b983b0df02f4c4d00b413", 16)
    q = int("dacaabc1dc57faa9fd6a4274c4d588765a1d3311c22e57d8101431b07eb3ddcb05d77d9a742ac2322fe6a063bd1e05acb13b0fe91c"
            "70115c2b1eee1155e072527011a5f849de7072a1ce8e6b71db525fbcda7a89aaed46d27aca5eaeaf35a26270a4a833c5cda681ffd4"
            "9baa0f610bad100cdf47cc86e5034e2a0b2179e04ec7", 16)
    r = [int("57fb19590c31dc7c034b2a889cf4037ce3db799909c1eb0adb6199d8e96791daca9018891f34309daff32dced4af7d793d16734d0"
             "55e28023acab7295956bfbfdf62bf0ccb2ed31d5d176ca8b404e93007565fb6b72c33a512b4dc4f719231d62e27e34c3733929af3"
             "2247f88c20d1ee77096cc80d3d642464054c815b35878ba812349c8bdc3c6b645daf1a0de60965f44dcf705681032480f1eeba822"
             "43196b96903becdc0df0801d4120cbd6db1c4b2841a27991c44a43750c24ed0825718ad14cfb9c6b40b78ff3d25f71741f2def1c9"
             "d420d4b0fa1e0a02e7851b5ec6a81133a368b80d1500b0f28fc653d2e6ff4366236dbf80ae3b4beae35e04579f2c", 16),
         int("6ee8ed76227672a7bcaa1e7f152c2ea39f2fa225f0713f58210c59b2270b110e38b65069aaedbeffc713c021336cc12f65227cc03"
             "57ca531c07c706e7224c2c11c3145bc0a05b164f426ec03350820f9f416377e8720ddb577843cae929178bfe5772e2cc1e9b94e8f"
             "ce814eaf136c6ed218ca7b10ea4d5218e7ba82bd74bb9f19d3ccc7d2e140e91cfb25f76f54aa70f2ed88ef343dd5fb98617c0036b"
             "7717f7458ec847d7b52e8764a4e92c397133a95e35e9a82d5dc264ff423398cfadfbaec4727854e68f2e9e210d6a65c39b5a9b2a0"
             "ebdc5389834883680e42b5d8582344e3e07a01fbd6c46328dcfa03074d0bc02927f58466c2fa74ab608177e3ec1b", 16)]
    m = [0x414243444546474849404a4b4c4d4e4f, 0x20202020202020202020202020202020]
    n = p * q
    assert gcd(p - 1, q - 1) == 6
    c = [(1 + n * m[i]) * pow(r[i], n, n * n) % (n * n) for i in range(2)]
    # The first and last digits of the standard's own ciphertexts and of their product.
    for number, first, last in [(c[0], "1fb7f08a42deb478", "5c2c09b1a1f5"), (c[1], "61803645f2798c06", "2bb97cb90e02"),
                                (c[0] * c[1] % (n * n), "309f6e614d875e3b", "6038828a6c9744")]:
        assert f"{number:x}".startswith(first) and f"{number:x}".endswith(last)
    block("iso", p=p, q=q, n=n, r0=r[0], r1=r[1], m0=m[0], m1=m[1], c0=c[0], c1=c[1], sum=c[0] * c[1] % (n * n))


def main():
    rng = random.Random(18033)
    print("# Made by make_vectors.py; see there.\n")
    iso_18033_6()
    for bits, short in [(1024, 320), (2048, 448), (3072, 512)]:
        standard(bits, rng)
        fast(bits, short, rng)


main()
