/** What codes of the HTTP driver mean for whoever reads the error. */
const MEANINGS: Readonly<Record<string, string>> = {
  ERR_ASSERTION: 'what came back is no HTTP',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body is not as long as its content-length says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too long',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};

/** What a connection's end means that has one code for all of its reasons. */
const REASONS: Readonly<Record<string, string>> = {
  'bad response': 'what came back is no HTTP',
  'bad upgrade': 'the server switched to another protocol',
};

/** Says what became of a request that has no reply: the system's code and message, and in words of our own what only the driver calls so. */
export function networkWords(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' ? message : '';
  const name = typeof code === 'string' ? code : '';
  const proxy = /^Proxy response \((\d+)\)/.exec(text);
  if (proxy) return `the proxy refuses the connection, status ${proxy[1]}`;
  if (name.startsWith('HPE_') || text.startsWith('Response does not match the HTTP'))
    return 'what came back is no HTTP';
  const known = MEANINGS[name] ?? REASONS[text];
  if (known !== undefined) return known;
  const words = [/^(?:UND_)?ERR_/.test(name) ? '' : name, text].filter((word) => word !== '');
  return words.join(': ') || String(error);
}
