// Names in git's C-style quotes.

const LETTERS: { [letter: string]: number } = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
/** A byte that is not UTF-8 becomes a lone surrogate, which no text contains: so names stay distinct. */
const NO_UTF8 = 0xdc00;

function decoded(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return strict.decode(bytes);
  } catch {
    let text = '';
    for (let at = 0; at < bytes.length;) {
      const character = [1, 2, 3, 4].map((length) => characterOf(strict, bytes.subarray(at, at + length)));
      const length = character.findIndex((one) => one !== undefined) + 1;
      text += character[length - 1] ?? String.fromCharCode(NO_UTF8 + (bytes[at] ?? 0));
      at += Math.max(1, length);
    }
    return text;
  }
}

function characterOf(strict: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The name itself. A name without quotes is unchanged. */
export function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: number[] = [];
  for (const [all, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gu)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (letter) bytes.push(LETTERS[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(all));
  }
  return decoded(new Uint8Array(bytes));
}
