import type { Command } from 'commander';
import { registerChanges } from './ledger/change.js';
import { registerInspect } from './ledger/inspect.js';
import { registerPack } from './ledger/pack.js';
import { registerStatus } from './ledger/status.js';

export function register(program: Command): void {
  const ledger = program.command('ledger').description('Look into a ledger, prove it, seal it, pack it, merge it.');
  registerStatus(ledger);
  registerInspect(ledger);
  registerChanges(ledger);
  registerPack(ledger);
}
