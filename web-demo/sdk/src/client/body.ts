/**
 * The body, or nothing if it is longer than `most` bytes. `moved` is called whenever a part arrives.
 */
export async function read(
  response: Response,
  most: number,
  moved: () => void = () => undefined,
): Promise<Uint8Array | undefined> {
  if (!response.body) return new Uint8Array();
  let [bytes, length] = [new Uint8Array(expected(response, most)), 0];
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return resized(bytes, length);
    moved();
    if (length + value.length > most) {
      // The rest is not wanted, and it does not matter whether cancelling succeeds.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    if (length + value.length > bytes.length) bytes = resized(bytes, Math.min(most, 2 * (length + value.length)));
    bytes.set(value, length);
    length += value.length;
  }
}

/** The bytes to set aside for a body, as far as the server's word on it is believed. */
function expected({ headers }: Response, most: number): number {
  // An encoded body is longer than that once it is decoded.
  const said = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return Math.min(most, Number.isSafeInteger(said) && said > 0 ? said : FIRST);
}

/** `bytes` with another length. They take no memory themselves from then on, where the engine can do that. */
function resized(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length === bytes.length) return bytes;
  const buffer: Movable = bytes.buffer;
  // Node has this from version 22 on.
  if (buffer.transfer) return new Uint8Array(buffer.transfer(length));
  if (length < bytes.length) return bytes.subarray(0, length);
  const more = new Uint8Array(length);
  more.set(bytes);
  return more;
}

/** Part of ES2024. */
interface Movable extends ArrayBuffer {
  transfer?: (length: number) => ArrayBuffer;
}

const FIRST = 1 << 16;
