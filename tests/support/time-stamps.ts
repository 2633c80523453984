import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CONFIG = `
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
[tsa]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[one]
serial = ./ts.serial
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
signer_digest = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** Makes a time-stamping authority of this machine with openssl, and what stamps a sealed document by it, now. */
export function makeAuthority(folder: string) {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  writeFileSync(join(folder, 'ext.cnf'), CONFIG);
  for (const name of ['ca', 'tsa'])
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  openssl(...['req', '-new', '-x509', '-key', 'ca.key', '-subj', '/CN=Test', '-days', '2', '-out', 'ca.pem']);
  openssl(...['req', '-new', '-key', 'tsa.key', '-subj', '/CN=Stamps', '-out', 'tsa.csr']);
  openssl(
    ...['x509', '-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '7', '-days', '1'],
    ...['-extfile', 'ext.cnf', '-extensions', 'tsa', '-out', 'tsa.pem'],
  );
  return {
    ca: join(folder, 'ca.pem'),
    /** Writes a token over the digest that a document states of itself; returns its path. */
    stamp(document: string, out: string): string {
      const { artifact_sha256 } = JSON.parse(readFileSync(document, 'utf8')) as { artifact_sha256: string };
      openssl('ts', '-query', '-digest', artifact_sha256, '-sha256', '-cert', '-no_nonce', '-out', 'query.tsq');
      openssl('rand', '-hex', '-out', 'ts.serial', '8');
      openssl(
        ...['ts', '-reply', '-queryfile', 'query.tsq', '-config', 'ext.cnf', '-section', 'one'],
        ...['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-out', resolve(out)],
      );
      return out;
    },
  };
}
