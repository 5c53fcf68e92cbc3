import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { ROUNDS, told } from '../../sdk/test/rounds.js';
import { admitted, allow, badge, begin, ended, land, make, push, reject, review, signIn, stage } from './kit.js';
import { scene } from './scene.js';

const { browser, hub, panel } = await scene();
await signIn(panel, hub);
beforeEach(() => panel.goto(panel.url().replace(/#.*/, '')));

test('a page asks, a person allows it, and what it proposes lands once it was reviewed', async () => {
  await make(panel, 'project', 'Ada/Project');
  const page = await browser.page();
  await begin(page, 'Robot');
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  await card.getByText('Robot').waitFor();
  assert.ok((await card.innerText()).includes(new URL(browser.sample).origin));
  await badge(panel, '1');
  await allow(panel, 'project');
  assert.equal(await admitted(page), 'project');
  await badge(panel, '');

  const tools = await page.evaluate(async () => (await window.agent.tools()).map(({ name }) => name));
  assert.ok(tools.includes('git_push'));
  const read = await page.evaluate(() => window.agent.call('read_file', { path: 'README.md' }));
  assert.ok(read.outcome === 'done' && read.text === '# Project\n', JSON.stringify(read));
  assert.equal(await stage(page, 'a.md'), 'done done');
  const pending = await page.evaluate(() => window.agent.call('git_push', { commitId: 'HEAD' }));
  assert.ok(pending.outcome === 'pending' && pending.waits, JSON.stringify(pending));
  assert.equal(pending.push?.digest, null, 'an agent is given no digest');
  await push(page);
  await badge(panel, '1');
  await review(panel);
  const shown = await panel.getByRole('main').innerText();
  for (const part of ['ada/project', 'a.md', 'high']) assert.ok(shown.includes(part), part);
  await panel.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'Changes' }).click();
  await panel.getByText('of an agent: a.md').waitFor();
  const outcome = await land(panel);
  assert.equal(await outcome.getByRole('link').count(), 0, 'the commit is not at github.com');
  const ways = outcome.getByRole('button');
  assert.deepEqual(await ways.allInnerTexts(), ['Back to the list', 'View audit log']);
  await ways.last().click();
  await panel.locator('.audit-row').first().waitFor();
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
  const reply = await ended(page);
  assert.ok(reply.outcome === 'done', JSON.stringify(reply));
  assert.match(reply.text, /^To github:ada\/project\n.* main -> main/, 'the agent reads what its push came to');
  await badge(panel, '');
  assert.deepEqual(hub.files(), { 'README.md': '# Project\n', 'a.md': 'of an agent: a.md\n' });
  await page.close();
});

test('an agent reads why its push was rejected', async () => {
  await make(panel, 'rejecting', 'Ada/Project');
  const page = await browser.page();
  await begin(page);
  // The page was allowed for another sandbox, and enters that one at once.
  assert.equal(await admitted(page), 'project');
  await page.evaluate(() => window.agent.close());
  await page.evaluate(() => {
    window.asked = window.gitgate.connect({ name: 'Robot', sandbox: 'rejecting' });
  });
  await allow(panel, 'rejecting');
  assert.equal(await admitted(page), 'rejecting');
  const before = hub.head;
  assert.equal(await stage(page, 'b.md'), 'done done');
  await push(page);
  await review(panel);
  await reject(panel, 'say why in the message');
  const reply = await ended(page);
  assert.ok(reply.outcome === 'failed' && reply.reason === 'say why in the message', JSON.stringify(reply));
  assert.equal(hub.head, before);
  await badge(panel, '');
  await page.close();
});

test('three rounds in the panel: comments reach the agent, and what it mends is shown as what is new', async () => {
  await make(panel, 'commented', 'Ada/Project');
  const page = await browser.page();
  await page.evaluate(() => {
    window.asked = window.gitgate.connect({ name: 'Robot', sandbox: 'commented' });
  });
  await allow(panel, 'commented');
  assert.equal(await admitted(page), 'commented');
  const { path, contents, messages, comment, reasons } = ROUNDS;
  const propose = async (round: 0 | 1 | 2): Promise<void> => {
    const file = { path, content: contents[round] };
    const staged = await page.evaluate(
      async ({ file, message }) => {
        await window.agent.call('write_file', file);
        return (await window.agent.call('git_stage', { files: [file.path], message })).outcome;
      },
      { file, message: messages[round] },
    );
    assert.equal(staged, 'done');
    await push(page);
    await review(panel);
    await panel.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'Changes' }).click();
  };
  /** The agent's text of the round. */
  const askChanges = async (reason: string): Promise<string> => {
    await panel.getByRole('button', { name: 'Reviewed' }).click();
    await panel.getByRole('button', { name: 'Ask for changes…' }).click();
    const dialog = panel.getByRole('dialog');
    await dialog.getByRole('textbox').fill(reason);
    await dialog.getByRole('button', { name: 'Ask for changes' }).click();
    await panel.getByRole('heading', { name: 'Changes requested' }).waitFor();
    await panel.getByRole('button', { name: 'Back', exact: true }).click();
    const reply = await ended(page);
    assert.ok(reply.outcome === 'done', JSON.stringify(reply));
    return told(reply.text);
  };
  const content = panel.getByRole('region', { name: 'Changes', exact: true });
  const threads = panel.getByRole('region', { name: 'Comments on this file' });

  await propose(0);
  await panel.locator('.gg-pick', { hasText: new RegExp(`^${comment.line}$`) }).last().click();
  const composer = panel.getByRole('form', { name: 'New comment' });
  await composer.getByText(`${path}:${comment.line}`).waitFor();
  await composer.getByRole('textbox').fill(comment.text);
  await composer.getByRole('button', { name: 'Comment' }).click();
  await threads.getByText(comment.text).waitFor();
  assert.equal(await askChanges(reasons[0]), ROUNDS.told[0]);

  const answered = await page.evaluate(async (text) => {
    const open = await window.agent.call('git_review', {});
    const { comments } = (open.outcome === 'done' ? open.structured : {}) as { comments?: { id: string }[] };
    const id = comments?.[0]?.id ?? '';
    return (await window.agent.call('git_review', { answers: [{ id, text }] })).outcome;
  }, ROUNDS.answer);
  assert.equal(answered, 'done');
  await propose(1);
  await panel.getByRole('button', { name: 'Since you looked', pressed: true }).waitFor();
  await threads.getByText(ROUNDS.answer).waitFor();
  await content.getByText('three', { exact: true }).waitFor();
  await threads.getByRole('button', { name: 'Settle' }).first().click();
  assert.equal(await askChanges(reasons[1]), ROUNDS.told[1]);

  await propose(2);
  await panel.getByRole('button', { name: 'Since you looked', pressed: true }).waitFor();
  await content.getByText('# R', { exact: true }).waitFor();
  await land(panel);
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
  assert.equal(hub.files()[path], contents[2]);
  await page.close();
});

test('an agent that was allowed before is there again without a question, until that is taken back', async () => {
  await make(panel, 'mine');
  const page = await browser.page();
  await page.evaluate(() => {
    window.asked = window.gitgate.connect({ name: 'Robot', sandbox: 'mine' });
  });
  await allow(panel, 'mine');
  await admitted(page);
  await page.reload();
  await page.evaluate(async () => {
    window.agent = await window.gitgate.connect({ name: 'Robot', sandbox: 'mine' });
  });
  const origin = new URL(browser.sample).origin;
  await panel.getByRole('button', { name: `Take back: ${origin} in mine` }).click();
  const kind = await page.evaluate(async () => (await window.agent.closed).kind);
  assert.equal(kind, 'refused');
  const late = await page.evaluate(() =>
    window.agent.call('list_files', {}).then(
      () => 'answered',
      (error: { kind: string }) => error.kind,
    ),
  );
  assert.equal(late, 'refused');
  await page.close();
});

test('a sandbox that is deleted takes its agents and what waits with it', async () => {
  await make(panel, 'gone', 'Ada/Project');
  const page = await browser.page();
  await page.evaluate(() => {
    window.asked = window.gitgate.connect({ name: 'Robot', sandbox: 'gone' });
  });
  await allow(panel, 'gone');
  await admitted(page);
  await stage(page, 'c.md');
  await push(page);
  await badge(panel, '1');
  await panel.getByRole('button', { name: 'Delete gone' }).click();
  await panel.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const kind = await page.evaluate(async () => (await window.agent.closed).kind);
  assert.equal(kind, 'refused');
  await panel.getByRole('button', { name: 'Delete gone' }).waitFor({ state: 'detached' });
  await badge(panel, '');
  await panel.getByText('in gone').first().waitFor({ state: 'detached' });
  await page.close();
});

test('the sample page works as the README says', async () => {
  await make(panel, 'sample', 'Ada/Project');
  const other = browser.sample.replace('127.0.0.1', 'localhost');
  const page = await browser.page(other);
  await page.getByRole('button', { name: 'Ask, and work' }).click();
  await allow(panel, 'sample');
  await review(panel);
  await (await land(panel)).getByRole('button', { name: 'Back to the list' }).click();
  await panel.getByRole('region', { name: 'Waits for you' }).waitFor();
  const said = page.getByRole('listitem');
  await said.filter({ hasText: 'git_push {"commitId":"HEAD"}' }).getByText('To github:ada/project').waitFor();
  assert.ok('NOTES.md' in hub.files());
  const { head } = hub;
  const before = await said.count();
  await page.getByRole('button', { name: 'Try what an agent may not' }).click();
  await said.filter({ hasText: 'somebody/else' }).waitFor();
  const refused = (await said.allInnerTexts()).slice(before);
  const kinds = refused.map((text) => /^(\S+): /m.exec(text)?.[1]);
  assert.deepEqual(kinds, ['sandbox-violation', 'sandbox-violation', 'not-permitted'], refused.join('\n'));
  assert.equal(hub.head, head);
  await panel.getByRole('link', { name: 'Audit log' }).first().waitFor();
  await page.close();
});

test('too many messages, and one that is too long, end the port', async () => {
  const page = await browser.page();
  await begin(page);
  await admitted(page);
  const long = await page.evaluate(async () => {
    const call = window.agent.call('write_file', { path: 'long', content: 'x'.repeat(9 << 20) });
    return call.then(
      () => 'answered',
      (error: { kind: string }) => error.kind,
    );
  });
  assert.equal(long, 'too-large');
  const many = await page.evaluate(async () => {
    const agent = await window.gitgate.connect({ name: 'Robot' });
    for (let count = 0; count < 5000; count += 1) agent.tools().catch(() => undefined);
    return (await agent.closed).kind;
  });
  assert.equal(many, 'busy');
  await page.close();
});

test('an agent that a person refuses is told so', async () => {
  const page = await browser.page();
  await page.evaluate(() => {
    window.asked = window.gitgate.connect({ name: 'Robot', sandbox: 'mine' });
    window.asked.catch(() => undefined);
  });
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  await card.getByRole('button', { name: 'Refuse' }).click();
  assert.equal(
    await page.evaluate(() =>
      window.asked.then(
        () => 'allowed',
        (error: { kind: string }) => error.kind,
      ),
    ),
    'refused',
  );
  await page.close();
});
