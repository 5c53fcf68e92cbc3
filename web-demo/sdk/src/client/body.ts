/**
 * The body, or nothing if it is longer than `most` bytes. `moved` is called whenever a part arrives.
 */
export async function read(
  response: Response,
  most: number,
  moved: () => void = () => undefined,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  if (!response.body) return new Uint8Array();
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    moved();
    length += value.length;
    if (length > most) {
      // The rest is not wanted, and it does not matter whether cancelling succeeds.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    parts.push(value);
  }
}
