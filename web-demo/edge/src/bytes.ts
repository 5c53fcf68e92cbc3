/** A part of the bytes in rows: its offset and its content. */
export type Piece = { at: number; bytes: ArrayBuffer };

/** At most `most` bytes from `from` on. `pieces` have no gaps. */
export function slice(pieces: readonly Piece[], from: number, most: number): Uint8Array {
  return joined(
    pieces.map(({ at, bytes }) => new Uint8Array(bytes).subarray(Math.max(0, from - at), from + most - at)),
  );
}

/** Concatenates the pieces. A single one is not copied: most reads are whole rows. */
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
