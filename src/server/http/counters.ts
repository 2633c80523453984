/** Upper ends of the classes of durations, seconds. */
const CLASSES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface RouteCounts {
  /** Requests by status. */
  readonly statuses: Map<number, number>;
  readonly classes: number[];
  sum: number;
  count: number;
}

/** What a server counts. */
export interface Counters {
  /** Requests that are being answered. */
  inFlight: number;
  /** Connections that are open. */
  connections: number;
  /** Requests that were turned away because too many connections are open. */
  refused: number;
  /** Answers that were scored or rewarded. */
  scored: number;
  /** Adds an answered request: its route, as OpenAPI writes it, its status and how long it took. */
  answered(route: string, status: number, seconds: number): void;
  /** Prometheus text. */
  text(memoryBytes: number): string;
}

/** Opens the counters of a server, all at 0. */
export function openCounters(): Counters {
  const routes = new Map<string, RouteCounts>();
  return {
    inFlight: 0,
    connections: 0,
    refused: 0,
    scored: 0,
    answered(route, status, seconds) {
      let counts = routes.get(route);
      if (counts === undefined) {
        counts = { statuses: new Map(), classes: CLASSES.map(() => 0), sum: 0, count: 0 };
        routes.set(route, counts);
      }
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      let at = 0;
      while (at < CLASSES.length && seconds > CLASSES[at]!) at += 1;
      if (at < CLASSES.length) counts.classes[at]! += 1;
      counts.sum += seconds;
      counts.count += 1;
    },
    text(memoryBytes) {
      const lines: string[] = [];
      const metric = (name: string, kind: string, help: string, values: readonly string[]): void => {
        lines.push(`# HELP flavourbench_${name} ${help}`, `# TYPE flavourbench_${name} ${kind}`);
        lines.push(...values.map((value) => `flavourbench_${name}${value}`));
      };
      const counted = [...routes].flatMap(([route, { statuses }]) =>
        [...statuses].map(([status, count]) => `{route="${route}",status="${status}"} ${count}`),
      );
      metric('requests_total', 'counter', 'Requests answered, by route and status.', counted.sort());
      metric(
        'request_seconds',
        'histogram',
        'Time to the end of an answer, by route.',
        [...routes].sort().flatMap(histogram),
      );
      metric('requests_in_flight', 'gauge', 'Requests being answered.', [` ${this.inFlight}`]);
      metric('connections', 'gauge', 'Open connections.', [` ${this.connections}`]);
      metric('refused_total', 'counter', 'Requests refused for too many connections.', [` ${this.refused}`]);
      metric('scored_total', 'counter', 'Answers scored or rewarded.', [` ${this.scored}`]);
      metric('resident_memory_bytes', 'gauge', 'Memory of the process.', [` ${memoryBytes}`]);
      return `${lines.join('\n')}\n`;
    },
  };
}

function histogram([route, { classes, sum, count }]: [string, RouteCounts]): string[] {
  let below = 0;
  const ends = CLASSES.map((end, i) => {
    below += classes[i]!;
    return `_bucket{route="${route}",le="${end}"} ${below}`;
  });
  return [
    ...ends,
    `_bucket{route="${route}",le="+Inf"} ${count}`,
    `_sum{route="${route}"} ${sum}`,
    `_count{route="${route}"} ${count}`,
  ];
}
