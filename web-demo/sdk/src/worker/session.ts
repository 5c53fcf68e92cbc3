// An open sandbox, in the Worker.

import type { About } from '../comment.js';
import { GitgateError, calledOff, told } from '../error.js';
import type { Answer, Question } from '../question.js';
import type { Args, Event, Opening } from '../protocol.js';
import { whenOff } from '../off.js';
import type { Exported, Reply, Sent } from '../reply.js';
import type { Context, Handlers } from '../rpc.js';
import { copyOpfs, listOpfs, openMemory, openOpfs, removeOpfs } from '../storage/index.js';
import type { Kept } from '../storage/index.js';
import { Asking } from './asking.js';
import { first, origin } from './begin.js';
import type { First } from './begin.js';
import { Clock } from './clock.js';
import { answered, digestOf, pending, question, reply } from './convert.js';
import type { Asked } from './convert.js';
import { Doing } from './doing.js';
import { Driver, always, client } from './driver.js';
import type { Ask, Driven } from './driver.js';
import { load } from './engine.js';
import type { Engine } from './engine.js';
import type { Answered, Opened, ShimHost, ShimRun, ShimSandbox } from './shim.js';
import { DecidedElsewhere, Verdicts } from './verdicts.js';
import { WaitingId } from './waiting-id.js';

/** Marks the storage of a sandbox whose repository is not there yet. */
const UNFINISHED = 'unfinished';
const LATER: Answer = { say: 'later' };

export class Session implements Driven {
  readonly #opening: Opening;
  readonly #tell: (event: Event) => void;
  readonly #driver = new Driver();
  readonly #host: ShimHost;
  readonly #opened: Opened;
  /** Exported files that nobody has fetched. */
  readonly #files = new Map<string, Uint8Array>();
  readonly #verdicts = new Verdicts();
  readonly clock: Clock;
  kept: Kept;
  #sandbox: ShimSandbox | undefined;
  #isLost = false;
  /** The ends of the logs at the last change event. */
  #ends: string | undefined;
  /** The waiting calls in the last event. */
  #waiting = '[]';

  private constructor(opening: Opening, engine: Engine, kept: Kept, tell: (event: Event) => void) {
    this.#opening = opening;
    this.#tell = tell;
    this.kept = kept;
    const doing = new Doing((val) => tell({ tag: 'progress', val }));
    this.clock = new Clock(opening.flag, (now) => doing.look(now));
    const around = {
      who: opening.who,
      isWanted: () => !this.clock.isOff(),
      doing: (what: string) => doing.begin(what, performance.now()),
    };
    const create = (path: string, content: Uint8Array): void => void this.#files.set(path, content);
    this.#host = new engine.shim.Host(engine.components(this.clock), around, { create });
    this.#opened = { name: opening.name, config: opening.config, rules: opening.rules };
  }

  static async open(
    opening: Opening,
    tell: (event: Event) => void,
    context: Context,
  ): Promise<{ session: Session; isNew: boolean }> {
    const engine = await Promise.race([load(opening.assets, opening.modules), whenOff(context.signal)]);
    if (!opening.modules) tell({ tag: 'compiled', val: engine.modules });
    let kept = await openKept(opening);
    if (kept.text(UNFINISHED)) {
      // The tab closed before the sandbox had its repository: nobody ever received this sandbox.
      kept.close();
      await removeOpfs(opening.name);
      kept = await openKept(opening);
    }
    const session = new Session(opening, engine, kept, tell);
    const isNew = kept.mark('journal') === undefined;
    try {
      if (isNew) {
        tell({ tag: 'making', val: null });
        await session.#create(context);
      } else await session.#turn(context, () => (session.#sandbox = session.#host.open(kept, session.#opened)));
    } catch (error) {
      kept.close();
      // Removes everything of a failed creation.
      if (isNew && opening.storage === 'opfs') await removeOpfs(opening.name);
      throw error;
    }
    return { session, isNew };
  }

  async #create(context: Context): Promise<void> {
    const { from, settings } = this.#opening;
    const place = origin(from);
    const all = { ...settings, ...(place && { from: place }) };
    await this.#turn(context, () => {
      this.kept.putText(UNFINISHED, 'yes');
      this.#sandbox = this.#host.create(this.kept, this.#opened, all);
    });
    for (const one of first(from, this.#host)) await this.#first(one, context);
    if (context.signal.aborted) throw calledOff();
    await this.#turn(context, () => this.kept.putText(UNFINISHED, ''));
  }

  /** Opening a sandbox implies permission for its first calls, so nobody is asked. */
  async #first({ call, attached }: First, context: Context): Promise<void> {
    const ask = always({ say: 'approve' }, 'command');
    const make = () => this.#open.call(call, attached);
    const ended = reply(await this.#driver.drive(this, context, make, ask, attached.length));
    if (ended.outcome === 'failed') throw new GitgateError(ended.kind, ended.message, ended.hint);
    if (ended.outcome === 'pending') throw new GitgateError('not-approved', ended.reason, ended.hint);
  }

  get #open(): ShimSandbox {
    if (this.#sandbox) return this.#sandbox;
    throw new GitgateError('usage', 'the sandbox is closed', 'open it again');
  }

  #turn<T>(context: Context, work: () => T): Promise<T> {
    return this.#driver.turn(this, context, work);
  }

  judge(thrown: unknown, request: number): { error: unknown; isLost: boolean } {
    const isOfHost = thrown instanceof GitgateError || (thrown instanceof Error && thrown.name === 'HostError');
    // The host replaces a trapped component, but cannot free its memory. A sandbox in memory would be lost
    // with this Worker.
    const isOfComponent = isOfHost && told(thrown).kind === 'component' && this.#opening.storage === 'opfs';
    if (isOfHost && !isOfComponent) return { error: thrown, isLost: false };
    const message = `gitgate failed unexpectedly: ${told(thrown).message}`;
    const error = isOfHost ? thrown : new GitgateError('lost', message, 'report it to the developers');
    if (!this.#isLost) this.#tell({ tag: 'lost', val: { request, error: told(error) } });
    this.#isLost = true;
    return { error, isLost: true };
  }

  /** Reports changes. A failure here does not affect the previous turn. */
  after(): void {
    if (this.#isLost || !this.#sandbox) return;
    try {
      for (const note of this.#sandbox.notes()) this.#tell({ tag: 'note', val: note });
      this.#tellChanged();
      this.#tellWaiting(this.#sandbox);
    } catch (error) {
      this.judge(error, 0);
      this.#tell({ tag: 'note', val: `cannot see what waits: ${told(error).message}` });
    }
  }

  #tellChanged(): void {
    // Receivers will read, which would wait for the push.
    if (this.kept.isLocked) return;
    const marks = (['journal', 'audit.log'] as const).map((log) => this.kept.mark(log));
    const ends = marks.map((mark) => (mark ? `${mark.generation}:${mark.length}` : '')).join(' ');
    if (this.#ends !== undefined && ends !== this.#ends) this.#tell({ tag: 'changed', val: null });
    this.#ends = ends;
  }

  #tellWaiting(sandbox: ShimSandbox): void {
    if (this.#waiting === '[]' && this.kept.records('waiting').length === 0) return;
    const waiting = sandbox.waiting();
    const text = JSON.stringify(waiting);
    if (text !== this.#waiting) this.#tell({ tag: 'waiting', val: waiting });
    this.#waiting = text;
  }

  async #call(
    { tool, arguments: text, caller, ask, digest, revision }: Args<'call'>,
    context: Context,
  ): Promise<Sent<Reply>> {
    const wanted = { tool, arguments: text, caller, digest, revision, takesTime: ask };
    const id = new WaitingId(
      () => this.#open,
      () => this.kept,
      wanted,
    );
    const made = (): ShimRun => id.watch(this.#open.call(wanted));
    if (!ask) return reply(await this.#driver.drive(this, context, made, always(LATER)));
    for (;;) {
      const asking = new Asking(this.#verdicts, context, id);
      try {
        const ended = reply(await this.#driver.drive(this, context, made, asking.ask));
        asking.end(ended);
        return ended;
      } catch (error) {
        asking.end();
        if (!(error instanceof DecidedElsewhere)) throw error;
        const { latest } = id;
        if (!error.reply) continue;
        if (latest !== null) await this.#told(latest, context);
        return error.reply;
      }
    }
  }

  /** A failure here must not hide the reply from the agent. At worst, the stored reply is delivered twice. */
  async #told(id: string, context: Context): Promise<void> {
    try {
      await this.#turn(context, () => this.#open.forgetTold(id));
    } catch (error) {
      this.#tell({ tag: 'note', val: `cannot forget what was told: ${told(error).message}` });
    }
  }

  async #export({ branch, digest, revision }: Args<'export'>, context: Context): Promise<Sent<Exported>> {
    // The target that the person sees. Nothing is written there.
    const file = `/exports/${encodeURIComponent(this.#opening.name)}-${Date.now()}.bundle`;
    const make = () => this.#open.export({ file, branch, digest, revision });
    const ended = reply(await this.#driver.drive(this, context, make, client(context, () => null)));
    if (ended.outcome !== 'done') return ended;
    const bytes = this.#files.get(file);
    this.#files.delete(file);
    if (!bytes) throw new GitgateError('lost', 'the export was approved, but there is no file');
    return { ...ended, bytes };
  }

  /** The question about a waiting call, which keeps waiting. */
  async #review(id: string, context: Context): Promise<Question> {
    const inside = await this.#turn(context, () => this.#open.question(id));
    if (inside) return { about: 'call', id, call: inside };
    let asked: Asked | undefined;
    const look: Ask = (need) => {
      asked ??= need;
      return Promise.resolve(answered(need.tag, LATER));
    };
    const ended = reply(await this.#driver.drive(this, context, () => this.#open.review(id), look));
    if (asked) return question(asked, id);
    if (ended.outcome === 'failed') throw new GitgateError(ended.kind, ended.message, ended.hint);
    throw new GitgateError('usage', 'nothing is asked about it any more', 'look at what waits');
  }

  async #reject({ id, reason }: Args<'reject'>, context: Context): Promise<null> {
    await this.#turn(context, () => this.#open.reject(id, reason));
    this.#verdicts.tell(id, null);
    return null;
  }

  async #decide({ id, answer }: Args<'decide'>, context: Context): Promise<Sent<Reply> | null> {
    const inside = await this.#turn(context, () => this.#open.question(id));
    if (inside) {
      const not = await this.#turn(context, () => this.#open.decide(id, answered('call', answer)));
      return not ? pending(not) : null;
    }
    let isSaid = false;
    const ask: Ask = (need) => {
      const isOther = answer.say === 'approve' && need.tag === 'push' && digestOf(need) !== answer.digest;
      // The decision holds once: an edited push is another push.
      const isOver = isSaid && need.tag === 'push' && answer.say !== 'approve';
      isSaid ||= need.tag === 'push';
      const changed: Answer = { say: 'later', reason: 'it is another push than the one that was reviewed' };
      return Promise.resolve<Answered>(answered(need.tag, isOther || isOver ? changed : answer));
    };
    return reply(await this.#driver.drive(this, context, () => this.#open.review(id), ask));
  }

  async #fork(to: string): Promise<null> {
    if (this.#opening.storage !== 'opfs') {
      throw new GitgateError('usage', 'only a sandbox in OPFS can be copied', 'open it with opfs()');
    }
    return this.#driver.take(async () => {
      if (!this.#driver.isIdle) {
        throw new GitgateError('busy', 'a call waits for an answer', 'copy the sandbox when that is decided');
      }
      if ((await listOpfs()).includes(to)) {
        throw new GitgateError('sandbox-exists', 'there is a sandbox of that name', 'choose another name');
      }
      const { name } = this.#opening;
      this.#close();
      try {
        await copyOpfs(name, to);
      } finally {
        this.kept = await openOpfs(name);
        this.#sandbox = this.#host.open(this.kept, this.#opened);
      }
      return null;
    });
  }

  #close(): void {
    this.#sandbox?.free();
    this.#sandbox = undefined;
    this.kept.close();
  }

  /** Serves the requests to the sandbox that the first request opens. */
  static handlers(tell: (event: Event) => void): Handlers {
    let session: Session | undefined;
    const at = (): Session => {
      if (session) return session;
      throw new GitgateError('usage', 'no sandbox is open in this Worker', 'open one first');
    };
    const now = <T>(context: Context, work: (sandbox: ShimSandbox) => T): Promise<T> =>
      at().#turn(context, () => work(at().#open));
    return {
      open: async (opening, context) => {
        await live(opening.life);
        tell({ tag: 'alive', val: null });
        const opened = await Session.open(opening, tell, context);
        session = opened.session;
        return { isNew: opened.isNew };
      },
      call: (args, context) => at().#call(args, context),
      export: (args, context) => at().#export(args, context),
      tools: (_, context) => now(context, (sandbox) => sandbox.tools()),
      waiting: (_, context) => now(context, (sandbox) => sandbox.waiting()),
      review: (id, context) => at().#review(id, context),
      decide: (args, context) => at().#verdicts.decide(args.id, () => at().#decide(args, context)),
      reject: (args, context) => at().#reject(args, context),
      comments: (about, context) => now(context, (sandbox) => sandbox.comments(topic(about))),
      comment: ({ about, draft }, context) =>
        now(context, (sandbox) => sandbox.comment(topic(about), JSON.stringify(draft))),
      changeComment: ({ about, comment, change }, context) =>
        now(context, (sandbox) => sandbox.changeComment(topic(about), comment, JSON.stringify(change))),
      markSeen: ({ about, looks }, context) =>
        now(context, (sandbox) => (sandbox.markSeen(topic(about), JSON.stringify(looks)), null)),
      audit: (_, context) => now(context, (sandbox) => sandbox.audit()),
      decisions: (_, context) => now(context, (sandbox) => sandbox.decisions()),
      settings: (_, context) => now(context, (sandbox) => sandbox.settings()),
      fsck: (_, context) => at().#turn(context, () => at().#host.fsck(at().kept, at().#opened)),
      compact: (_, context) => now(context, (sandbox) => (sandbox.compact(), null)),
      fork: (to) => at().#fork(to),
      close: () => at().#driver.take(() => Promise.resolve((at().#close(), null))),
    };
  }
}

/** The branch that a push goes to, in the shim's form. */
const topic = ({ target, reference }: About): string => JSON.stringify({ target, reference });

function openKept({ name, storage }: Opening): Promise<Kept> {
  return storage === 'opfs' ? openOpfs(name) : Promise.resolve(openMemory());
}

/** Holds the lock whose release tells the tab that this Worker is gone. */
function live(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, () => {
      resolve();
      return new Promise<never>(() => undefined);
    });
    held.catch(reject);
  });
}
