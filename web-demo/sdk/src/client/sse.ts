// Reads server-sent events, as https://html.spec.whatwg.org/multipage/server-sent-events.html has
// them. A page's own EventSource cannot send a token.

import { GitgateError } from '../error.js';

export interface Sent {
  /** `message` where the server names none. */
  event: string;
  data: string;
}

/** Characters of the longest event. Whoever sends more than that is not listened to. */
const LONGEST = 64 << 20;

/** Takes what comes in pieces, wherever they end, and gives the events that are whole. */
export class Events {
  readonly #decoder = new TextDecoder();
  /** What has come of a line that has not ended, in pieces: a long one is put together once. */
  #rest: string[] = [];
  /** Whether the latest piece ended with a carriage return, which a line feed may belong to. */
  #isBroken = false;
  #event = '';
  #data: string[] = [];
  /** Characters since the latest event. */
  #length = 0;

  /** The events that end in this piece. */
  take(piece: Uint8Array): Sent[] {
    let text = this.#decoder.decode(piece, { stream: true });
    if (text === '') return [];
    if (this.#isBroken && text.startsWith('\n')) text = text.slice(1);
    this.#isBroken = text.endsWith('\r');
    this.#length += text.length;
    const sent: Sent[] = [];
    const [first = '', ...others] = text.split(/\r\n|\n|\r/);
    this.#rest.push(first);
    for (const next of others) {
      sent.push(...this.#line(this.#rest.join('')));
      this.#rest = [next];
    }
    if (this.#length > LONGEST) throw new GitgateError('refused', 'the server sends an event that is too long');
    return sent;
  }

  #line(line: string): Sent[] {
    if (line === '') return this.#end();
    // A comment says only that the server is there.
    const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data.push(value);
    return [];
  }

  #end(): Sent[] {
    const sent = this.#data.length > 0 ? [{ event: this.#event || 'message', data: this.#data.join('\n') }] : [];
    this.#event = '';
    this.#data = [];
    this.#length = 0;
    return sent;
  }
}
