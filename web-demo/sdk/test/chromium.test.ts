import assert from 'node:assert/strict';

import { both } from './both.js';

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
    const script = await sandbox.bash('seq 4 | paste -sd+ | bc > sum; cat sum; git status -s', { as: 'user' });
    await sandbox.close();
    const closed = await sandbox.status().catch((error: unknown) => error);
    return { wrote, staged, length, sound, tools, status, failed, history, script, closed: Object.assign({}, closed) };
  });
  assert.equal(seen.wrote.outcome, 'done');
  assert.equal(seen.staged.outcome, 'done');
  assert.equal(seen.length, 1);
  assert.equal(seen.sound, true);
  assert.ok(seen.tools.includes('git_stage'));
  assert.match(seen.status.text, /main/);
  assert.ok(seen.failed.outcome === 'failed' && seen.failed.kind === 'not-found', JSON.stringify(seen.failed));
  assert.match(seen.history.text, /sandbox_import/);
  assert.ok(seen.script.outcome === 'done', JSON.stringify(seen.script));
  assert.equal(seen.script.structured.stdout, '10\n?? sum\n');
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

both('a person edits an export, and what is approved then leaves', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const identity = 'Ada <ada@example.org>';
    const one = await openSandbox({ name: 'one', storage: memory(), identity });
    await one.call('write_file', { path: 'a.md', content: 'one\n' });
    await one.call('write_file', { path: 'b.md', content: 'two\n' });
    await one.call('git_stage', { files: ['a.md', 'b.md'], message: 'Add files' });
    const messages: (string | undefined)[] = [];
    one.onQuestion((question) => {
      const of = question.about === 'push' ? question.push.push : undefined;
      messages.push(of?.review.commits.at(-1)?.message);
      if (messages.length > 1) return { say: 'approve' };
      return { say: 'revise', revision: { leaveOut: [{ path: 'b.md' }], message: 'Add one file' } };
    });
    const exported = await one.exportBundle('main');
    const status = await one.status();
    const audit = await one.audit();
    await one.undo();
    const staged = await one.staged();
    const again = await one.exportBundle('main', { revision: { message: 'Add both' } });
    await one.close();
    const bytes = exported.outcome === 'done' ? exported.bytes : new Uint8Array();
    const other = await openSandbox({ name: 'other', storage: memory(), identity, from: { bundle: bytes } });
    const files = await other.call('list_files', { recursive: true });
    await other.close();
    return {
      messages: messages.map((message) => message?.trim()),
      status: status.text,
      staged: staged.map(({ message }) => message.trim()),
      again: again.outcome,
      audit,
      files: files.outcome === 'done' ? files.text : '',
    };
  });
  assert.deepEqual(seen.messages, ['Add files', 'Add one file', 'Add both']);
  assert.match(seen.status, /\?\? b\.md/);
  assert.deepEqual([seen.staged, seen.again], [['Add files'], 'done']);
  assert.match(seen.audit, /leave out b\.md; set the message to "Add one file"/);
  assert.match(seen.files, /a\.md/);
  assert.doesNotMatch(seen.files, /b\.md/);
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
    // An answered call asks no question, and in the other case there is no listener to ask.
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
          // While one call waits for a person, others run.
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
  // A repeated call gets a new timestamp, so after a second the same list is sent again.
  const told = seen.lists.filter((length, at) => at === 0 || length !== seen.lists[at - 1]);
  assert.deepEqual(told.slice(0, 3), [1, 0, 1]);
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

both('a tool that traps is an error, and what was done before stays', async (page) => {
  for (const storage of ['memory', 'opfs'] as const) {
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

both('a sandbox is copied, and both go on by themselves', async (page) => {
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

both('a sandbox that fails to be made leaves nothing behind in OPFS', async (page) => {
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
