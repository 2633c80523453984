import { fail, shown } from '../util/error.js';
import { dataText } from '../util/text.js';
import { decodeFloats, FLOAT_BYTES, type FloatType } from './floats.js';
import { parseJson } from './json.js';

const HINT = 'The file is damaged or incomplete; fetch it again and compare its SHA-256.';

/** Where a tensor of a safetensors file lies. */
interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Byte range in the data section. */
  readonly begin: number;
  readonly end: number;
}

interface Safetensors {
  readonly tensors: ReadonlyMap<string, Tensor>;
  readonly metadata: ReadonlyMap<string, string>;
  /** The numbers of one float tensor as float32, row-major. */
  read(name: string): Float32Array;
}

const LARGEST_HEADER = 100_000_000;
const ITEM_BYTES: ReadonlyMap<string, number> = new Map([
  ['BOOL', 1],
  ['U8', 1],
  ['I8', 1],
  ['F8_E5M2', 1],
  ['F8_E4M3', 1],
  ['I16', 2],
  ['U16', 2],
  ['F16', 2],
  ['BF16', 2],
  ['I32', 4],
  ['U32', 4],
  ['F32', 4],
  ['I64', 8],
  ['U64', 8],
  ['F64', 8],
]);

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * Reads a safetensors file: the header is capped at 100 MB and must lie in the file; every tensor's byte range must equal
 * shape x item size; ranges must follow each other without overlap or gap up to the end of the file. Code
 * SAFETENSORS_INVALID, with the tensor or the byte. BF16, F16, F32 and F64 tensors can be read.
 */
export function readSafetensors(bytes: Uint8Array, file: string): Safetensors {
  if (bytes.length < 8)
    fail('SAFETENSORS_INVALID', { file }, `${bytes.length} bytes; the header length alone takes 8`, HINT);
  const declared = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (declared > BigInt(LARGEST_HEADER))
    fail(
      'SAFETENSORS_INVALID',
      { file },
      `at byte 0: header of ${declared} bytes; at most ${LARGEST_HEADER} are read`,
      HINT,
    );
  const length = Number(declared);
  const start = 8 + length;
  if (start > bytes.length)
    fail('SAFETENSORS_INVALID', { file }, `at byte 0: header of ${length} bytes in a file of ${bytes.length}`, HINT);
  if (bytes[8] !== 0x7b) fail('SAFETENSORS_INVALID', { file }, 'at byte 8: the header does not begin with {', HINT);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(8, start));
  } catch {
    fail('SAFETENSORS_INVALID', { file }, 'the header is not valid UTF-8', HINT);
  }
  const header = parseJson(text, { file: `${file} header` }) as Record<string, unknown>;
  const tensors = new Map<string, Tensor>();
  const metadata = new Map<string, string>();
  for (const [name, entry] of Object.entries(header)) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      fail('SAFETENSORS_INVALID', { file }, `entry ${shown(name)} is not an object`, HINT);
    if (name !== '__metadata__') {
      tensors.set(name, tensorOf(name, entry, file));
      continue;
    }
    for (const [key, value] of Object.entries(entry)) {
      if (typeof value !== 'string')
        fail('SAFETENSORS_INVALID', { file }, `__metadata__ ${shown(key)} is not text`, HINT);
      metadata.set(key, value);
    }
  }
  let at = 0;
  for (const [name, { begin, end }] of [...tensors].sort((a, b) => a[1].begin - b[1].begin || a[1].end - b[1].end)) {
    if (begin !== at)
      fail(
        'SAFETENSORS_INVALID',
        { file },
        `tensor ${shown(name)} begins at ${begin}, which ${begin < at ? 'overlaps' : 'leaves a gap after'} the tensor that ends at ${at}`,
        HINT,
      );
    at = end;
  }
  const data = bytes.length - start;
  if (at !== data)
    fail('SAFETENSORS_INVALID', { file }, `the tensors end at ${at}, the file holds ${data} bytes of data`, HINT);
  return {
    tensors,
    metadata,
    read(name) {
      const tensor = tensors.get(name);
      if (!tensor) fail('SAFETENSORS_INVALID', { file }, `no tensor ${shown(name)}; it has ${listed(tensors)}`, HINT);
      const { dtype, begin, end } = tensor;
      if (!(dtype in FLOAT_BYTES))
        fail(
          'SAFETENSORS_INVALID',
          { file },
          `tensor ${shown(name)} is ${dtype}; BF16, F16, F32 and F64 are read`,
          'Save it as float32; a quantised table is read once its numbers are.',
        );
      return decodeFloats(bytes.subarray(start + begin, start + end), {
        type: dtype as FloatType,
        file,
        offset: start + begin,
      });
    },
  };
}

function listed(tensors: ReadonlyMap<string, Tensor>): string {
  const names = [...tensors.keys()].map(shown);
  return names.length === 0 ? 'none' : names.slice(0, 8).join(', ');
}

function tensorOf(name: string, entry: object, file: string): Tensor {
  const { dtype, shape, data_offsets: offsets } = entry as Record<string, unknown>;
  const width = typeof dtype === 'string' ? ITEM_BYTES.get(dtype) : undefined;
  if (width === undefined)
    fail('SAFETENSORS_INVALID', { file }, `tensor ${shown(name)} has dtype ${shown(dtype)}`, HINT);
  if (!Array.isArray(shape) || !shape.every(isCount))
    fail(
      'SAFETENSORS_INVALID',
      { file },
      `tensor ${shown(name)} has shape ${shown(shape)}; a list of counts is expected`,
      HINT,
    );
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount))
    fail(
      'SAFETENSORS_INVALID',
      { file },
      `tensor ${shown(name)} has data_offsets ${shown(offsets)}; [begin, end] is expected`,
      HINT,
    );
  const [begin, end] = offsets as [number, number];
  const expected = shape.reduce((product: number, n: number) => product * n, width);
  if (!Number.isSafeInteger(expected) || end - begin !== expected)
    fail(
      'SAFETENSORS_INVALID',
      { file },
      `tensor ${shown(name)} spans ${end - begin} bytes (${begin} to ${end}); shape [${shape.join(', ')}] of ${dataText(dtype)} needs ${expected}`,
      HINT,
    );
  return { dtype: dtype as string, shape, begin, end };
}
