import { DurableObject } from 'cloudflare:workers';
import { GitHub, Turns, told } from 'gitgate/edge';
import type { Opened, ShimGiven, ShimHost, ShimNeed, ShimSandbox } from 'gitgate/edge';

import { admit } from './body.js';
import { BEGINNING } from './copies.js';
import type { Part, Place } from './copies.js';
import { Directory } from './directory.js';
import { components, shim } from './engine.js';
import type { Env } from './env.js';
import { github } from './github.js';
import { Listeners } from './listeners.js';
import { Rows } from './rows.js';
import type { Visit } from './shim.js';
import { answer, visit } from './talk.js';

/** In a storage whose sandbox does not have yet what it begins with. */
const UNFINISHED = 'unfinished';
/** Bytes of a sandbox's files and objects: what the platform's 128 MB have room for. */
const MOST_BYTES = 64n << 20n;

/**
 * One sandbox. What it has answered is in its storage: it can be evicted at any await, and the next
 * request opens it again from there.
 */
export class SandboxObject extends DurableObject<Env> {
  readonly #github: GitHub = github(this.env);
  readonly #turns = new Turns();
  readonly #shares = new (shim().Shares)();
  readonly #listeners = new Listeners(() => this.#rows, this.#shares);
  #rows = new Rows(this.ctx.storage);
  #host: ShimHost | undefined;
  #sandbox: ShimSandbox | undefined;
  /** The copy that is being made of it. */
  #fork: string | undefined;

  override async fetch(request: Request): Promise<Response> {
    let asked: Visit | undefined;
    let isKept = false;
    try {
      asked = visit(request, this.env);
      // A token counts as long as it is kept, so nobody waits to learn that theirs is not.
      if (asked.operation === 'createSandbox') asked.authorize(undefined, Date.now());
      else asked.authorize(this.#rows, Date.now());
      if (!asked.response) await admit(asked, this.#shares, request);
      if (!asked.response && asked.operation === 'listen') {
        const events = this.#listeners.add(asked);
        isKept = events !== undefined;
        return events ?? answer(asked);
      }
      // A place is taken by what has come whole: who sends slowly keeps nobody from being worked on.
      if (!asked.response) asked.takePlace(this.#shares);
      const admitted = asked;
      if (!asked.response) await this.#turns.take(() => this.#serve(admitted));
      return answer(asked);
    } catch (error) {
      // The shim has lost its way, or the platform its storage: what is in memory is worth nothing.
      console.error('gitgate: the object begins anew', error);
      this.ctx.abort(told(error).message);
      throw error;
    } finally {
      if (!isKept) asked?.free();
    }
  }

  /** Answers it from its beginning to its end. Nothing else is done on the sandbox meanwhile. */
  async #serve(asked: Visit): Promise<void> {
    await this.#discardUnfinished();
    if (asked.operation === 'createSandbox') return this.#create(asked);
    const isRemoval = asked.operation === 'deleteSandbox';
    if (this.#rows.mark('journal') === undefined) {
      asked.absent();
      // Its name may have been left in the list.
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

  /** Goes on until the visit is over. */
  async #finish(asked: Visit): Promise<void> {
    for (let need = asked.advance(); need; need = asked.advance()) {
      // What is kept must be so before anybody outside can tell.
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
          return { tag: 'http', val: await this.#github.send(need.val, new AbortController().signal) };
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
      // It is in the list before it is there: one that is there and not in the list could be lost.
      await directory.add(name);
    }
    this.#sandbox = asked.create(this.#theHost(), this.#rows, this.#opened(asked)) ?? this.#sandbox;
    if (!asked.response) await this.#finish(asked);
    if (asked.response?.status === 201) this.#rows.putText(UNFINISHED, '');
    else if (!exists) {
      await this.#clear();
      await directory.remove(name);
    }
    // An import takes more memory than what it brings in, and memory of WebAssembly never shrinks.
    this.#close();
  }

  /** Has the object of that name copy what is here. It is this one's turn all the while: nothing changes. */
  async #copyTo(asked: Visit, name: string): Promise<void> {
    // Nothing is in a copy that could be lost here.
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
   * What follows that place, for the object that makes this copy. It takes no turn: the request that has the
   * copy made is taking it.
   */
  readCopy(fork: string, at: Place): Part {
    if (fork !== this.#fork) throw new Error('the sandbox was restarted while it was copied');
    return this.#rows.copies.read(at, shim().copied());
  }

  /**
   * Makes a copy of another object's sandbox here, under the name of this object. Gives the body of the
   * answer, or nothing if there is a sandbox already.
   */
  async copyFrom(from: string, name: string, fork: string): Promise<Uint8Array | undefined> {
    // A sandbox that is there may be waiting for this object's own copy: its turn is not waited for.
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
      // As when it is made.
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

  /** What was cut off while it was made was never given to anybody. */
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

  /** Takes away all that is kept. */
  async #clear(): Promise<void> {
    this.#close();
    await this.ctx.storage.deleteAll();
    this.#rows = new Rows(this.ctx.storage);
    // Nobody hears anything of what is not there.
    this.#listeners.tell();
  }
}
