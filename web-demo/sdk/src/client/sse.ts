// Parses server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). The page's
// own EventSource cannot send a token.

import { GitgateError } from '../error.js';

export interface Sent {
  /** `message` if the server gives no name. */
  event: string;
  data: string;
}

/** Characters of the longest event. A server that sends more is disconnected. */
const LONGEST = 64 << 20;

/** Takes pieces that may end anywhere, and returns the complete events. */
export class Events {
  readonly #decoder = new TextDecoder();
  /** The unfinished line, in pieces: a long line is joined only once. */
  #rest: string[] = [];
  /** Whether the latest piece ended in a carriage return, so that a line feed may belong to it. */
  #isBroken = false;
  #event = '';
  #data: string[] = [];
  /** Characters since the latest event. */
  #length = 0;

  /** The events that are complete with this piece. */
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
    // A comment is only a keep-alive.
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
