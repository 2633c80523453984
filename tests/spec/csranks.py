"""Confidence sets for ranks by step-down, from the formulas of Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks with
Applications to Mobility across Neighbourhoods and Academic Achievement across Countries, Review of Economic Studies 91 (2024):
the algorithm behind csranks of R, for given bootstrap draws. Standard library alone; it shares nothing with the program.

    python3 tests/spec/csranks.py FILE

FILE is a list of {name, theta, draws, alpha, constant}: estimates of p populations, B draws of them, the level, and the pairs whose
difference does not vary. Printed, for the simultaneous sets and for the marginal set of each population: the rounds, each with its
critical value and the pairs (j, k) of which "theta_j <= theta_k" is rejected in it, and the ranks."""

import json
import sys
from math import sqrt


def standard_error(differences):
    n = len(differences)
    mean = sum(differences) / n
    return sqrt(sum((d - mean) ** 2 for d in differences) / (n - 1))


def critical_value(maxima, alpha):
    """Least value c so that, for a statistic above it, 1 + the number of draws that reach it is less than alpha (B + 1)."""
    ordered = sorted(maxima, reverse=True)
    for place, value in enumerate(ordered):
        if not (place + 1 + 1) / (len(maxima) + 1) < alpha:
            return value
    raise ValueError("alpha is 1 or more")


def step_down(pairs, statistic, bootstrap, alpha):
    """Rejects the pairs above the critical value of those that are left, until a round rejects none."""
    left = list(pairs)
    rounds = []
    if not 1 / (len(bootstrap) + 1) < alpha:
        return [], [{"critical": None, "rejected": []}]
    while True:
        maxima = [max([0.0] + [draw[pair] for pair in left]) for draw in bootstrap]
        c = critical_value(maxima, alpha)
        rejected = [pair for pair in left if statistic[pair] > c]
        rounds.append({"critical": c, "rejected": sorted(rejected)})
        if not rejected:
            return [pair for r in rounds for pair in r["rejected"]], rounds
        left = [pair for pair in left if pair not in rejected]


def rank_sets(theta, draws, alpha, constant):
    p = len(theta)
    still = {frozenset(pair) for pair in constant}
    pairs = [(j, k) for j in range(p) for k in range(p) if j != k and frozenset((j, k)) not in still]
    error = {(j, k): standard_error([draw[j] - draw[k] for draw in draws]) for j, k in pairs}
    statistic = {(j, k): (theta[j] - theta[k]) / error[j, k] for j, k in pairs}
    bootstrap = [
        {(j, k): (draw[j] - draw[k] - (theta[j] - theta[k])) / error[j, k] for j, k in pairs} for draw in draws
    ]

    def ranks(j, rejected):
        """One more than those certainly above j, to p less those certainly below."""
        return [1 + sum(b == j for _, b in rejected), p - sum(a == j for a, _ in rejected)]

    everything, rounds = step_down(pairs, statistic, bootstrap, alpha)
    marginal = []
    for j in range(p):
        own, own_rounds = step_down([pair for pair in pairs if j in pair], statistic, bootstrap, alpha)
        marginal.append({"rounds": own_rounds, "ranks": ranks(j, own)})
    return {
        "simultaneous": {"rounds": rounds, "ranks": [ranks(j, everything) for j in range(p)]},
        "marginal": marginal,
    }


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        designs = json.load(file)
    out = {d["name"]: rank_sets(d["theta"], d["draws"], d["alpha"], d["constant"]) for d in designs}
    json.dump(out, sys.stdout)
