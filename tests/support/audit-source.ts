import { type AuditSourceOptions, readAuditSource } from '../../src/cli/audit-source.js';

export const readAudit = (paths: string[], options: Partial<AuditSourceOptions> = {}) =>
  readAuditSource({ paths, ...options });
