/** A part of what lies in rows: where it begins, in bytes, and what it is. */
export type Piece = { at: number; bytes: ArrayBuffer };

/** The bytes from `from` on, at most `most`, of what `pieces` are without a gap. */
export function slice(pieces: readonly Piece[], from: number, most: number): Uint8Array {
  return joined(
    pieces.map(({ at, bytes }) => new Uint8Array(bytes).subarray(Math.max(0, from - at), from + most - at)),
  );
}

/** One after another. One by itself is not copied: most rows are read whole. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
