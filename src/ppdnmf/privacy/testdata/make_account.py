#!/usr/bin/env python3
"""An account of its own, written from the papers with 60 digits: writes account.csv for account_test.cc.

delta   rho, epsilon, delta          Canonne, Kamath, Steinke 2020: the infimum over alpha, by golden section on a logarithmic scale
renyi   n, variance, shift, alpha, D exact Renyi divergence between a sum of n discrete Gaussians and the same sum shifted, by convolution
exact   variance, shift, epsilon, d  exact delta of one discrete Gaussian: sum over x of max(0, P(x) - exp(epsilon) P(x - shift))
gauss   mu, epsilon, delta           N(0, 1) against N(mu, 1), with mpmath: the integral of max(0, p - e^epsilon q), not its closed form
rounded n, variance, divergence      Kullback and Leibler's, of a sum of n discrete Gaussians from the rounded Gaussian of that variance
wide    variance, shift, epsilon, d  as exact, with noise so wide that it is nearly Gaussian
"""
import mpmath
from decimal import Decimal as D, getcontext
from pathlib import Path

getcontext().prec = 60


def log_delta(rho, epsilon, a):
    """a = alpha - 1."""
    alpha = 1 + a
    return a * (alpha * rho - epsilon) + alpha * (a.ln() - alpha.ln()) - a.ln()


def delta(rho, epsilon):
    low, high, golden = D("-60"), D("60"), (D(5).sqrt() - 1) / 2
    value = lambda x: log_delta(rho, epsilon, x.exp())
    x, y = high - golden * (high - low), low + golden * (high - low)
    at_x, at_y = value(x), value(y)
    for _ in range(160):
        if at_x < at_y:
            high, y, at_y = y, x, at_x
            x = high - golden * (high - low)
            at_x = value(x)
        else:
            low, x, at_x = x, y, at_y
            y = low + golden * (high - low)
            at_y = value(y)
    return min(D(1), min(at_x, at_y).exp())


def gaussian(variance, reach):
    weights = {x: (-D(x * x) / (2 * variance)).exp() for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    return {x: w / total for x, w in weights.items()}


def convolve(p, q):
    out = {}
    for x, a in p.items():
        for y, b in q.items():
            out[x + y] = out.get(x + y, D(0)) + a * b
    return out


def renyi(p, shift, alpha):
    total = sum((alpha * p[x].ln() + (1 - alpha) * p[x - shift].ln()).exp() for x in p if x - shift in p)
    return total.ln() / (alpha - 1)


def gauss(mu, epsilon):
    """p exceeds e^epsilon q where x > mu/2 + epsilon/mu."""
    mpmath.mp.dps = 40
    mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
    first = mu / 2 + epsilon / mu
    part = lambda x: mpmath.npdf(x, mu) - mpmath.exp(epsilon) * mpmath.npdf(x)
    return mpmath.quad(part, [first + t / (1 + first) for t in (0, .1, .3, .6, 1, 1.5, 2.2, 3, 4, 5.5, 8, 12, 20, 40, 100, 300)])


def from_rounded(p, variance):
    mpmath.mp.dps = 50
    s = mpmath.sqrt(mpmath.mpf(str(variance)))
    total = mpmath.mpf(0)
    for x, mass in p.items():
        a = abs(x)  # in the upper tail no digits cancel
        within = (mpmath.erfc((a - mpmath.mpf(1) / 2) / (s * mpmath.sqrt(2))) - mpmath.erfc((a + mpmath.mpf(1) / 2) / (s * mpmath.sqrt(2)))) / 2
        mass = mpmath.mpf(str(mass))
        total += mass * mpmath.log(mass / within)
    return total


def exact(p, shift, epsilon):
    e = epsilon.exp()
    return sum(max(D(0), p[x] - e * p.get(x - shift, D(0))) for x in p if x - shift in p)


def main():
    lines = []
    for rho in ("0.001", "0.0175", "0.05", "0.5", "2.56", "10"):
        for epsilon in ("0.1", "0.5", "1", "2", "4", "8", "17.14", "40"):
            lines.append(("delta", rho, epsilon, delta(D(rho), D(epsilon))))
    for variance in ("0.25", "0.5", "1", "2.5"):
        one = gaussian(D(variance), 24)
        p = one
        for n in range(1, 5):
            for shift in (1, 2):
                for alpha in ("1.5", "2", "5"):
                    lines.append(("renyi", n, variance, shift, alpha, renyi(p, shift, D(alpha))))
            p = convolve(p, one)
    for variance in ("1", "4", "25"):
        p = gaussian(D(variance), 100)
        for shift in (1, 3):
            for epsilon in ("0.25", "1", "3"):
                lines.append(("exact", variance, shift, epsilon, exact(p, shift, D(epsilon))))
    for mu in ("0.02", "0.1", "0.3", "0.7", "1.5", "4"):
        for epsilon in ("0.01", "0.1", "0.5", "1", "2", "4", "8"):
            lines.append(("gauss", mu, epsilon, D(mpmath.nstr(gauss(mu, epsilon), 25))))
    for variance in ("1", "6", "16", "25"):
        one = gaussian(D(variance), 14 * int(D(variance).sqrt() + 1))
        p = one
        for n in range(1, 4):
            lines.append(("rounded", n, variance, D(mpmath.nstr(from_rounded(p, n * D(variance)), 25))))
            p = convolve(p, one)
    p = gaussian(D(40000), 3000)
    for shift in (50, 100, 200):
        for epsilon in ("0.1", "0.5", "1"):
            lines.append(("wide", 40000, shift, epsilon, exact(p, shift, D(epsilon))))
    text = "\n".join(",".join(f"{v:.17e}" if isinstance(v, D) else str(v) for v in line) for line in lines)
    (Path(__file__).parent / "account.csv").write_text(text + "\n")


if __name__ == "__main__":
    main()
