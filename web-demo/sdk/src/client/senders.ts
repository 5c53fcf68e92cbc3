import { GitgateError } from '../error.js';
import type { HttpAnswer, HttpRequest } from '../http.js';
import type { Sender } from './send.js';

/** Sends each request by the sender of its forge. */
export class Senders implements Sender {
  readonly #byForge: Map<string, Sender>;

  constructor(byForge: { [forge: string]: Sender }) {
    this.#byForge = new Map(Object.entries(byForge));
  }

  /** As that sender does. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const sender = this.#byForge.get(request.forge);
    if (!sender) throw new GitgateError('usage', `nothing is sent to ${request.forge} from here`);
    return sender.send(request, signal);
  }
}
