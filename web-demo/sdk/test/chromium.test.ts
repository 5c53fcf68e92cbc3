import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { browser } from './browser.js';
import type { Browser } from './browser.js';
import { Hub } from './hub.js';

let chrome: Browser;

before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

type Kind = 'plain' | 'isolated';

/** Runs a test in a page of either kind. */
function both(name: string, run: (page: Page, t: TestContext, kind: Kind) => Promise<void>): void {
  for (const kind of ['plain', 'isolated'] as const) {
    test(`${name} (${kind})`, async (t) => {
      const page = await chrome.page(chrome.served[kind]);
      assert.equal(await page.evaluate(() => crossOriginIsolated), kind === 'isolated');
      await run(page, t, kind);
      await page.close();
    });
  }
}

/** What needs OPFS is skipped where the storage has none. */
async function hasOpfs(page: Page, t: TestContext): Promise<boolean> {
  const why = await page.evaluate(async () => {
    const { openSandbox, opfs, removeSandbox } = gitgate;
    try {
      await (await openSandbox({ name: 'probe', storage: opfs() })).close();
      await removeSandbox('probe');
      return '';
    } catch (error) {
      return String(error);
    }
  });
  if (why.includes('no storage in OPFS')) t.skip(why);
  else assert.equal(why, '');
  return why === '';
}

both('an agent works in a sandbox in memory', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({ name: 'one', storage: memory(), identity: 'Ada <ada@example.org>' });
    const wrote = await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    const staged = await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    const { length } = await sandbox.staged();
    const { sound } = await sandbox.fsck();
    const tools = (await sandbox.tools()).map((tool) => tool.name);
    await sandbox.undo(2);
    const status = await sandbox.status();
    const failed = await sandbox.call('read_file', { path: 'a.md' });
    await sandbox.compact();
    const history = await sandbox.history();
    await sandbox.close();
    const closed = await sandbox.status().catch((error: unknown) => error);
    return { wrote, staged, length, sound, tools, status, failed, history, closed: Object.assign({}, closed) };
  });
  assert.equal(seen.wrote.outcome, 'done');
  assert.equal(seen.staged.outcome, 'done');
  assert.equal(seen.length, 1);
  assert.equal(seen.sound, true);
  assert.ok(seen.tools.includes('git_stage'));
  assert.match(seen.status.text, /main/);
  assert.ok(seen.failed.outcome === 'failed' && seen.failed.kind === 'not-found', JSON.stringify(seen.failed));
  assert.match(seen.history.text, /sandbox_import/);
  assert.deepEqual(seen.closed, { name: 'GitgateError', kind: 'interrupted', hint: 'open it again' });
});

both('a person is asked, with the review, and what they approve leaves', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({ name: 'one', storage: memory(), identity: 'Ada <ada@example.org>' });
    await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    const nobody = await sandbox.exportBundle();
    let asked = 0;
    const questions: import('../src/index.js').Question[] = [];
    const remove = sandbox.onQuestion((question) => {
      questions.push(question);
      asked += 1;
      return asked === 1 ? { say: 'reject', reason: 'rename it first' } : Promise.resolve({ say: 'approve' });
    });
    const rejected = await sandbox.exportBundle();
    const approved = await sandbox.exportBundle('main');
    remove();
    const digest = nobody.outcome === 'pending' ? (nobody.push?.digest ?? '') : '';
    const known = await sandbox.exportBundle('main', { digest });
    const audit = await sandbox.audit();
    const decisions = await sandbox.decisions();
    await sandbox.close();
    const head = approved.outcome === 'done' ? new TextDecoder().decode(approved.bytes.slice(0, 15)) : '';
    return { nobody, questions, rejected, approved: approved.outcome, head, known: known.outcome, audit, decisions };
  });
  assert.ok(seen.nobody.outcome === 'pending' && seen.nobody.push?.digest, JSON.stringify(seen.nobody));
  const [question] = seen.questions;
  assert.ok(question?.about === 'push' && question.push.push, JSON.stringify(question));
  assert.match(question.push.push.whole, /\+one/);
  assert.match(question.push.push.summary, /a\.md/);
  assert.ok(seen.rejected.outcome === 'failed' && seen.rejected.reason === 'rename it first');
  assert.equal(seen.approved, 'done');
  assert.equal(seen.head, '# v2 git bundle');
  assert.match(seen.audit, /rename it first/);
  assert.ok(seen.decisions.length > 2);
});

both('a bundle begins another sandbox, and a damaged one none', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const identity = 'Ada <ada@example.org>';
    const one = await openSandbox({ name: 'one', storage: memory(), identity });
    await one.call('write_file', { path: 'a.md', content: 'one\n' });
    await one.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    one.onQuestion(() => ({ say: 'approve' }));
    const exported = await one.exportBundle('main');
    await one.close();
    const bytes = exported.outcome === 'done' ? exported.bytes : new Uint8Array();
    const other = await openSandbox({ name: 'other', storage: memory(), identity, from: { bundle: bytes } });
    const read = await other.call('read_file', { path: 'a.md' });
    const log = await other.call('git_log', { oneline: true });
    await other.close();
    const cut = { name: 'cut', storage: memory(), identity, from: { bundle: bytes.slice(0, -1) } };
    const refused = await openSandbox(cut).then(
      () => 'opened',
      (error: { kind: string }) => error.kind,
    );
    return { read, log, refused };
  });
  assert.ok(seen.read.outcome === 'done' && seen.read.text === 'one\n', JSON.stringify(seen.read));
  assert.ok(seen.log.outcome === 'done' && seen.log.text.includes('Add a file'));
  assert.equal(seen.refused, 'refused');
});

both('what nobody has answered waits, is reviewed, and is decided about', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({
      name: 'one',
      storage: memory(),
      identity: 'Ada <ada@example.org>',
      policy: 'strict',
    });
    const lists: number[] = [];
    sandbox.on('waiting', (waiting) => lists.push(waiting.length));
    await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    const stage = (wait: 'ask' | 'pending') =>
      sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' }, { wait });
    const nobody = await stage('ask');
    const [first] = await sandbox.waiting();
    const question = await sandbox.review(first?.id ?? '');
    const decided = await sandbox.decide(first?.id ?? '', { say: 'reject', reason: 'not yet' });
    const told = await stage('ask');
    // One that is answered does not ask, and the listener is not there to be asked in the other
    // case.
    const remove = sandbox.onQuestion(() => Promise.reject(new Error('nobody should be asked')));
    const pending = await stage('pending');
    remove();
    const [second] = await sandbox.waiting();
    await sandbox.decide(second?.id ?? '', { say: 'approve' });
    const staged = await stage('ask');
    const off = new AbortController();
    sandbox.onQuestion(
      (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(undefined));
          // While one call waits for a person, others are made.
          void sandbox.status().then(() => off.abort());
        }),
    );
    await sandbox.call('write_file', { path: 'b.md', content: 'two\n' });
    const called = await sandbox
      .call('git_stage', { files: ['b.md'], message: 'Add another' }, { signal: off.signal })
      .catch((error: unknown) => Object.assign({}, error));
    const left = await sandbox.waiting();
    await sandbox.close();
    return { nobody, question, decided, told, pending, staged, called, left, lists };
  });
  assert.ok(seen.nobody.outcome === 'pending' && seen.nobody.waits, JSON.stringify(seen.nobody));
  assert.ok(seen.question.about === 'call' && seen.question.call.tool === 'git_stage');
  assert.equal(seen.decided, null);
  assert.ok(seen.told.outcome === 'failed' && seen.told.reason === 'not yet', JSON.stringify(seen.told));
  assert.ok(seen.pending.outcome === 'pending' && seen.pending.waits);
  assert.equal(seen.staged.outcome, 'done');
  assert.deepEqual(seen.called, { name: 'GitgateError', kind: 'interrupted', hint: '' });
  // The person may still decide about it.
  assert.deepEqual(
    seen.left.map(({ tool }) => tool),
    ['git_stage'],
  );
  assert.deepEqual(seen.lists.slice(0, 3), [1, 0, 1]);
});

both('a sandbox comes from GitHub, and what a person approves goes back', async (page, t) => {
  const hub = await Hub.start();
  t.after(() => hub.close());
  const before = hub.head;
  const seen = await page.evaluate(async (base) => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({
      name: 'one',
      storage: memory(),
      identity: 'Ada <ada@example.org>',
      push: 'assisted',
      from: { github: 'Ada/Project' },
      github: { base, token: () => Promise.resolve('hunter2') },
    });
    const read = await sandbox.call('read_file', { path: 'README.md' });
    await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    const push = () => sandbox.call('git_push', { commitId: 'HEAD' });
    const pending = await push();
    const [waits] = await sandbox.waiting();
    const id = waits?.id ?? '';
    const question = await sandbox.review(id);
    const other = await sandbox.decide(id, { say: 'approve', digest: '0'.repeat(64) });
    const live: { id: string | null; waiting: string[] }[] = [];
    const remove = sandbox.onQuestion(async ({ id }) => {
      live.push({ id, waiting: (await sandbox.waiting()).map((one) => one.id) });
      return live.length === 1
        ? { say: 'revise', revision: { message: 'Add one file' } }
        : { say: 'reject', reason: 'say why' };
    });
    const rejected = await push();
    await sandbox.push();
    remove();
    await push();
    const [again] = await sandbox.waiting();
    const shown = await sandbox.review(again?.id ?? '');
    const digest = shown.about === 'push' ? (shown.push.push?.digest ?? '') : '';
    const landed = await sandbox.decide(again?.id ?? '', { say: 'approve', digest });
    const left = await sandbox.waiting();
    const staged = await sandbox.staged();
    const audit = await sandbox.audit();
    await sandbox.close();
    return { read, pending, id, question, live, other, rejected, landed, left, staged, audit };
  }, hub.base);
  assert.ok(seen.read.outcome === 'done' && seen.read.text.includes('# Project'), JSON.stringify(seen.read));
  assert.ok(seen.pending.outcome === 'pending' && seen.pending.waits, JSON.stringify(seen.pending));
  assert.equal(seen.pending.push?.digest, null, 'an agent is given no digest');
  assert.ok(seen.question.about === 'push' && seen.question.push.push?.target === 'github:ada/project');
  assert.equal(seen.question.id, seen.id);
  const [first, revised, ofUser] = seen.live;
  // It has waited since it was made before.
  assert.deepEqual(first, { id: seen.id, waiting: [seen.id] });
  assert.ok(revised?.id && revised.id !== seen.id && revised.waiting.includes(revised.id), JSON.stringify(seen.live));
  assert.equal(ofUser?.id, null);
  assert.equal(seen.other?.outcome, 'pending', JSON.stringify(seen.other));
  assert.ok(seen.rejected.outcome === 'failed' && seen.rejected.reason === 'say why', JSON.stringify(seen.rejected));
  assert.equal(seen.landed?.outcome, 'done', JSON.stringify(seen.landed));
  assert.deepEqual([seen.left, seen.staged], [[], []]);
  assert.doesNotMatch(seen.audit, /hunter2/);
  assert.notEqual(hub.head, before);
  assert.deepEqual(hub.files(), { 'README.md': '# Project\n', 'a.md': 'one\n' });
  assert.deepEqual([...hub.tokens], ['Bearer hunter2']);
});

both('a sandbox whose repository cannot be reached is not made', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const from = { github: 'ada/project' };
    const github = { base: 'http://127.0.0.1:9' };
    const fields = (error: unknown) => Object.assign({}, error) as { kind: string };
    return openSandbox({ name: 'one', storage: memory(), from, github }).catch(fields);
  });
  assert.ok('kind' in seen && seen.kind === 'execution-failed', JSON.stringify(seen));
});

both('300 calls, made at once, end in their order', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({ name: 'one', storage: memory(), identity: 'Ada <ada@example.org>' });
    const calls = Array.from({ length: 300 }, (_, at) =>
      at % 3 === 2
        ? sandbox.call('git_stage', { files: ['a.md'], message: `Change ${at}` })
        : sandbox.call('write_file', { path: 'a.md', content: `line ${at}\n` }),
    );
    const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
    const { length } = await sandbox.staged();
    const { sound } = await sandbox.fsck();
    await sandbox.close();
    return { outcomes: [...new Set(outcomes)].join(), length, sound };
  });
  assert.deepEqual(seen, { outcomes: 'done', length: 100, sound: true });
});

both('a tool that traps is an error, and what was done before stays', async (page, t) => {
  for (const storage of ['memory', 'opfs'] as const) {
    if (storage === 'opfs' && !(await hasOpfs(page, t))) return;
    const seen = await page.evaluate(async (storage) => {
      const component = new URL('/test/trap.js', location.href).href;
      const sandbox = await gitgate.openSandbox({ name: 'traps', storage: gitgate[storage](), assets: { component } });
      let replaced = 0;
      sandbox.on('replaced', () => (replaced += 1));
      const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
      await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
      const trapped = await sandbox.call('write_file', { path: 'trap', content: '' }).catch(kind);
      const read = await sandbox.call('read_file', { path: 'a.md' });
      await sandbox.close();
      if (storage === 'opfs') await gitgate.removeSandbox('traps');
      return { trapped, read: read.outcome, replaced };
    }, storage);
    assert.deepEqual(seen, { trapped: 'component', read: 'done', replaced: storage === 'opfs' ? 1 : 0 });
  }
});

both('modules are found that a bundler has written into its own files', async (page) => {
  const seen = await page.evaluate(async () => {
    const { assets }: typeof import('../src/client/assets.js') = await import(
      new URL('/src/client/assets.js', location.href).href
    );
    const { componentWasm } = assets();
    const name = 'gitgate.core2.wasm';
    const bytes = new Uint8Array(await (await fetch(componentWasm[name] ?? '')).arrayBuffer());
    const inline = `data:application/wasm;base64,${btoa(String.fromCharCode(...bytes))}`;
    const open = (url: string) =>
      gitgate.openSandbox({
        name: 'one',
        storage: gitgate.memory(),
        assets: { componentWasm: { ...componentWasm, [name]: url } },
      });
    const sandbox = await open(inline);
    const status = await sandbox.status();
    await sandbox.close();
    const failed: unknown = await open(new URL('/none.wasm', location.href).href).catch((error: unknown) => error);
    return { status: status.outcome, failed: Object.assign({}, failed) as { kind: string; hint: string } };
  });
  assert.equal(seen.status, 'done');
  assert.equal(seen.failed.kind, 'component');
  assert.match(seen.failed.hint, /wasm-unsafe-eval/);
});

/** Makes a sandbox in which a diff takes seconds, and looks at the clock often. */
async function slow(page: Page, storage: 'memory' | 'opfs'): Promise<void> {
  await page.evaluate(async (storage) => {
    const sandbox = await gitgate.openSandbox({
      name: 'slow',
      storage: gitgate[storage](),
      identity: 'Ada <ada@example.org>',
    });
    const files = Array.from({ length: 16 }, (_, at) => `f${at}`);
    const write = async (seed: number): Promise<void> => {
      for (const path of files) {
        const lines = Array.from({ length: 20_000 }, () => {
          seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
          return (seed >>> 20).toString(36);
        });
        await sandbox.call('write_file', { path, content: lines.join('\n') });
      }
    };
    await write(1);
    await sandbox.call('git_stage', { files, message: 'Add much' });
    await write(2);
    Object.assign(globalThis, { sandbox });
  }, storage);
}

declare global {
  var sandbox: import('../src/index.js').Sandbox;
}

/** Calls off a diff shortly after it has begun. */
function callOff(page: Page, how: 'signal' | 'timeoutMs') {
  return page.evaluate(async (how) => {
    const begun = performance.now();
    const limits = how === 'signal' ? { signal: AbortSignal.timeout(50) } : { timeoutMs: 50 };
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const ended = await sandbox.call('git_diff', { stat: true }, limits).then(({ outcome }) => outcome, kind);
    return { ended, took: performance.now() - begun };
  }, how);
}

test('a long call is called off by the clock, and the Worker goes on', async () => {
  const page = await chrome.page(chrome.served.isolated);
  await slow(page, 'memory');
  const whole = await page.evaluate(async () => {
    const begun = performance.now();
    await sandbox.call('git_diff', { stat: true });
    return performance.now() - begun;
  });
  for (const [how, kind] of [
    ['signal', 'interrupted'],
    ['timeoutMs', 'timeout'],
  ] as const) {
    const { ended, took } = await callOff(page, how);
    assert.equal(ended, kind);
    assert.ok(took < whole / 2, `${took} ms of ${whole}`);
  }
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.close();
});

test('a long call in memory ends by itself where no clock can be told', async () => {
  const page = await chrome.page(chrome.served.plain);
  await slow(page, 'memory');
  const { ended } = await callOff(page, 'signal');
  // It has ended in the meantime, and its result is no less true for that.
  assert.equal(ended, 'done');
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.close();
});

test('a long call is called off by replacing the Worker', async (t) => {
  const page = await chrome.page(chrome.served.plain);
  if (!(await hasOpfs(page, t))) return page.close();
  await slow(page, 'opfs');
  const { ended } = await callOff(page, 'signal');
  assert.equal(ended, 'interrupted');
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.evaluate(async () => {
    await sandbox.close();
    await gitgate.removeSandbox('slow');
  });
  await page.close();
});

both('a Worker that is killed in the middle of a call takes what is in memory with it', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const workers: Worker[] = [];
    const worker = () => {
      const made = new Worker(new URL('/src/worker/main.js', location.href), { type: 'module' });
      workers.push(made);
      return made;
    };
    const sandbox = await openSandbox({ name: 'one', storage: memory(), assets: { worker } });
    const call = sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    workers[0]?.terminate();
    const fields = (error: unknown) => Object.assign({}, error) as { kind: string };
    return [await call.catch(fields), await sandbox.status().catch(fields)];
  });
  for (const ended of seen) assert.ok('kind' in ended && ended.kind === 'lost', JSON.stringify(ended));
});

both('a Worker that is killed in the middle of a call is replaced, and no finished call is lost', async (page, t) => {
  if (!(await hasOpfs(page, t))) return;
  const seen = await page.evaluate(async () => {
    const { openSandbox, opfs, removeSandbox } = gitgate;
    const workers: Worker[] = [];
    const worker = () => {
      const made = new Worker(new URL('/src/worker/main.js', location.href), { type: 'module' });
      workers.push(made);
      return made;
    };
    const sandbox = await openSandbox({
      name: 'killed',
      storage: opfs(),
      identity: 'Ada <ada@example.org>',
      assets: { worker },
    });
    const finished: string[] = [];
    const unknown: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const calls = Array.from({ length: 10 }, async (_, at) => {
        const path = `f${round}-${at}`;
        try {
          const { outcome } = await sandbox.call('write_file', { path, content: path });
          (outcome === 'done' ? finished : unknown).push(path);
          if (at === 4) workers.at(-1)?.terminate();
        } catch (error) {
          unknown.push(Object.assign({ kind: '' }, error).kind);
        }
      });
      await Promise.all(calls);
    }
    const lost: string[] = [];
    for (const path of finished) {
      const read = await sandbox.call('read_file', { path });
      if (read.outcome !== 'done' || read.text.trim() !== path) lost.push(path);
    }
    const { sound } = await sandbox.fsck();
    await sandbox.close();
    await removeSandbox('killed');
    return { workers: workers.length, finished: finished.length, unknown, lost, sound };
  });
  assert.equal(seen.workers, 6);
  assert.deepEqual(seen.lost, []);
  assert.equal(seen.sound, true);
  // Only what ran when its Worker was killed is of unknown end.
  assert.ok(seen.unknown.every((kind) => kind === 'interrupted') && seen.unknown.length <= 5, String(seen.unknown));
  assert.equal(seen.finished + seen.unknown.length, 50);
});

both('two tabs have one sandbox, and when the owner is closed the other takes over', async (first, t, kind) => {
  if (!(await hasOpfs(first, t))) return;
  const open = (page: Page) =>
    page.evaluate(async () => {
      const { openSandbox, opfs } = gitgate;
      const sandbox = await openSandbox({
        name: 'shared',
        storage: opfs(),
        identity: 'Ada <ada@example.org>',
        policy: 'strict',
      });
      Object.assign(globalThis, { sandbox });
    });
  const second = await chrome.page(chrome.served[kind]);
  await open(first);
  await open(second);
  for (const [page, isHere] of [[first, true], [second, false]] as const) {
    assert.deepEqual(await page.evaluate(() => sandbox.owner), { isHere });
  }
  const stage = (page: Page) =>
    page.evaluate(async () => {
      await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
      return (await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' })).outcome;
    });
  // The second tab's calls run in the first tab, and its person is asked in the second.
  await second.evaluate(() => void sandbox.onQuestion(() => ({ say: 'approve' })));
  assert.equal(await stage(second), 'done');
  assert.equal(await first.evaluate(async () => (await sandbox.staged()).length), 1);
  // What waits is kept, whoever has the sandbox.
  const pending = await second.evaluate(async () => {
    await sandbox.call('write_file', { path: 'b.md', content: 'two\n' });
    return sandbox.call('git_stage', { files: ['b.md'], message: 'Wait' }, { wait: 'pending' });
  });
  assert.equal(pending.outcome, 'pending');
  await first.close();
  const seen = await second.evaluate(async () => {
    const status = await sandbox.status().catch(() => sandbox.status());
    const staged = (await sandbox.staged()).length;
    const waiting = (await sandbox.waiting()).length;
    const { owner } = sandbox;
    await sandbox.close();
    await gitgate.removeSandbox('shared');
    return { text: status.text, staged, waiting, owner };
  });
  assert.deepEqual(seen.owner, { isHere: true });
  assert.equal(seen.staged, 1);
  assert.equal(seen.waiting, 1);
  await second.close();
});

both('a call through another tab is of unknown end when that is closed in the middle', async (first, t, kind) => {
  if (!(await hasOpfs(first, t))) return;
  await slow(first, 'opfs');
  const second = await chrome.page(chrome.served[kind]);
  await second.evaluate(async () => {
    const sandbox = await gitgate.openSandbox({ name: 'slow', storage: gitgate.opfs() });
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const status = await sandbox.status();
    const asked = sandbox.call('git_diff', { stat: true }).then(({ outcome }) => outcome, kind);
    Object.assign(globalThis, { sandbox, asked, status });
  });
  await first.close();
  const seen = await second.evaluate(async () => {
    const ended: unknown = await Reflect.get(globalThis, 'asked');
    const staged = (await sandbox.staged()).length;
    await sandbox.close();
    await gitgate.removeSandbox('slow');
    return { ended, staged };
  });
  assert.deepEqual(seen, { ended: 'interrupted', staged: 1 });
  await second.close();
});

both('a sandbox is copied, and both go on by themselves', async (page, t) => {
  if (!(await hasOpfs(page, t))) return;
  const seen = await page.evaluate(async () => {
    const { openSandbox, opfs, listSandboxes, removeSandbox } = gitgate;
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const one = await openSandbox({ name: 'one', storage: opfs(), identity: 'Ada <ada@example.org>' });
    await one.call('write_file', { path: 'a.md', content: 'one\n' });
    await one.fork('two');
    const again = await one.fork('two').catch(kind);
    const two = await openSandbox({ name: 'two', storage: opfs() });
    await two.call('write_file', { path: 'a.md', content: 'two\n' });
    const isOpen = await removeSandbox('two').catch(kind);
    const texts = [];
    for (const sandbox of [one, two]) {
      const read = await sandbox.call('read_file', { path: 'a.md' });
      texts.push(read.outcome === 'done' ? read.text.trim() : read.outcome);
      await sandbox.close();
    }
    const names = (await listSandboxes()).sort();
    for (const name of names) await removeSandbox(name);
    return { again, isOpen, texts, names, left: await listSandboxes() };
  });
  assert.deepEqual(seen, {
    again: 'sandbox-exists',
    isOpen: 'busy',
    texts: ['one', 'two'],
    names: ['one', 'two'],
    left: [],
  });
});

both('a sandbox that fails to be made leaves nothing behind in OPFS', async (page, t) => {
  if (!(await hasOpfs(page, t))) return;
  const seen = await page.evaluate(async () => {
    const { openSandbox, opfs, listSandboxes, removeSandbox } = gitgate;
    const from = { github: 'ada/project' };
    const github = { base: 'http://127.0.0.1:9' };
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const failed = await openSandbox({ name: 'one', storage: opfs(), from, github }).then(() => 'opened', kind);
    const left = await listSandboxes();
    const sandbox = await openSandbox({ name: 'one', storage: opfs() });
    const status = (await sandbox.status()).outcome;
    await sandbox.close();
    await removeSandbox('one');
    return { failed, left, status };
  });
  assert.deepEqual(seen, { failed: 'execution-failed', left: [], status: 'done' });
});
