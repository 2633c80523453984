#!/usr/bin/env python3
"""Makes `inference.json` again from a table of scores, by the pages of docs/spec alone.

It shares nothing with the program: no code, no kernels, no libraries. It covers CSV tables under the default
generator, and prints what `flavourbench infer` would write. Numbers in brackets name sections of
docs/spec/statistics.md.

What a table cannot tell has an option: the version of the package, how the program ran (`--run-backend`,
`--threads`, `--reason`), and the files that were its inputs where the table was copied from another format
(`--input role=file`, repeated).
"""

import argparse
import csv
import hashlib
import io
import json
import math
import sys
from decimal import Decimal, localcontext
from struct import unpack

MASK = 0xFFFFFFFF
LIMIT = 1 << 62


# ---------------------------------------------------------------- random words (generators; statistics 3.7)


def philox_keys(seed):
    k0, k1 = seed & MASK, seed >> 32
    keys = []
    for _ in range(10):
        keys.append((k0, k1))
        k0 = (k0 + 0x9E3779B9) & MASK
        k1 = (k1 + 0xBB67AE85) & MASK
    return keys


def words(keys, stream, draw, first, count):
    """Words first to first + count - 1 of a draw; first is a multiple of four."""
    mask, low, high = MASK, draw & MASK, draw >> 32
    out = []
    block = first >> 2
    for block in range(block, block + ((count + 3) >> 2)):
        c0, c1, c2, c3 = block, low, high, stream
        for k0, k1 in keys:
            p = 0xD2511F53 * c0
            q = 0xCD9E8D57 * c2
            c0 = (q >> 32) ^ c1 ^ k0
            c1 = q & mask
            c2 = (p >> 32) ^ c3 ^ k1
            c3 = p & mask
        out += (c0, c1, c2, c3)
    del out[count:]
    return out


# ---------------------------------------------------------------- canonical JSON (16)

ESCAPES = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r'}


def text_of(number):
    """A number as ECMAScript writes it."""
    if isinstance(number, int) and abs(number) < 1 << 53:
        return str(number)
    number = float(number)
    if number == 0:
        return '0'
    sign = '-' if number < 0 else ''
    mantissa, _, exponent = repr(abs(number)).partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    k = len(digits)
    if k <= point <= 21:
        return sign + digits + '0' * (point - k)
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    e = point - 1
    return f'{sign}{digits[0]}{"." + digits[1:] if k > 1 else ""}e{"+" if e > 0 else "-"}{abs(e)}'


def canonical(value):
    if value is None:
        return 'null'
    if value is True:
        return 'true'
    if value is False:
        return 'false'
    if isinstance(value, str):
        return '"' + ''.join(ESCAPES.get(c) or (c if c >= ' ' else f'\\u{ord(c):04x}') for c in value) + '"'
    if isinstance(value, (int, float)):
        return text_of(value)
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode('utf-16-be'))
        return '{' + ','.join(f'{canonical(key)}:{canonical(value[key])}' for key in keys) + '}'
    return '[' + ','.join(map(canonical, value)) + ']'


def digest(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()


# ---------------------------------------------------------------- the table (2)


def rows_of(path):
    with open(path, 'rb') as file:
        text = file.read().decode('utf-8-sig')
    rows = list(csv.reader(io.StringIO(text, newline='')))
    while rows and not rows[-1]:
        rows.pop()
    return rows


def column_of(path, name):
    """A file `task,NAME` as a mapping."""
    head, *rows = rows_of(path)
    task, place = head.index('task'), head.index(name)
    return {row[task]: row[place] for row in rows}


class Table:
    """Models, tasks, integer cells, labels and order."""

    def __init__(self, options):
        self.quantize = options.quantize
        self.largest_error = 0.0
        self.scale = options.quantize or options.scale or 100
        self.stated = bool(options.quantize or options.scale)
        cells, labels = {}, {}
        head, *rows = rows_of(options.scores)
        if 'task' not in head and 'value' not in head:
            rows = [[row[0], task, value] for row in rows for task, value in zip(head[1:], row[1:])]
            head = ['model', 'task', 'value']
        place = {name: i for i, name in enumerate(head)}
        models = []
        for row in rows:
            model, task = row[place['model']], row[place['task']]
            if model not in cells:
                cells[model] = {}
                models.append(model)
            if task not in labels:
                labels[task] = [
                    row[place['panel']] if 'panel' in place else 'all',
                    row[place['family']] if 'family' in place else 'all',
                    row[place['cluster']] if 'cluster' in place else task,
                ]
            cells[model][task] = self.integer(row[place['value']])
        tasks = list(labels)
        for at, path, name in ((2, options.clusters, 'cluster'), (1, options.families, 'family')):
            for task, label in (column_of(path, name) if path else {}).items():
                if task in labels:
                    labels[task][at] = label
        self.names, self.slots = {}, {}
        if options.roster:
            models = self.ranked(options.roster)
        self.models, self.tasks = models, tasks
        self.rows = [[cells[model][task] for task in tasks] for model in models]
        self.panel = [labels[task][0] for task in tasks]
        self.family = [labels[task][1] for task in tasks]
        self.panels = list(dict.fromkeys(self.panel))
        found = list(dict.fromkeys(self.family))
        first = [name for name in ('substitution', 'pairing', 'constraint') if name in found]
        self.families = first + [name for name in found if name not in first]
        numbers = {}
        self.cluster = [numbers.setdefault(labels[task][2], len(numbers)) for task in tasks]
        self.clusters = len(numbers)
        self.chance = None
        if options.chance:
            values = column_of(options.chance, 'value')
            error = self.largest_error
            self.chance = [self.integer(values[task]) for task in tasks]
            self.largest_error = error

    def ranked(self, path):
        """Ids of a roster in order; what it says of names and slots (2.2)."""
        with open(path, encoding='utf-8-sig') as file:
            text = file.read()
        if text.lstrip()[:1] in ('{', '['):
            said = json.loads(text)
            entries = said['models'] if isinstance(said, dict) else said
            entries = [entry if isinstance(entry, dict) else {'model_id': entry} for entry in entries]
        else:
            rows = rows_of(path)
            if 'model_id' in rows[0]:
                entries = [{k: v for k, v in zip(rows[0], row) if k != 'name'} for row in rows[1:]]
            else:
                entries = [{'model_id': line.strip()} for line in text.splitlines() if line.strip()]
        models = []
        for entry in entries:
            model = entry.get('model_id') or entry['id']
            models.append(model)
            for kept, names in ((self.names, ('model_name', 'name')), (self.slots, ('slot_id',))):
                said = [entry.get(name) for name in names]
                kept.update({model: text for text in said[::-1] if text and isinstance(text, str)})
        return models

    def integer(self, text):
        x = float(text.strip())
        if self.quantize:
            value = round(x * self.quantize)
            self.largest_error = max(self.largest_error, abs(value / self.quantize - x))
            return value
        if not x.is_integer():
            raise SystemExit(f'not an integer: {text}')
        return int(x)


class Design:
    """Strata (2.4), parts (2.5) and exact totals (6.3)."""

    def __init__(self, table, strata):
        if strata == 'family':
            wanted = [(family, None, family) for family in table.families]
        else:
            wanted = [(f'{p}/{f}', p, f) for p in table.panels for f in table.families]
        self.labels, self.tasks = [], []
        for label, panel, family in wanted:
            of_stratum = [
                t for t, f in enumerate(table.family) if f == family and panel in (None, table.panel[t])
            ]
            if of_stratum:
                self.labels.append(label)
                self.tasks.append(of_stratum)
        self.sizes = [len(tasks) for tasks in self.tasks]
        self.rows = table.rows + ([table.chance] if table.chance else [])
        self.scale = table.scale
        self.parts = []  # (stratum, cluster, number of tasks, total of each row)
        for s, tasks in enumerate(self.tasks):
            for c in sorted({table.cluster[t] for t in tasks}):
                here = [t for t in tasks if table.cluster[t] == c]
                self.parts.append((s, c, len(here), [sum(row[t] for t in here) for row in self.rows]))
        self.lcm = math.lcm(*self.sizes)
        self.weights = [self.lcm // n for n in self.sizes]
        self.totals = [
            sum(self.weights[s] * sum(row[t] for t in tasks) for s, tasks in enumerate(self.tasks))
            for row in self.rows
        ]
        self.denominator = float(len(self.sizes) * self.lcm * self.scale)
        self.clusters = table.clusters

    def score(self, r):
        total = 0.0
        for tasks, n in zip(self.tasks, self.sizes):
            total += float(sum(self.rows[r][t] for t in tasks)) / float(n)
        return total / len(self.sizes) / self.scale

    def flip_weights(self):
        """The integer weights of the flips, and what the document says of them (6.3)."""
        def bound(weights):
            return sum(weights[s] * (max(*v, 0) - min(*v, 0)) for s, _, _, v in self.parts)

        if bound(self.weights) < LIMIT:
            return self.weights, {'kind': 'exact', 'relativeError': 0}
        for k in range(61, 0, -1):
            weights = [((2 ** (k + 1)) // n + 1) // 2 for n in self.sizes]
            if bound(weights) < LIMIT:
                error = max(abs(float(w) * n / 2.0**k - 1) for w, n in zip(weights, self.sizes))
                return weights, {'kind': 'rounded', 'relativeError': error}
        raise SystemExit('no weights')


# ---------------------------------------------------------------- packed sums


def pack(values):
    """Signed integers below 2^62 in fields of 64 bits: sums of packed values are sums of fields."""
    return sum(value << (64 * i) for i, value in enumerate(values))


class Fields:
    def __init__(self, count):
        self.bias = pack([1 << 63] * count)
        self.bytes = 8 * count
        self.format = f'<{count}Q'

    def read(self, packed):
        half = 1 << 63
        return [x - half for x in unpack(self.format, (packed + self.bias).to_bytes(self.bytes, 'little'))]


# ---------------------------------------------------------------- bootstrap (5.6 to 5.8)


def bootstrap(design, seed, draws, scheme):
    """Values of every row in every draw, and the number of attempts thrown away."""
    rows, strata, count = len(design.rows), len(design.sizes), len(design.rows) + 1
    keys, fields = philox_keys(seed), Fields(strata * count)
    packed = [
        (s, c, pack([0] * (s * count) + [n] + totals)) for s, c, n, totals in design.parts
    ]
    values = [[] for _ in range(rows)]
    thrown = 0
    scale = float(design.scale)
    if scheme == 'joint':
        n = design.clusters
        by_cluster = [0] * n
        for _, c, part in packed:
            by_cluster[c] += part
        take = by_cluster.__getitem__
    else:
        lists = [[part for t, _, part in packed if t == s] for s in range(strata)]
        plan = [(parts, len(parts)) for parts in lists for _ in parts]
    for draw in range(draws):
        if scheme == 'joint':
            for attempt in range(101):
                drawn = [w * n >> 32 for w in words(keys, 0, draw, attempt << 24, n)]
                sums = fields.read(sum(map(take, drawn)))
                if all(sums[::count]):
                    break
                thrown += 1
            else:
                raise SystemExit('STRATUM_EMPTY')
        else:
            drawn = words(keys, 0, draw, 0, len(plan))
            sums = fields.read(sum(parts[w * m >> 32] for w, (parts, m) in zip(drawn, plan)))
        totals = [0.0] * rows
        for s in range(0, strata * count, count):
            b = float(sums[s])
            for r in range(rows):
                totals[r] += float(sums[s + 1 + r]) / b
        for r in range(rows):
            values[r].append(totals[r] / strata / scale)
    return values, thrown


def quantile(ordered, q):
    """Section 4."""
    h = (len(ordered) - 1) * q
    i = math.floor(h)
    g = h - i
    a = ordered[i]
    b = ordered[i + 1] if i + 1 < len(ordered) else a
    t = b - a
    return a + t * g if g < 0.5 else b - t * (1 - g)


def interval(values, alpha):
    ordered = sorted(values)
    return [quantile(ordered, alpha / 2), quantile(ordered, 1 - alpha / 2)]


def blocked(values):
    total = 0.0
    for at in range(0, len(values), 1024):
        block = 0.0
        for value in values[at : at + 1024]:
            block += value
        total += block
    return total


def standard_error(values):
    if len(values) == 1:
        return 0.0
    mean = blocked(values) / len(values)
    return math.sqrt(blocked([(v - mean) * (v - mean) for v in values]) / (len(values) - 1))


# ---------------------------------------------------------------- sign flips (6)


def flips(design, weights, seed, count, models, pairs):
    """Exceedances and exact counts of every pair; counts of 6.7 for those among the first `models` rows."""
    rows, n = len(design.rows), design.clusters
    cluster_totals = [[0] * rows for _ in range(n)]
    for s, c, _, totals in design.parts:
        for r, total in enumerate(totals):
            cluster_totals[c][r] += weights[s] * total
    fields = Fields(rows)
    packed = [pack(totals) for totals in cluster_totals]
    everything = sum(packed)
    observed_rows = fields.read(everything)
    observed = [abs(observed_rows[a] - observed_rows[b]) for a, b in pairs]
    units = []
    for a, b in pairs:
        q = 0.0
        for totals in cluster_totals:
            d = float(totals[a] - totals[b])
            q += d * d
        units.append(1 / math.sqrt(q) if q else 0.0)
    tests = list(zip(range(len(pairs)), pairs, observed, units))
    ranked = [test for test in tests if test[1][1] < models]
    others = [test for test in tests if test[1][1] >= models]

    # Eight clusters at a time: the sum over a byte's set bits. Signed sums are twice that less the whole.
    tables = []
    for at in range(0, n, 8):
        table = [0]
        for part in packed[at : at + 8]:
            table += [x + part for x in table]
        tables.append(table)
    width = (n + 31) // 32
    last = (1 << (n - 8 * (len(tables) - 1))) - 1

    def sums(bits):
        return fields.read(2 * sum(table[byte] for table, byte in zip(tables, bits)) - everything)

    exceeded, largest = [0] * len(pairs), []
    keys = philox_keys(seed)
    for flip in range(count):
        bits = bytearray(b''.join(w.to_bytes(4, 'little') for w in words(keys, 1, flip, 0, width)))
        bits[len(tables) - 1] &= last
        f = sums(bits)
        top = 0.0
        for i, (a, b), seen, unit in ranked:
            d = abs(f[a] - f[b])
            if d >= seen:
                exceeded[i] += 1
            statistic = d * unit
            if statistic > top:
                top = statistic
        for i, (a, b), seen, _ in others:
            if abs(f[a] - f[b]) >= seen:
                exceeded[i] += 1
        largest.append(top)
    reached = [
        sum(top >= float(seen) * unit for top in largest) if unit else count for _, _, seen, unit in ranked
    ]
    exact = [None] * len(pairs)
    if n <= 30 and 2**n <= count:
        counts = [0] * len(pairs)
        for number in range(2**n):
            f = sums(number.to_bytes(len(tables), 'little'))
            for i, (a, b), seen, _ in tests:
                counts[i] += abs(f[a] - f[b]) >= seen
        exact = [c / 2**n for c in counts]
    return exceeded, reached, exact


# ---------------------------------------------------------------- interval of a p (6.8)


def log_factorial(n):
    if n < 60:
        return Decimal(math.factorial(n)).ln()
    x = Decimal(n)
    two_pi = Decimal('6.283185307179586476925286766559005768394')
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5) - 1 / (1680 * x**7) + 1 / (1188 * x**9)
    return x * x.ln() - x + (two_pi * x).ln() / 2 + series


def fraction(a, b, x):
    """The continued fraction of the incomplete beta function (modified Lentz)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d or tiny)
    h = d
    for m in range(1, 100000):
        m2 = 2 * m
        t = m * (b - m) * x / ((a + m2 - 1) * (a + m2))
        d = 1.0 / ((1.0 + t * d) or tiny)
        c = (1.0 + t / c) or tiny
        h *= d * c
        t = -(a + m) * (a + b + m) * x / ((a + m2) * (a + m2 + 1))
        d = 1.0 / ((1.0 + t * d) or tiny)
        c = (1.0 + t / c) or tiny
        step = d * c
        h *= step
        if abs(step - 1.0) < 3e-16:
            break
    return h


def solve(a, b, upper):
    """p with I_p(a, b) = 0.005, or with 1 - I_p(a, b) = 0.005 for `upper`; a + b - 1 trials."""
    beta = log_factorial(a + b - 1) - log_factorial(a - 1) - log_factorial(b - 1)
    target = Decimal('0.005').ln()
    # The share of successes lies between both limits; on its own side of it the fraction converges quickly.
    share = (a - 1) / (a + b - 1) if upper else a / (a + b - 1)
    low, high = (share, 1.0) if upper else (0.0, share)
    spread = 2.6 * math.sqrt(share * (1 - share) / (a + b))
    p = share + spread if upper else share - spread
    if not low < p < high:
        p = (low + high) / 2
    for _ in range(200):
        x = Decimal(p)
        front = beta + a * x.ln() + b * (1 - x).ln()
        part = fraction(b, a, 1 - p) / b if upper else fraction(a, b, p) / a
        miss = float(front + Decimal(part).ln() - target)
        # The density is exp(front) / (p (1 - p)), the tail exp(front) part.
        slope = (-1 if upper else 1) / (p * (1 - p) * part)
        if (miss > 0) != upper:
            high = p
        else:
            low = p
        new = p - miss / slope
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - p) <= 4e-16 * p:
            return new
        p = new
    return p


def limits(e, trials, known={}):
    if e not in known:
        with localcontext() as context:
            context.prec = 40
            low = solve(e, trials - e + 1, False) if e else 0.0
            high = solve(e + 1, trials - e, True) if e < trials else 1.0
        known[e] = [float(f'{low:.9e}'), float(f'{high:.9e}')]
    return list(known[e])


# ---------------------------------------------------------------- Holm (7)


def holm(ps):
    adjusted, running = [0.0] * len(ps), 0.0
    for k, i in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        running = max(running, min(1.0, (len(ps) - k) * ps[i]))
        adjusted[i] = running
    return adjusted


def test_rows(exceeded, exact, count, alpha):
    """The five keys of a test (17) for every member of a set."""
    ps = [(e + 1) / (count + 1) for e in exceeded]
    bounds = [limits(e, count) for e in exceeded]
    adjusted = holm(ps)
    lowest, highest = holm([low for low, _ in bounds]), holm([high for _, high in bounds])
    return [
        {
            'sign_flip_p': ps[i],
            'holm_p': adjusted[i],
            'holm_could_flip': (lowest[i] < alpha) != (highest[i] < alpha),
            'p_interval_99': bounds[i],
            'exact_p': exact[i],
        }
        for i in range(len(ps))
    ]


# ---------------------------------------------------------------- results (5, 8 to 12, 17)


def dz(left, right):
    d = [a - b for a, b in zip(left, right)]
    if all(x == d[0] for x in d):
        return 0 if d[0] == 0 else None
    total = 0.0
    for x in d:
        total += x
    mean = total / len(d)
    q = 0.0
    for x in d:
        q += (x - mean) * (x - mean)
    return mean / math.sqrt(q / (len(d) - 1))


def pearson(xs, ys):
    if len(xs) < 2 or len(set(xs)) == 1 or len(set(ys)) == 1:
        return None
    def total(values):
        result = 0.0
        for value in values:
            result += value
        return result

    mx, my = total(xs) / len(xs), total(ys) / len(ys)
    us, vs = [x - mx for x in xs], [y - my for y in ys]
    xx, yy = total(u * u for u in us), total(v * v for v in vs)
    xy = total(u * v for u, v in zip(us, vs))
    if xx == 0 or yy == 0:
        return None
    return min(1.0, max(-1.0, xy / math.sqrt(xx) / math.sqrt(yy)))


def ordinal(values):
    ranks = [0.0] * len(values)
    for rank, i in enumerate(sorted(range(len(values)), key=values.__getitem__), 1):
        ranks[i] = float(rank)
    return ranks


def mean_of(row, tasks, scale):
    return float(sum(row[t] for t in tasks)) / len(tasks) / scale


def replication(table, design):
    places = range(len(table.tasks))
    cells = [
        [[t for t in places if table.panel[t] == p and table.family[t] == f] for f in table.families]
        for p in table.panels
    ]
    if len(table.panels) != 2 or not all(tasks for panel in cells for tasks in panel):
        return None
    scores = []
    for panel in cells:
        scores.append([])
        for row in table.rows:
            total = 0.0
            for tasks in panel:
                total += float(sum(row[t] for t in tasks)) / len(tasks)
            scores[-1].append(total / len(table.families) / table.scale)
    first, second = scores
    return {
        'status': 'descriptive_replication_diagnostic',
        'panels': table.panels,
        'score_pearson': pearson(first, second),
        'rank_spearman': pearson(ordinal(first), ordinal(second)),
        'models': [
            {table.panels[0]: a, table.panels[1]: b, 'model_id': model, 'difference': b - a}
            for model, a, b in zip(table.models, first, second)
        ],
    }


def results_of(table, options):
    alpha, draws, count = options.alpha, options.draws, options.flips
    design = Design(table, options.strata)
    models, names = len(table.models), table.models
    everyone = range(models)
    pairs = [(a, b) for a in everyone for b in range(a + 1, models)]
    against = [(m, models) for m in everyone] if table.chance else []
    ci = '95_' if alpha == 0.05 else ''

    values, thrown = bootstrap(design, options.seed, draws, options.scheme)
    scores = [design.score(r) for r in everyone]
    errors = [standard_error(values[r]) for r in everyone]
    divisors = [e or 1.0 for e in errors]
    statistics, ranks = [], [[] for _ in everyone]
    for drawn in zip(*values[:models]):
        top = 0.0
        for v, score, e in zip(drawn, scores, divisors):
            t = abs(v - score) / e
            if t > top:
                top = t
        statistics.append(top)
        for rank, m in enumerate(sorted(everyone, key=drawn.__getitem__, reverse=True), 1):
            ranks[m].append(rank)
    critical = quantile(sorted(statistics), 1 - alpha)

    weights, stated_weights = design.flip_weights()
    exceeded, reached, exact = flips(design, weights, options.seed, count, models, pairs + against)
    tests = test_rows(exceeded[: len(pairs)], exact[: len(pairs)], count, alpha)
    chance_tests = test_rows(exceeded[len(pairs) :], exact[len(pairs) :], count, alpha)
    significant = {pair: test['holm_p'] < alpha for pair, test in zip(pairs, tests)}

    def difference(a, b):
        return {
            'mean_difference': float(design.totals[a] - design.totals[b]) / design.denominator,
            f'bootstrap_{ci}ci': interval([x - y for x, y in zip(values[a], values[b])], alpha),
        }

    order = sorted(everyone, key=lambda m: (-design.totals[m], m))
    group, groups, members = 0, {}, []
    for m in order:
        if not members or any(significant[min(m, o), max(m, o)] for o in members):
            group, members = group + 1, []
        members.append(m)
        groups[m] = group
    best = order[0]
    definitive = models > 1 and all(significant[min(best, o), max(best, o)] for o in everyone if o != best)

    by_family = {f: [t for t, g in enumerate(table.family) if g == f] for f in table.families}
    family_counts = {f: len(tasks) for f, tasks in by_family.items()}
    tasks = len(table.tasks)

    model_rows = []
    for m in everyone:
        row, e = table.rows[m], errors[m]
        in_order = sorted(ranks[m])
        model_rows.append(
            {
                'model_id': names[m],
                'model_name': table.names.get(names[m], names[m]),
                'slot_id': table.slots.get(names[m]),
                'score_status': 'scored_complete_common_core',
                'coverage': {
                    'scheduled': tasks,
                    'valid_scored': tasks,
                    'valid_scored_rate': 1,
                    'valid_scored_per_family': family_counts,
                    'completed': None,
                    'parseable': None,
                },
                'flavourbench_score': scores[m],
                'family_scores': {f: mean_of(row, here, table.scale) for f, here in by_family.items()},
                'stratum_scores': {
                    label: mean_of(row, here, table.scale) for label, here in zip(design.labels, design.tasks)
                },
                'score_standard_error': e,
                f'score_pointwise_{ci}ci': interval(values[m], alpha),
                f'score_simultaneous_{ci}ci': [scores[m] - critical * e, scores[m] + critical * e],
                'point_estimate_rank': order.index(m) + 1,
                f'bootstrap_rank_{ci}interval': [
                    in_order[math.floor((draws - 1) * (alpha / 2))],
                    in_order[math.ceil((draws - 1) * (1 - alpha / 2))],
                ],
                'statistical_rank_group': groups[m],
                'chance_comparison': {
                    'exact_chance_score': float(design.totals[models]) / design.denominator,
                    **difference(m, models),
                    'holm_significant_above_chance': design.totals[m] > design.totals[models]
                    and chance_tests[m]['holm_p'] < alpha,
                    **chance_tests[m],
                }
                if against
                else None,
                'degenerate': e == 0,
            }
        )

    pair_rows = []
    for i, (a, b) in enumerate(pairs):
        gap = design.totals[a] - design.totals[b]
        pair_rows.append(
            {
                'left_index': a,
                'right_index': b,
                'left_model_id': names[a],
                'right_model_id': names[b],
                'shared_valid_tasks': tasks,
                'shared_valid_tasks_per_family': family_counts,
                **difference(a, b),
                'cohen_dz': dz(table.rows[a], table.rows[b]),
                'direction': 'left_higher' if gap > 0 else 'right_higher' if gap < 0 else 'tie',
                'degenerate': all(totals[a] == totals[b] for _, _, _, totals in design.parts),
                'holm_significant': significant[a, b],
                'max_t_p': (reached[i] + 1) / (count + 1),
                **tests[i],
            }
        )

    return {
        'schema_version': 'flavourbench-selection-common-core-analysis-v1',
        'status': None,
        'quality_scope': None,
        'response_artifact_set_sha256': None,
        'plan_sha256': None,
        'estimand': f'{models}-model {len(table.families)}-family mean of {len(design.sizes)} '
        f'equally weighted strata ({options.strata})',
        'failure_handling': None,
        'dnf_rows_emitted': False,
        'models': model_rows,
        'pairwise_comparisons': pair_rows,
        'resolved_pair_count': sum(significant.values()),
        'definitive_top_model_id': names[best] if definitive else None,
        'panel_replication': replication(table, design),
        'response_artifact_count': None,
        'inference': {
            'bootstrap_resamples': draws,
            'permutation_resamples': count,
            'familywise_alpha': alpha,
            'pairwise_hypotheses': len(pairs),
            'chance_hypotheses': len(against),
            'max_t_critical_value': critical,
            'seed': str(options.seed),
            'independence_unit': 'cluster',
            'independent_cluster_count': design.clusters,
            'shared_anchor_tasks_move_together': True,
            'complete_case_matrix': True,
            'redrawn_resamples': thrown,
            'strata': [{'label': label, 'tasks': n} for label, n in zip(design.labels, design.sizes)],
            'flip_weights': stated_weights,
            'quantization': {'scale': table.quantize, 'largest_error': table.largest_error}
            if table.quantize
            else None,
        },
    }


# ---------------------------------------------------------------- the envelope (16)


def counted(n, noun):
    return f'{n:,} {noun}' + ('' if n == 1 else 's')


def warnings_of(table, options):
    alpha, draws, count = options.alpha, options.draws, options.flips
    models = len(table.models)
    found = []
    if draws * alpha / 2 < 5:
        found.append(
            f'{counted(draws, "bootstrap draw")}: fewer than 5 lie beyond each end of an interval, so intervals and '
            f'rank intervals mean little; use at least {math.ceil(10 / alpha)}'
        )
    for tests, noun in ((models * (models - 1) // 2, 'pair'), (models if table.chance else 0, 'chance comparison')):
        if tests and tests / (count + 1) >= alpha:
            found.append(
                f'{counted(count, "sign flip")}: the smallest Holm p of {counted(tests, noun)} is '
                f'{min(1, tests / (count + 1)):.3g}, not below {text_of(alpha)}, so none can be significant; '
                f'use at least {math.ceil(tests / alpha)}'
            )
    largest = max(abs(cell) for row in table.rows for cell in row)
    if not table.stated and largest <= 100:
        found.append(
            f'no score is above {text_of(largest / 100)} points: values were read as 100 to the point, which nothing '
            'says; give --scale 1 where they are points (0 or 1 a task), --scale 100 where this is right'
        )
    return found


def file_entry(role, path):
    with open(path, 'rb') as file:
        content = file.read()
    return {'role': role, 'sha256': hashlib.sha256(content).hexdigest(), 'bytes': len(content)}


def document(options):
    table = Table(options)
    results = results_of(table, options)
    roles = ('scores', 'clusters', 'families', 'chance', 'roster')
    files = options.input or [(role, getattr(options, role)) for role in roles if getattr(options, role)]
    made = {
        'schema': 'flavourbench-inference/1',
        'plan': {
            'draws': options.draws,
            'flips': options.flips,
            'seed': str(options.seed),
            'rng': 'philox',
            'strata': options.strata,
            'scheme': options.scheme,
            'alpha': options.alpha,
        },
        'inputs': [file_entry(role, path) for role, path in files],
        'rng': 'philox4x32-10/1',
        'seed': str(options.seed),
        'streams': {'bootstrap': 0, 'flips': 1},
        'results': results,
        'results_sha256': digest(results),
        'canonicalization': 'RFC8785',
        'run': {
            'version': options.version,
            'citation': f'flavourbench {options.version}, results {digest(results)}',
            'backend': options.run_backend,
            'threads': options.threads,
            'reason': options.reason,
            'warnings': warnings_of(table, options),
        },
    }
    return {**made, 'artifact_sha256': digest(made)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--scores', required=True)
    for role in ('clusters', 'families', 'chance', 'roster'):
        parser.add_argument(f'--{role}')
    parser.add_argument('--scale', type=int)
    parser.add_argument('--quantize', type=int)
    parser.add_argument('--draws', type=int, default=50000)
    parser.add_argument('--flips', type=int, default=100000)
    parser.add_argument('--seed', type=int, default=20260820)
    parser.add_argument('--alpha', type=float, default=0.05)
    parser.add_argument('--strata', choices=('panel-family', 'family'), default='panel-family')
    parser.add_argument('--scheme', choices=('joint', 'stratified'), default='joint')
    parser.add_argument('--version', default='0.1.0')
    parser.add_argument('--run-backend', default='reference')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--reason', default='as asked')
    parser.add_argument('--input', action='append', type=lambda text: tuple(text.split('=', 1)))
    sys.stdout.buffer.write(canonical(document(parser.parse_args())).encode() + b'\n')


if __name__ == '__main__':
    main()
