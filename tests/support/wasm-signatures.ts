/** Parameter and result types of an exported function, as the module states them. */
export interface WasmSignature {
  readonly parameters: readonly string[];
  readonly results: readonly string[];
}

const VALUE_TYPES: Record<number, string> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64', 123: 'v128' };

/** Signatures of the exported functions of a WebAssembly module, by name: Node lists the names alone. */
export function wasmSignatures(bytes: Uint8Array): Map<string, WasmSignature> {
  let at = 8;
  const byte = (): number => bytes[at++]!;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const part = byte();
      value |= (part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
  };
  const list = <T>(read: () => T): T[] => Array.from({ length: number() }, read);
  const name = (): string => {
    const length = number();
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const limits = (): void => {
    const flags = byte();
    number();
    if (flags & 1) number();
  };

  let types: WasmSignature[] = [];
  /** Type of each function, imported ones first. */
  const functions: number[] = [];
  const found = new Map<string, WasmSignature>();
  while (at < bytes.length) {
    const section = byte();
    const size = number();
    const end = at + size;
    if (section === 1)
      types = list(() => {
        byte();
        const values = () => list(() => VALUE_TYPES[byte()]!);
        return { parameters: values(), results: values() };
      });
    if (section === 2)
      list(() => {
        name();
        name();
        const kind = byte();
        if (kind === 0) functions.push(number());
        else if (kind === 2) limits();
        else throw new Error(`an import of kind ${kind} is not expected`);
      });
    if (section === 3) functions.push(...list(number));
    if (section === 7)
      list(() => {
        const exported = name();
        const kind = byte();
        const index = number();
        if (kind === 0) found.set(exported, types[functions[index]!]!);
      });
    at = end;
  }
  return found;
}
