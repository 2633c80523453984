"""Makes interval-cases.json: intervals of small designs by explicit matrices (NumPy, SciPy), apart from the program.

    python3 tests/inference/intervals.py > tests/inference/interval-cases.json

Student, nested strata: weighted least squares of cluster means on stratum indicators, CR2 adjustment matrices and Bell-McCaffrey
degrees of freedom as Pustejovsky and Tipton (2018) write them. Clusters that span strata: the matrix that takes cluster effects
to influences, by its definition. Bootstrap-t: every drawn copy of a cluster written out as a cluster of its own; for few clusters also over all ordered draws.
"""
import itertools
import json
import numpy as np
from scipy import stats

MASK = 0xFFFFFFFF


def philox(seed, stream, draw, count, offset=0):
    words = []
    for block in range(offset // 4, (offset + count + 3) // 4):
        c = [block, draw & MASK, draw >> 32, stream]
        k = [seed & MASK, seed >> 32]
        for _ in range(10):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(b >> 32) ^ c[1] ^ k[0], b & MASK, (a >> 32) ^ c[3] ^ k[1], a & MASK]
            k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
        words += c
    return words[:count]


def totals(design):
    """Tasks and totals, clusters x strata (x rows)."""
    clusters, strata = max(design["cluster"]) + 1, max(design["stratum"]) + 1
    table = np.array(design["table"], float)
    n = np.zeros((clusters, strata))
    d = np.zeros((clusters, strata, len(table)))
    for t, (c, s) in enumerate(zip(design["cluster"], design["stratum"])):
        n[c, s] += 1
        d[c, s] += table[:, t]
    return n, d


def score(n, d):
    return (d.sum(0) / n.sum(0)[:, None]).mean(0)


def spanning(n, d):
    """Squared error of each row and of each pair, and degrees of freedom, from the matrix u -> influence."""
    size, strata = n.shape
    q = n / n.sum(0)
    w = 1 / strata
    a = (w * q).sum(1)
    m = np.diag(a) - w * q @ q.T
    mean = d.sum(0) / n.sum(0)[:, None]
    r = np.einsum("csr,s->cr", d - n[:, :, None] * mean, w / n.sum(0))
    norm = (m * m).sum(1)
    scale = np.where(norm > 1e-14 * a.max() ** 2, a**2 / np.where(norm > 0, norm, 1), 0)
    b = np.sqrt(scale)[:, None] * m
    gram = b @ b.T
    df = np.trace(gram) ** 2 / (gram**2).sum()
    return r, scale, df


def nested(n, y):
    """The same for one column of cluster means in nested strata, by regression; y and n by cluster, stratum of each."""
    means, sizes, stratum = y
    x = np.eye(stratum.max() + 1)[stratum]
    weights = np.diag(sizes)
    inverse = np.linalg.inv(x.T @ weights @ x)
    hat = x @ inverse @ x.T @ weights
    away = np.eye(len(sizes)) - hat
    contrast = np.full(x.shape[1], 1 / x.shape[1])
    e = away @ means
    vectors, variance = [], 0.0
    for j in range(len(sizes)):
        adjust = (away[j] @ away[j]) ** -0.5
        factor = adjust * sizes[j] * (x[j] @ inverse @ contrast)
        variance += (factor * e[j]) ** 2
        vectors.append(factor * away[j])
    gram = np.array(vectors) @ np.array(vectors).T
    return np.sqrt(variance), np.trace(gram) ** 2 / (gram**2).sum()


def student(design, alpha, by_regression):
    n, d = totals(design)
    rows = d.shape[2]
    r, scale, df = spanning(n, d)
    columns = [r[:, i] for i in range(rows)] + [r[:, i] - r[:, j] for i in range(rows) for j in range(i + 1, rows)]
    errors = [np.sqrt((scale * column**2).sum()) for column in columns]
    if by_regression:
        stratum = n.argmax(1)
        sizes = n.max(1)
        of = d.sum(1)
        values = [of[:, i] for i in range(rows)] + [of[:, i] - of[:, j] for i in range(rows) for j in range(i + 1, rows)]
        made = [nested(n, (value / sizes, sizes, stratum)) for value in values]
        assert np.allclose([error for error, _ in made], errors) and np.allclose([f for _, f in made], df)
        errors, df = [error for error, _ in made], made[0][1]
    points = score(n, d)
    centres = list(points) + [points[i] - points[j] for i in range(rows) for j in range(i + 1, rows)]
    t = stats.t.ppf(1 - alpha / 2, df)
    scale_ = design["scale"]
    return {
        "degreesOfFreedom": df,
        "errors": [error / scale_ for error in errors],
        "intervals": [[(c - t * e) / scale_, (c + t * e) / scale_] for c, e in zip(centres, errors)],
    }


def studentised(n, d, taken, point):
    """t of every row when the clusters `taken` are drawn: infinite where nothing varies, NaN where the score is hit too."""
    drawn_n, drawn_d = n[taken], d[taken]
    dr, ds, _ = spanning(drawn_n, drawn_d)
    e = np.sqrt((ds[:, None] * dr**2).sum(0))
    e[e < 1e-9] = 0
    distance = score(drawn_n, drawn_d) - point
    distance[abs(distance) < 1e-9] = 0
    return [(x / y if y > 0 else np.sign(x) * np.inf if x else np.nan) for x, y in zip(distance, e)]


def linear(x, p):
    """Linear quantile of values that may be infinite."""
    x = np.sort(x)
    at = (len(x) - 1) * p
    i = int(np.floor(at))
    a, b = x[i], x[min(i + 1, len(x) - 1)]
    if at == i or a == b or np.isinf(a):
        return a
    return b if np.isinf(b) else a + (b - a) * (at - i)


def least(x, p):
    """The least value that at least a share p of all do not pass."""
    return np.sort(x)[int(np.ceil(p * len(x) - 1e-9)) - 1]


def ends(values, point, error, alpha, range_, scale, quantile):
    out, unbounded = [], []
    low, high = range_
    for row, e in enumerate(error):
        if e < 1e-9:
            out.append([point[row] / scale] * 2)
            unbounded.append(0)
            continue
        up = quantile(np.where(np.isnan(values[:, row]), np.inf, values[:, row]), 1 - alpha / 2)
        down = quantile(np.where(np.isnan(values[:, row]), -np.inf, values[:, row]), alpha / 2)
        unbounded.append(int(np.isinf(up) or np.isinf(down)))
        out.append([max(low, (point[row] - up * e) / scale), min(high, (point[row] - down * e) / scale)])
    return {"intervals": out, "unbounded": unbounded}


def bootstrap_t(design, alpha, seed, draws, range_):
    """From drawn clusters, and for few clusters from all ordered draws that leave no stratum empty."""
    n, d = totals(design)
    size = n.shape[0]
    point = score(n, d)
    r, scale, _ = spanning(n, d)
    error = np.sqrt((scale[:, None] * r**2).sum(0))
    drawn = []
    for draw in range(draws):
        for attempt in range(101):
            words = philox(seed, 0, draw, size, attempt * 2**24)
            taken = [word * size >> 32 for word in words]
            if (n[taken].sum(0) > 0).all():
                break
        drawn.append(studentised(n, d, taken, point))
    made = ends(np.array(drawn), point, error, alpha, range_, design["scale"], linear)
    if size > 5:
        return made, None
    every = [
        studentised(n, d, list(taken), point)
        for taken in itertools.product(range(size), repeat=size)
        if (n[list(taken)].sum(0) > 0).all()
    ]
    return made, ends(np.array(every), point, error, alpha, range_, design["scale"], least)


def designs():
    random = np.random.default_rng(13)

    def table(rows, tasks, top):
        return random.integers(0, top + 1, (rows, tasks)).tolist()

    yield "five clusters of one task", [0, 1, 2, 3, 4], [0] * 5, table(3, 5, 100), True
    yield "clusters of 1, 2, 3 and 8 tasks", [0, 1, 1, 2, 2, 2] + [3] * 8, [0] * 14, table(3, 14, 100), True
    yield "three nested strata of unequal clusters", [0, 0, 1, 2, 3, 3, 3, 4, 5, 5, 6, 7, 7, 7, 7], [0] * 4 + [1] * 6 + [2] * 5, table(3, 15, 100), True
    yield "clusters that span two strata", [0, 1, 2, 3, 4, 4, 0, 0, 1, 5, 5, 2], [0] * 6 + [1] * 6, table(3, 12, 100), False
    yield "clusters that span some of three strata", [0, 1, 2, 3, 1, 2, 4, 4, 5, 6, 6, 7, 0, 3, 3, 8], [0] * 5 + [1] * 4 + [2] * 7, table(3, 16, 100), False
    yield "four clusters, one of them in both strata", [0, 1, 1, 2, 2, 2, 3], [0, 0, 0, 0, 1, 1, 1], table(2, 7, 9), False
    yield "0/1 cells and a constant row", list(range(8)), [0] * 8, [[1, 1, 1, 0, 1, 1, 1, 1], [1] * 8, [0, 1, 1, 0, 1, 0, 1, 1]], False
    yield "a mean that draws of equal clusters hit", [0, 1, 2, 3], [0] * 4, [[0, 1, 1, 2], [0, 0, 2, 2], [5, 5, 5, 6]], True


cases = []
for name, cluster, stratum, table, by_regression in designs():
    design = {"cluster": cluster, "stratum": stratum, "table": table, "scale": 1 if "0/1" in name else 10}
    top = max(map(max, table)) / design["scale"]
    drawn, every = bootstrap_t(design, 0.1, 20260820, 400, (0, top))
    cases.append(
        {
            "name": name,
            "design": design,
            "range": [0, top],
            "student": student(design, 0.05, by_regression),
            "bootstrapT": drawn,
            "enumerated": every,
        }
    )
quantiles = [
    [tail, df, float(stats.t.isf(tail, df))]
    for df in (1, 1.5, 2.0001, 3.7, 8.25, 19.5, 63.9, 199, 5333.3, 1e6)
    for tail in (0.4, 0.1, 0.025, 0.005, 1e-6)
]
print(json.dumps({"quantiles": quantiles, "cases": cases}, indent=1))
