import { fromBER, type ObjectIdentifier, type Sequence } from 'asn1js';
import { BasicConstraints, Certificate, ContentInfo, ExtKeyUsage, SignedData, TimeStampResp, TSTInfo } from 'pkijs';
import { sha256 } from '../io/digest.js';
import { FlavourError, fail } from '../util/error.js';

/** Tokens are some thousand bytes, chains of certificates included. */
const MOST_BYTES = 1 << 20;

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  timeStamp: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  sha256: '2.16.840.1.101.3.4.2.1',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const;

/** What a token says, whoever signed it. */
export interface TimeStamp {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Lower-case hexadecimal SHA-256 of what was stamped. */
  readonly imprint: string;
  readonly tokenSha256: string;
}

interface OpenToken extends TimeStamp {
  readonly signed: SignedData;
}

const HOW =
  'Give the answer of a time-stamping authority as it came: a .tsr (TimeStampResp) or the token alone, in DER, over SHA-256.';

/** Copies bytes into a buffer of their own, which the library needs. */
const whole = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Does what the library may refuse with an error of its own. */
function tried<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof FlavourError) throw cause;
    return fail(
      'TOKEN_INVALID',
      { file },
      `is no time-stamp token: ${cause instanceof Error ? cause.message : String(cause)}`,
      HOW,
    );
  }
}

/** Finds the token in what an authority sends: the answer that holds it, or the token alone. */
function contentOf(bytes: Uint8Array, file: string): ContentInfo {
  const { offset, result } = fromBER(whole(bytes));
  if (offset !== bytes.length) fail('TOKEN_INVALID', { file }, 'is not one whole value in DER', HOW);
  const parts = (result as Sequence).valueBlock.value;
  if ((parts?.[0] as ObjectIdentifier | undefined)?.idBlock.tagNumber === 6) return new ContentInfo({ schema: result });
  const { status, timeStampToken } = new TimeStampResp({ schema: result });
  if (timeStampToken !== undefined && (status.status === 0 || status.status === 1)) return timeStampToken;
  return fail(
    'TOKEN_INVALID',
    { file },
    `is the refusal of an authority (status ${status.status}) and holds no token`,
    HOW,
  );
}

function open(bytes: Uint8Array, file: string): OpenToken {
  if (bytes.length > MOST_BYTES)
    fail('TOKEN_INVALID', { file }, `has ${bytes.length} bytes, a token at most ${MOST_BYTES}`, HOW);
  const { signed, info } = tried(file, () => {
    const content = contentOf(bytes, file);
    if (content.contentType !== OID.signedData)
      fail('TOKEN_INVALID', { file }, `holds ${content.contentType}, signed data expected`, HOW);
    const data = new SignedData({ schema: content.content });
    const { eContentType, eContent } = data.encapContentInfo;
    if (eContentType !== OID.timeStamp || eContent === undefined)
      fail('TOKEN_INVALID', { file }, `signs content of type ${eContentType}, that of a time stamp expected`, HOW);
    return { signed: data, info: TSTInfo.fromBER(eContent.getValue()) };
  });
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const imprint = hex(hashedMessage.valueBlock.valueHexView);
  if (hashAlgorithm.algorithmId !== OID.sha256 || imprint.length !== 64)
    fail('TOKEN_INVALID', { file }, `has an imprint by algorithm ${hashAlgorithm.algorithmId}, SHA-256 expected`, HOW);
  if (signed.signerInfos.length !== 1)
    fail('TOKEN_INVALID', { file }, `has ${signed.signerInfos.length} signers, one expected`, HOW);
  if (Number.isNaN(info.genTime.getTime())) fail('TOKEN_INVALID', { file }, 'states no time', HOW);
  return { at: info.genTime.toISOString(), imprint, tokenSha256: sha256(bytes), signed };
}

/** Reads what a token says and proves nothing of it. Errors: TOKEN_INVALID for what is no token over SHA-256. */
export function readTimeStamp(bytes: Uint8Array, file: string): TimeStamp {
  const { at, imprint, tokenSha256 } = open(bytes, file);
  return { at, imprint, tokenSha256 };
}

const PEM = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+?)-----END CERTIFICATE-----/g;

/** Reads the certificates of authorities: PEM, one or several, or one in DER. Errors: SCHEMA_INVALID. */
export function readAuthorities(bytes: Uint8Array, file: string): Certificate[] {
  const hint = 'Give the certificates of the authority that you trust, in PEM or DER.';
  if (bytes.length > MOST_BYTES) fail('SCHEMA_INVALID', { file }, `has ${bytes.length} bytes`, hint);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const packed = [...text.matchAll(PEM)].map((match) => match[1]!.replace(/\s/g, ''));
  try {
    const found = packed.map((base64) => Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)));
    return (found.length === 0 ? [bytes] : found).map((der) => Certificate.fromBER(whole(der)));
  } catch {
    return fail('SCHEMA_INVALID', { file }, 'holds no certificate that can be read', hint);
  }
}

/** Tells whether a certificate may issue others, or is its own issuer. */
function isAuthority({ extensions, issuer, subject }: Certificate): boolean {
  const constraints = extensions?.find(({ extnID }) => extnID === OID.basicConstraints)?.parsedValue;
  return (constraints instanceof BasicConstraints && constraints.cA) || issuer.isEqual(subject);
}

/** Tells why a certificate may not sign time stamps (RFC 3161, 2.3); undefined where it may. */
function unfit(certificate: Certificate): string | undefined {
  const usage = certificate.extensions?.find(({ extnID }) => extnID === OID.extendedKeyUsage);
  const purposes = usage?.parsedValue instanceof ExtKeyUsage ? usage.parsedValue.keyPurposes : [];
  if (purposes.length === 1 && purposes[0] === OID.timeStamping && usage?.critical === true) return undefined;
  return 'the certificate that signed it is not one for time stamps alone (critical usage timeStamping)';
}

/** Tells whether the signature covers the kind of content, so that nothing else that was signed passes for a time stamp. */
function coversItsKind({ signerInfos: [signer] }: SignedData): boolean {
  const kinds = signer?.signedAttrs?.attributes.filter(({ type }) => type === OID.contentType) ?? [];
  const values = kinds.flatMap((attribute) => attribute.values as ObjectIdentifier[]);
  return values.length === 1 && values[0]!.valueBlock.toString() === OID.timeStamp;
}

/** What a signature is held against. */
export interface TimeStampTrust {
  /** Certificates of authorities, and those of signers that tokens leave out. */
  readonly authorities: readonly Certificate[];
  /** The bytes whose digest is the imprint. */
  readonly stamped: Uint8Array;
}

/** Tells why a token proves nothing to somebody who trusts these authorities; undefined where it does. */
async function problemOf(signed: SignedData, { authorities, stamped }: TimeStampTrust): Promise<string | undefined> {
  // A token may leave its certificates out; then they stand among those of the authority.
  signed.certificates = [...(signed.certificates ?? []), ...authorities.filter((one) => !isAuthority(one))];
  if (!coversItsKind(signed)) return 'its signature does not cover that it is a time stamp';
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({
      ...{ signer: 0, data: whole(stamped), trustedCerts: authorities.filter(isAuthority) },
      ...{ checkChain: true, extendedMode: true },
    });
    if (signatureVerified !== true || !signerCertificate) return 'its signature does not hold';
    return unfit(signerCertificate);
  } catch (cause) {
    return `its signature does not hold: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/**
 * Proves the signature of a token up to trusted authorities, at the time that it states (collection 10.2). Returns what it says. Errors:
 * TOKEN_INVALID; TOKEN_REFUSED (exit 4) for a signature that does not hold, a certificate that no trusted authority issued, that was not valid
 * then or is none for time stamps.
 */
export async function provedTimeStamp(bytes: Uint8Array, file: string, trust: TimeStampTrust): Promise<TimeStamp> {
  const { signed, ...stamp } = open(bytes, file);
  const problem = await problemOf(signed, trust);
  if (problem === undefined) return stamp;
  return fail(
    'TOKEN_REFUSED',
    { file },
    problem,
    'Give the certificates of the authority that signed it with --tsa-ca, or another token.',
    { exit: 4 },
  );
}
