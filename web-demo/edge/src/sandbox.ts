import { DurableObject } from 'cloudflare:workers';
import { Turns, told } from 'gitgate/edge';
import type { Opened, Sender, ShimGiven, ShimHost, ShimNeed, ShimSandbox } from 'gitgate/edge';

import { admit } from './body.js';
import { BEGINNING } from './copies.js';
import type { Part, Place } from './copies.js';
import { Directory } from './directory.js';
import { components, shim } from './engine.js';
import type { Env } from './env.js';
import { forges } from './forges.js';
import { Listeners } from './listeners.js';
import { Rows } from './rows.js';
import type { Visit } from './shim.js';
import { answer, visit } from './talk.js';

/** Marks the storage of a sandbox whose creation is not finished. */
const UNFINISHED = 'unfinished';
/** Bytes of a sandbox's files and objects that fit into the platform's 128 MB. */
const MOST_BYTES = 64n << 20n;

/**
 * One sandbox. Every answer is in the storage first: the object can be evicted at any await, and the next
 * request reopens the sandbox from there.
 */
export class SandboxObject extends DurableObject<Env> {
  readonly #forges: Sender = forges(this.env);
  readonly #turns = new Turns();
  readonly #shares = new (shim().Shares)();
  readonly #listeners = new Listeners(
    () => this.#rows,
    this.#shares,
    (visit, isGone) => this.#turns.take(() => this.#ask(visit, isGone)),
  );
  #rows = new Rows(this.ctx.storage);
  #host: ShimHost | undefined;
  #sandbox: ShimSandbox | undefined;
  /** The copy in progress. */
  #fork: string | undefined;

  override async fetch(request: Request): Promise<Response> {
    let asked: Visit | undefined;
    let isKept = false;
    try {
      asked = visit(request, this.env);
      // A token is valid as long as it is stored, so a client without a valid one need not wait.
      if (asked.operation === 'createSandbox') asked.authorize(undefined, Date.now());
      else asked.authorize(this.#rows, Date.now());
      if (!asked.response) await admit(asked, this.#shares, request);
      if (!asked.response && asked.operation === 'listen') {
        const events = this.#listeners.add(asked);
        isKept = events !== undefined;
        return events ?? answer(asked);
      }
      // Only a request that arrived whole takes a place, so slow senders do not block others.
      if (!asked.response) asked.takePlace(this.#shares);
      const admitted = asked;
      if (!asked.response) await this.#turns.take(() => this.#serve(admitted));
      const rest = asked.goesOn ? this.#listeners.add(asked) : undefined;
      isKept = rest !== undefined;
      return rest ?? answer(asked);
    } catch (error) {
      this.#beginAnew(error);
      throw error;
    } finally {
      if (!isKept) asked?.free();
    }
  }

  /** The shim is in an invalid state, or the platform lost its storage: the memory is useless. */
  #beginAnew(error: unknown): void {
    console.error('gitgate: the object begins anew', error);
    this.ctx.abort(told(error).message);
  }

  /** Answers the request from beginning to end. Nothing else happens on the sandbox meanwhile. */
  async #serve(asked: Visit): Promise<void> {
    await this.#discardUnfinished();
    if (asked.operation === 'createSandbox') return this.#create(asked);
    const isRemoval = asked.operation === 'deleteSandbox';
    if (this.#rows.mark('journal') === undefined) {
      asked.absent();
      // The directory may still have its name.
      if (isRemoval) await this.#remove(asked);
      return;
    }
    if (!asked.goesAnyway(this.#rows, Date.now())) {
      this.#sandbox ??= asked.open(this.#theHost(), this.#rows, this.#opened(asked));
      if (this.#sandbox && !asked.response) asked.begin(this.#sandbox);
      await this.#finish(asked);
      if (asked.copy !== undefined) await this.#copyTo(asked, asked.copy);
    }
    if (isRemoval && asked.response?.status === 204) await this.#remove(asked);
  }

  /** Asks the sandbox what a listener is to hear. Nothing is asked for somebody who has gone: it waits for who comes next. */
  async #ask(visit: Visit, isGone: () => boolean): Promise<void> {
    // Of a sandbox that was removed meanwhile there is nothing to ask: its tokens have gone, too.
    if (isGone() || this.#rows.mark('journal') === undefined) return;
    try {
      this.#sandbox ??= visit.open(this.#theHost(), this.#rows, this.#opened(visit));
      if (this.#sandbox) visit.ask(this.#sandbox);
      await this.#finish(visit);
    } catch (error) {
      this.#beginAnew(error);
      throw error;
    }
  }

  /** Continues until the visit is over. */
  async #finish(asked: Visit): Promise<void> {
    for (let need = asked.advance(); need; need = asked.advance()) {
      // Changes must be durable before anybody outside can notice them.
      await this.ctx.storage.sync();
      asked.give(await this.#perform(need));
    }
    for (const note of this.#sandbox?.notes() ?? []) console.warn(`gitgate: ${note}`);
    this.#listeners.tell();
  }

  async #perform(need: ShimNeed): Promise<ShimGiven> {
    switch (need.tag) {
      case 'sleep':
        await scheduler.wait(need.val);
        return { tag: 'sleep' };
      case 'http':
        try {
          return { tag: 'http', val: await this.#forges.send(need.val, new AbortController().signal) };
        } catch (error) {
          return { tag: 'failed', val: error };
        }
      case 'call':
      case 'push':
        throw new Error('a request over HTTP asks nobody');
    }
  }

  #theHost(): ShimHost {
    const around = {
      ...{ who: 'the operator', isWanted: () => true, doing: () => () => undefined, utcOffset: () => 0 },
      mostBytes: MOST_BYTES,
    };
    const files = {
      create: (): never => {
        throw new Error('nothing is written to files here');
      },
    };
    this.#host ??= new (shim().Host)(components(), around, files);
    return this.#host;
  }

  #opened(asked: Visit): Opened {
    return { name: asked.sandbox ?? '', config: this.env.CONFIG, rules: this.env.RULES };
  }

  async #create(asked: Visit): Promise<void> {
    const directory = Directory.of(this.env.DIRECTORY);
    const name = asked.sandbox ?? '';
    const exists = this.#rows.mark('journal') !== undefined;
    if (!exists) {
      this.#rows.putText(UNFINISHED, 'yes');
      // The directory gets the name first: a sandbox without an entry could be lost.
      await directory.add(name);
    }
    this.#sandbox = asked.create(this.#theHost(), this.#rows, this.#opened(asked)) ?? this.#sandbox;
    if (!asked.response) await this.#finish(asked);
    if (asked.response?.status === 201) this.#rows.putText(UNFINISHED, '');
    else if (!exists) {
      await this.#clear();
      await directory.remove(name);
    }
    // An import needs more memory than the imported data, and WebAssembly memory never shrinks.
    this.#close();
  }

  /** Makes the object of that name copy this sandbox. This turn lasts throughout, so nothing changes. */
  async #copyTo(asked: Visit, name: string): Promise<void> {
    // The copy cannot contain unsaved data here.
    await this.ctx.storage.sync();
    const fork = crypto.randomUUID();
    this.#fork = fork;
    try {
      asked.copied(await this.env.SANDBOXES.getByName(name).copyFrom(asked.sandbox ?? '', name, fork));
    } catch (error) {
      console.error(`gitgate: '${name}' has not become a copy`, error);
      asked.refuse('failed', `the copy could not be made: ${told(error).message}`, 'try again');
    } finally {
      this.#fork = undefined;
    }
  }

  /**
   * The rows after that place, for the object that makes this copy. It takes no turn: the request for the
   * copy holds one.
   */
  readCopy(fork: string, at: Place): Part {
    if (fork !== this.#fork) throw new Error('the sandbox was restarted while it was copied');
    return this.#rows.copies.read(at, shim().copied());
  }

  /**
   * Makes a copy of another object's sandbox here, under this object's name. Returns the body of the
   * answer, or nothing if a sandbox exists already.
   */
  async copyFrom(from: string, name: string, fork: string): Promise<Uint8Array | undefined> {
    // An existing sandbox may itself be waiting for this object, so do not wait for its turn.
    if (this.#rows.mark('journal') !== undefined && !this.#rows.text(UNFINISHED)) return undefined;
    return this.#turns.take(() => this.#copy(from, name, fork));
  }

  async #copy(from: string, name: string, fork: string): Promise<Uint8Array | undefined> {
    await this.#discardUnfinished();
    if (this.#rows.mark('journal') !== undefined) return undefined;
    const directory = Directory.of(this.env.DIRECTORY);
    const source = this.env.SANDBOXES.getByName(from);
    this.#rows.putText(UNFINISHED, 'yes');
    try {
      // As at creation.
      await directory.add(name);
      let at: Place | undefined = BEGINNING;
      while (at) {
        const part: Part = await source.readCopy(fork, at);
        this.#rows.copies.write(part);
        at = part.next;
      }
      const made = shim().forked(this.#theHost(), this.#rows, name, from);
      this.#rows.putText(UNFINISHED, '');
      await this.ctx.storage.sync();
      return made;
    } catch (error) {
      await this.#clear();
      await directory.remove(name);
      throw error;
    }
  }

  /** An interrupted creation: nobody ever received this sandbox. */
  async #discardUnfinished(): Promise<void> {
    if (this.#rows.text(UNFINISHED)) await this.#clear();
  }

  async #remove(asked: Visit): Promise<void> {
    await this.#clear();
    await Directory.of(this.env.DIRECTORY).remove(asked.sandbox ?? '');
  }

  #close(): void {
    this.#sandbox?.free();
    this.#sandbox = undefined;
  }

  /** Deletes everything stored. */
  async #clear(): Promise<void> {
    this.#close();
    await this.ctx.storage.deleteAll();
    this.#rows = new Rows(this.ctx.storage);
    // Nobody may hear anything about a sandbox that does not exist.
    this.#listeners.tell();
  }
}
