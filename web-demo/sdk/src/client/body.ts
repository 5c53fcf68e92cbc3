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
    if (done) return bytes.subarray(0, length);
    moved();
    if (length + value.length > most) {
      // The rest is not wanted, and it does not matter whether cancelling succeeds.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    if (length + value.length > bytes.length) bytes = grown(bytes, Math.min(most, 2 * (length + value.length)));
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

function grown(bytes: Uint8Array<ArrayBuffer>, to: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(to);
  more.set(bytes);
  return more;
}

const FIRST = 1 << 16;
