#!/usr/bin/env python3
"""An account of its own, written from the papers with 60 digits: writes account.csv for account_test.cc.

delta   rho, epsilon, delta          Canonne, Kamath, Steinke 2020: the infimum over alpha, by golden section on a logarithmic scale
renyi   n, variance, shift, alpha, D exact Renyi divergence between a sum of n discrete Gaussians and the same sum shifted, by convolution
exact   variance, shift, epsilon, d  exact delta of one discrete Gaussian: sum over x of max(0, P(x) - exp(epsilon) P(x - shift))
"""
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
                e = D(epsilon).exp()
                lines.append(("exact", variance, shift, epsilon, sum(max(D(0), p[x] - e * p.get(x - shift, D(0))) for x in p if x - shift >= -100)))
    text = "\n".join(",".join(f"{v:.17e}" if isinstance(v, D) else str(v) for v in line) for line in lines)
    (Path(__file__).parent / "account.csv").write_text(text + "\n")


if __name__ == "__main__":
    main()
