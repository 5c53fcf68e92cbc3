// From GitHub and back: the SDK's fake GitHub is the server.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { look } from './look.js';
import { scene } from './page.js';
import {
  approve,
  call,
  git,
  go,
  kept,
  kind,
  make,
  makeFromHub,
  openAll,
  play,
  played,
  push,
  review,
  said,
  scratch,
  stage,
  tabTo,
  write,
} from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

async function fromHub(name: string): Promise<Page> {
  const page = await chrome.page();
  await makeFromHub(page, hub.base, name);
  return page;
}

test('what a person leaves out, and another message, make the push that lands with the ids of git', async (t) => {
  const folder = await scratch(t);
  const page = await fromHub('revised');
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  await play(page, write('a.md', `${lines.join('\n')}\n`), stage('Write a', 'a.md'), push);
  await review(page);
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  await look(page, 'landed');
  const changed = lines.map((line, at) => (at === 1 || at === 38 ? `${line}, changed` : line));
  await play(
    page,
    write('a.md', `${changed.join('\n')}\n`),
    write('b.md', 'secret\n'),
    stage('Change a, and write b', 'a.md', 'b.md'),
    push,
  );
  await review(page);
  await openAll(page);
  await page.keyboard.press('x');
  await page.getByText('1 file left out or cut').waitFor();
  await page.keyboard.press('k');
  await page.getByRole('checkbox', { name: 'Hunk 2 of 2' }).waitFor();
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await page.getByRole('checkbox', { name: 'Hunk 2 of 2', checked: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'Hunk 2 of 2', checked: false }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('textbox').fill('Change the beginning of a');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 files left out or cut, message edited').waitFor();
  await page.keyboard.press('e');
  await page.getByText('Change the beginning of a').waitFor();
  assert.deepEqual(
    await page
      .locator('[data-file]')
      .allInnerTexts()
      .then((all) => all.length),
    1,
    'b.md does not leave',
  );
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  const expected = lines.map((line, at) => (at === 1 ? `${line}, changed` : line));
  assert.deepEqual(hub.files(), { 'README.md': '# Project\n', 'a.md': `${expected.join('\n')}\n` });
  assert.deepEqual([...hub.tokens], ['Bearer hunter2']);
  await go(page, 'Commits');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Bundle' }).click();
  await openAll(page);
  assert.equal(await page.getByText('Pushing directly').count(), 0, 'a bundle is pushed nowhere');
  await page.keyboard.press('a');
  await page.getByText('git clone revised.bundle').waitFor();
  const bundle = await kept(downloading, join(folder, 'project.bundle'));
  git(folder, 'clone', '--quiet', '--branch', 'main', bundle, 'clone');
  const clone = join(folder, 'clone');
  assert.equal(git(clone, 'fsck', '--strict'), '');
  assert.ok(
    git(clone, 'rev-list', 'main').split('\n').includes(hub.head),
    'git has the commit by the id that the server has',
  );
  await page.close();
});

/** Somebody else pushes a file to the branch. */
async function pushedByOther(path: string, content: string): Promise<void> {
  const ask = async (method: string, place: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${hub.base}/repos/ada/project${place}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const id = async (answer: Promise<unknown>): Promise<string> => ((await answer) as { sha: string }).sha;
  const parent = (await ask('GET', `/git/commits/${hub.head}`)) as { tree: { sha: string } };
  const { tree } = (await ask('GET', `/git/trees/${parent.tree.sha}`)) as { tree: { path: string }[] };
  const blob = {
    path,
    mode: '100644',
    type: 'blob',
    sha: await id(ask('POST', '/git/blobs', { content: Buffer.from(content).toString('base64') })),
  };
  const next = await id(ask('POST', '/git/trees', { tree: [...tree.filter((entry) => entry.path !== path), blob] }));
  const bob = { name: 'Bob', email: 'bob@example.org', date: '2026-11-24T10:00:00Z' };
  const commit = { tree: next, parents: [hub.head], author: bob, committer: bob, message: 'Write as well\n' };
  await ask('PATCH', '/git/refs/heads/main', { sha: await id(ask('POST', '/git/commits', commit)) });
}

test('in a diff of many hunks one is left out as in a small one, and stays so out of sight', async () => {
  const page = await fromHub('many-hunks');
  const text = (word: string): string =>
    Array.from({ length: 2500 }, (_, at) => (at % 8 === 0 ? `${at} ${word}\n` : `${at}\n`)).join('');
  await play(page, write('a.md', text('old')), stage('Write a', 'a.md'), push);
  await review(page);
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  const edit = call('edit_file', { path: 'a.md', old: 'old', new: 'new', all: true });
  await play(page, edit, stage('Change a', 'a.md'), push);
  await review(page);
  const box = (hunk: number, checked: boolean): Locator =>
    page.getByRole('checkbox', { name: `Hunk ${hunk} of 313`, exact: true, checked });
  await box(1, true).waitFor();
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await box(2, true).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Space');
  await box(2, false).and(page.locator(':focus')).waitFor();
  const left = page.locator('.gg-out').getByText('8 new', { exact: true });
  await left.waitFor();
  await look(page, 'many-hunks');
  const scroll = (to: number): Promise<void> =>
    page.locator('.code').evaluate((host, to) => void host.shadowRoot?.firstElementChild?.scrollTo(0, to), to);
  await scroll(1e9);
  await box(313, true).waitFor();
  assert.equal(await left.count(), 0, 'it is out of sight');
  await scroll(0);
  await box(2, false).waitFor();
  await left.waitFor();
  await page.keyboard.press('e');
  await box(1, true).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Hunk 1 of 312', exact: true }).waitFor();
  await page.close();
});

test('what others have pushed meanwhile is pulled in, and reviewed again before it lands', async () => {
  const page = await fromHub('conflict');
  // A reloaded page has forgotten the token.
  await page.reload();
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'Add token…' }).click();
  await page.getByRole('dialog').getByLabel('Token').fill('hunter2');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change token…' }).waitFor();
  await play(page, write('mine.md', 'mine\n'), stage('Write mine', 'mine.md'), push);
  await review(page);
  await pushedByOther('theirs.md', 'theirs\n');
  await approve(page);
  await page.getByRole('button', { name: 'Pull and review again' }).waitFor();
  await look(page, 'conflict');
  await go(page, 'Agent');
  await page.locator('.step:last-of-type .tag').getByText('refused', { exact: true }).waitFor();
  await look(page, 'refused');
  await page.goBack();
  await page.getByRole('button', { name: 'Pull and review again' }).click();
  await page.locator('.verdict').waitFor();
  await page.locator('.review-side').getByText('Write mine').waitFor();
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  const { 'mine.md': mine, 'theirs.md': theirs } = hub.files();
  assert.deepEqual([mine, theirs], ['mine\n', 'theirs\n']);
  await page.close();
});

test('a push to GitHub asks for the token that a reload has lost before it is approved', async () => {
  const page = await fromHub('reloaded');
  await page.reload();
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  await play(page, write('late.md', 'late\n'), stage('Write late', 'late.md'), push);
  await review(page);
  await page.getByText('GitHub needs your token for this push').waitFor();
  await look(page, 'no-token');
  const dialog = page.getByRole('dialog', { name: 'Token for GitHub' });
  await page.getByRole('button', { name: 'Add token…' }).click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.verdict').waitFor();
  assert.equal(hub.files()['late.md'], undefined, 'without a token nothing is approved');
  await page.keyboard.press('a');
  await dialog.getByLabel('Token').fill('hunter2');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /protected/ }).waitFor();
  await look(page, 'protected');
  await tabTo(page, /^Approve$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.equal(hub.files()['late.md'], 'late\n');
  await go(page, 'Audit');
  await page.locator('.audit-row').first().waitFor();
  assert.equal(await page.getByText('did not land').count(), 0);
  await page.close();
});

/** Proposes a push and approves it. Its token disappears at the very moment of sending. */
async function approveInVain(page: Page, name: string): Promise<void> {
  const key = `gitgate.token:${name}`;
  // The review looks for a token when it opens.
  await page.evaluate((key) => sessionStorage.setItem(key, 'hunter2'), key);
  await page.keyboard.press('p');
  await page.locator('.verdict').waitFor();
  await openAll(page);
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: /protected/ });
  await dialog.waitFor();
  await page.evaluate((key) => sessionStorage.removeItem(key), key);
  await dialog.getByRole('button', { name: 'Approve' }).click();
}

test('what went wrong with a push is told until the push lands, or the sandbox is left', async () => {
  const page = await fromHub('told');
  await page.reload();
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  await play(page, write('told.md', 'told\n'), stage('Write told', 'told.md'));
  await played(page);
  const told = page.locator('.toast.error');
  await approveInVain(page, 'told');
  await told.getByText('There is no token for GitHub').waitFor();
  assert.equal(await told.count(), 1, 'and nothing else');
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await told.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'told' }).click();
  await page.getByRole('treeitem', { name: 'told.md' }).waitFor();
  await approveInVain(page, 'told');
  await told.waitFor();
  await page.evaluate(() => sessionStorage.setItem('gitgate.token:told', 'hunter2'));
  await page.keyboard.press('p');
  await page.locator('.verdict').waitFor();
  assert.equal(await told.count(), 1, 'it has not landed yet');
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  await told.waitFor({ state: 'detached' });
  await page.close();
});

test('a review that was left by a reload is there again, and in another tab it is what waits', async () => {
  const page = await fromHub('left');
  await play(page, write('left.md', 'left\n'), stage('Write left', 'left.md'), push);
  await review(page);
  await page.reload();
  await page.locator('.verdict').waitFor();
  await page.locator('.review-side').getByText('Write left').waitFor();
  const other = await chrome.page('#/s/left/review');
  await other.getByText('A call waits for you').waitFor();
  await look(other, 'left-waiting');
  await other.getByRole('button', { name: 'Review it' }).click();
  await other.locator('.verdict').waitFor();
  await other.locator('.review-side').getByText('Write left').waitFor();
  await other.close();
  await page.close();
});

test('a conflict in a file is told, with what to do', async () => {
  const page = await fromHub('clash');
  await play(page, write('README.md', '# Mine\n'), stage('Name it', 'README.md'), push);
  await review(page);
  await pushedByOther('README.md', '# Theirs\n');
  await approve(page);
  await page.getByRole('button', { name: 'Pull and review again' }).click();
  await page.getByText('Conflicts in README.md').waitFor();
  await page.getByText('<<<<<<<').waitFor();
  await look(page, 'clash');
  await page.close();
});

test('a push that is rejected or put off leaves nothing, and the agent reads why', async () => {
  const page = await fromHub('rejected');
  const before = hub.head;
  await play(page, write('r.md', 'r\n'), stage('Write r', 'r.md'), push);
  await review(page);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('Call it s.md');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Rejected', { exact: true }).waitFor();
  await go(page, 'Agent');
  assert.match(await said(page), /Call it s\.md/);
  await play(page, push);
  await review(page);
  await page.keyboard.press('l');
  await go(page, 'Agent');
  await played(page);
  assert.match(await said(page), /waits|later|not/i);
  await play(page, write('t.md', 't\n'), stage('Write t', 't.md'), call('git_push', { commitId: 'HEAD', only: true }));
  await review(page);
  assert.equal(await page.getByRole('navigation', { name: 'Waiting for you' }).getByRole('link').count(), 2);
  await look(page, 'queue');
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('Not this one');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Rejected', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Waiting for you/ }).click();
  await page.locator('.verdict').waitFor();
  assert.equal(hub.head, before);
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.equal(hub.files()['r.md'], 'r\n');
  await page.close();
});

test('a reason that was written for one question is not given to another', async () => {
  const page = await fromHub('changed');
  await play(page, write('c.md', 'c\n'), stage('Write c', 'c.md'), push);
  await review(page);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('For this one only');
  await page.evaluate(() => (location.hash = location.hash.replace(/live$/, 'another')));
  await page.locator('.trouble').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('What was asked has changed').waitFor();
  await go(page, 'Agent');
  await page.getByText('It waits for your answer').waitFor();
  await page.close();
});

test('a branch that the repository does not have is told of in words of the form', async () => {
  const page = await chrome.page();
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByLabel('Branch').fill('no-such-branch');
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill(hub.base);
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText("The repository has no branch 'no-such-branch'").waitFor();
  assert.equal(await alert.getByText('git_branches').count(), 0);
  await page.close();
});

test('what can be done with commits has its room, without a token as well', async () => {
  const page = await chrome.page();
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill(hub.base);
  await make(page, 'public');
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'Add token…' }).waitFor();
  await look(page, 'commits-public');
  const box = await page.getByText('Nothing is staged').boundingBox();
  assert.ok(box && box.height < 24, 'it stands in one line');
  await page.close();
});

test('a push in the terminal is reviewed as any other, and the terminal says what it came to', async () => {
  const page = await fromHub('typed');
  await go(page, 'Terminal');
  const command = 'echo typed > t.md; git add t.md; git commit -qm "Type t"; git push';
  await page.getByRole('textbox', { name: 'Command' }).fill(command);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Waiting for you' }).click();
  await approve(page);
  await go(page, 'Terminal');
  await page.locator('.ran').getByText(/^To github:/).waitFor();
  assert.equal(hub.files()['t.md'], 'typed\n');
  await page.close();
});
