import type { Accounting } from './accounting.js';
import type { Reading } from './reading.js';
import type { Route } from './route.js';

export interface IdentityCheck {
  /** Failure kind; null when the reply came from the frozen route, or when the route is not pinned. */
  readonly failure: 'identity_model' | 'identity_provider' | null;
  readonly message: string | null;
  /** Where the identity was read. */
  readonly evidence: 'generation_accounting' | 'response_envelope' | null;
  readonly model: string | null;
  readonly provider: string | null;
}

function mismatch(what: 'model' | 'provider', expected: string, got: string | null): string {
  return `substituted or omitted ${what}: expected ${expected}, got ${got ?? 'nothing'}`;
}

/**
 * Holds the returned model and provider against the frozen ones (collection 1.8). On OpenRouter the accounting row
 * decides; the envelope counts only while accounting is empty, and may name the requested model instead of the dated one.
 */
export function checkIdentity(options: {
  readonly route: Route;
  readonly reading: Reading;
  readonly accounting: Accounting | null;
}): IdentityCheck {
  const { route, reading, accounting } = options;
  const reconciled = accounting?.reconciled === true;
  const model = reconciled ? accounting.model : reading.model;
  const provider = reconciled ? accounting.provider : reading.provider;
  const evidence = reconciled ? 'generation_accounting' : 'response_envelope';
  const base = { evidence, model, provider } as const;
  const expected = route.expected_model;
  const names =
    expected === null
      ? null
      : route.transport === 'openrouter' && !reconciled
        ? [expected, route.requested_model]
        : [expected];
  if (names !== null && (model === null || !names.includes(model))) {
    return {
      ...base,
      failure: 'identity_model',
      message: mismatch('model', expected ?? '', model),
    };
  }
  if (route.expected_provider !== null && provider !== route.expected_provider) {
    return {
      ...base,
      failure: 'identity_provider',
      message: mismatch('provider', route.expected_provider, provider),
    };
  }
  return { ...base, failure: null, message: null };
}
