#!/usr/bin/python3
"""Computes what the cases in this folder end with, from their inputs: an oracle of the updates that shares no line with
the program. Plain Python, since the cases are small.

usage: python3 tests/scenario/reference/make_reference.py CASE.txt...     (reads the inputs of each and writes it again)

Inputs are everything up to the matrices Z/i. The weights are those that the program's agents draw for these settings
from their secrets (Weights in src/ppdnmf/protocol/neighbours); the test checks that they are.
"""
import math
import sys


def zeros(rows, cols):
    return [[0.0] * cols for _ in range(rows)]


def times(a, b):
    columns = list(zip(*b))
    return [[math.fsum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(row) for row in zip(*a)]


def combined(*terms):
    """Sum of factor * matrix."""
    return [[math.fsum(f * m[r][c] for f, m in terms) for c in range(len(terms[0][1][0]))] for r in range(len(terms[0][1]))]


def positive(a):
    return [[max(x, 0.0) for x in row] for row in a]


def plus_diagonal(a, d):
    return [[x + (d if r == c else 0.0) for c, x in enumerate(row)] for r, row in enumerate(a)]


def inverse(a):
    """Gauss-Jordan with the largest pivot."""
    n = len(a)
    rows = [list(row) + [1.0 if r == c else 0.0 for c in range(n)] for r, row in enumerate(a)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(n):
            if r != k:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k])]
    return [row[n:] for row in rows]


def squares(a):
    return math.fsum(x * x for row in a for x in row)


def rounded(x):
    """To the nearest integer, halves away from zero."""
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


class Agent:
    def __init__(self, X0, Z):
        self.X, self.U = X0, X0
        self.P, self.Q, self.Q_before = (zeros(len(X0), len(X0[0])) for _ in range(3))
        self.Z = Z
        self.Y, self.V, self.R = (zeros(len(X0[0]), len(Z[0])) for _ in range(3))

    def update(self, case, c, printed):
        """Equations (8) to (10): the printed (9) multiplies Q by c, too."""
        Yt = transposed(self.Y)
        q = c if printed else 1.0
        self.X = positive(combined((1, self.U), (1, self.P)))
        right = combined((1, times(self.Z, Yt)), (case["mu"], self.X), (-case["mu"], self.P), (c, self.U),
                         (2 * q, self.Q), (-q, self.Q_before))
        self.U = times(right, inverse(plus_diagonal(times(self.Y, Yt), case["mu"] + c)))
        self.P = combined((1, self.P), (-1, self.X), (1, self.U))

    def solve_Y(self, case):
        """Equations (12) to (14)."""
        Xt = transposed(self.X)
        left = inverse(plus_diagonal(times(Xt, self.X), case["eta"]))
        XtZ = times(Xt, self.Z)
        for _ in range(case["admm_y"]):
            self.Y = positive(combined((1, self.V), (1, self.R)))
            self.V = times(left, combined((1, XtZ), (case["eta"], self.Y), (-case["eta"], self.R)))
            self.R = combined((1, self.R), (-1, self.Y), (1, self.V))


def run(case, printed):
    n = case["agents"]
    neighbours = [[b if a == i else a for a, b in case["edges"] if i in (a, b)] for i in range(n)]
    agents = [Agent(case["matrix"]["X0"], case["matrix"][f"Z/{i}"]) for i in range(n)]
    unit = 1 / case["g_scale"]
    bound = rounded(case["g_max"] * case["g_scale"]) * unit

    def weight(t, i, j):
        """Of agent i towards j in round t."""
        return case["edge_weight"][t, i, j] if printed else case["agent_weight"][t, i]

    def rho(t, i):
        return math.fsum(weight(t, i, j) * unit * weight(t, j, i) * unit for j in neighbours[i])

    history = []
    t = 0
    for iteration in range(case["iterations"]):
        for _ in range(case["admm_x"]):
            t += 1
            for i, agent in enumerate(agents):
                # As printed the weights of this round are known; else those of the last one are, and before the first
                # anything keeps U near its start.
                c = rho(t, i) if printed else rho(t - 1, i) if t > 1 else len(neighbours[i]) * bound * bound
                agent.update(case, c, printed)
            u = [[[rounded(case["n_max"] * x) for x in row] for row in agent.U] for agent in agents]
            for i, agent in enumerate(agents):
                pull = [[sum(weight(t, i, j) * weight(t, j, i) * (u[j][r][k] - u[i][r][k]) for j in neighbours[i])
                         for k in range(len(u[i][0]))] for r in range(len(u[i]))]
                share = unit * unit / case["n_max"] * (1.0 if printed else 0.5)
                agent.Q_before, agent.Q = agent.Q, combined((1, agent.Q), (share, pull))
        for agent in agents:
            agent.solve_Y(case)
        mean = combined(*((1 / n, agent.X) for agent in agents))
        errors = [math.sqrt(squares(combined((1, a.Z), (-1, times(a.X, a.Y)))) / squares(a.Z)) for a in agents]
        apart = max(squares(combined((1, a.X), (-1, mean))) for a in agents)
        history.append((iteration + 1, math.fsum(errors) / n, math.sqrt(apart / squares(mean))))
    return agents, history


def read(path):
    case = {"edges": [], "agent_weight": {}, "edge_weight": {}, "matrix": {}, "inputs": []}
    for line in open(path):
        words = line.split()
        if words[0] == "edge":
            case["edges"].append((int(words[1]), int(words[2])))
        elif words[0] == "agent_weight":
            case["agent_weight"][int(words[1]), int(words[2])] = int(words[3])
        elif words[0] == "edge_weight":
            case["edge_weight"][int(words[1]), int(words[2]), int(words[3])] = int(words[4])
        elif words[0] == "matrix" and (words[1] == "X0" or words[1].startswith("Z/")):
            rows, cols = int(words[2]), int(words[3])
            numbers = [float(x) for x in words[4:]]
            case["matrix"][words[1]] = [numbers[r * cols:(r + 1) * cols] for r in range(rows)]
        elif words[0] in ("matrix", "history"):
            continue  # an output
        elif words[0] != "#":
            case[words[0]] = float(words[1]) if words[0] in ("mu", "eta", "g_max", "g_scale") else int(words[1])
        case["inputs"].append(line)
    return case


def outputs(case):
    lines = []
    for variant in ("corrected", "as_printed"):
        agents, history = run(case, variant == "as_printed")
        for letter in "XUPQY":
            for i, agent in enumerate(agents):
                m = getattr(agent, letter)
                numbers = " ".join(repr(x) for row in m for x in row)
                lines.append(f"matrix {variant}/{letter}/{i} {len(m)} {len(m[0])} {numbers}\n")
        lines += [f"history {variant} {n} {nmse!r} {apart!r}\n" for n, nmse, apart in history]
    return lines


if __name__ == "__main__":
    for path in sys.argv[1:]:
        case = read(path)
        text = "".join(case["inputs"] + outputs(case))
        open(path, "w").write(text)
