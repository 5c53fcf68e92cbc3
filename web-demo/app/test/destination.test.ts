// The destination of a person's own push: another branch, and a pull request for it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { isBranch, slug, targetOf } from '../src/state/destination.js';
import { look } from './look.js';
import { scene } from './page.js';
import { approve, call, go, makeFromHub, openAll, play, played, review } from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

async function withCommit(name: string, message: string, pushTo = 'main'): Promise<Page> {
  const page = await chrome.page();
  await makeFromHub(page, hub.base, name, pushTo);
  const write = call('write_file', { path: `${name}.md`, content: `${name}\n` });
  await play(page, write, call('git_stage', { files: [`${name}.md`], message }));
  await played(page);
  // By now the page knows the staged commits.
  await go(page, 'Commits');
  await page.getByText('1 staged', { exact: true }).waitFor();
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose where to push' });

test('a branch is named after what its commit says, and git takes the name', () => {
  for (const [subject, name] of [
    ['Say “Café”, politely!', 'say-cafe-politely'],
    ['fix(api): count amounts', 'fix-api-count-amounts'],
    ['  --- ', ''],
    ['日本語', ''],
    ['x'.repeat(80), 'x'.repeat(50)],
  ] as const) {
    assert.equal(slug(subject), name);
    assert.ok(name === '' || isBranch(name), name);
  }
  for (const name of ['', '-a', 'a b', 'a..b', 'a/', '/a', 'a.lock', 'a/.b', 'a~1', 'a@{1}', '@', 'a.']) {
    assert.ok(!isBranch(name), `git does not take '${name}'`);
  }
  assert.ok(isBranch('topic/one.two_3'));
  assert.deepEqual(targetOf('github:ada/project', 'x'), { type: 'github', repo: 'ada/project', branch: 'x' });
  assert.deepEqual(targetOf('bare:/r.git', 'x'), { type: 'local-bare', path: '/r.git', branch: 'x' });
  assert.equal(targetOf('elsewhere', 'x'), undefined);
});

test('a person pushes to a new branch, and a pull request is opened for it', async () => {
  const page = await withCommit('proposed', 'Say how it is proposed');
  await go(page, 'Commits');
  await page.getByText('1 staged').waitFor();
  const before = hub.head;
  await page.getByRole('button', { name: 'Push to a new branch' }).click();
  await dialog(page).waitFor();
  await look(page, 'destination');
  const name = page.getByLabel('Branch name');
  assert.equal(await name.inputValue(), 'say-how-it-is-proposed');
  await name.fill('not a branch');
  await page.getByText('Git does not take this as a branch name').waitFor();
  await name.fill('topic/proposed');
  await page.keyboard.press('Enter');
  await page.locator('.review-head').getByText('topic/proposed').waitFor();
  await look(page, 'destination-review');
  await openAll(page);
  await page.keyboard.press('a');
  const link = page.getByRole('link', { name: 'View pull request #1' });
  await link.waitFor();
  await look(page, 'destination-landed');
  assert.equal(await link.getAttribute('href'), 'https://github.com/ada/project/pull/1');
  assert.equal(hub.head, before, 'main is where it was');
  assert.equal(hub.files('topic/proposed')['proposed.md'], 'proposed\n');
  const [{ title, head, base } = assert.fail('there is one')] = hub.pulls;
  assert.deepEqual([title, head, base], ['Say how it is proposed', 'topic/proposed', 'main']);
  await page.close();
});

test('the review of an own push goes to another branch without an answer to the first question', async () => {
  const page = await withCommit('changed', 'Change the branch');
  await page.keyboard.press('p');
  await page.locator('.verdict').waitFor();
  await page.locator('.review-head').getByText('main', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change…' }).click();
  assert.equal(await page.getByLabel('Branch name').inputValue(), 'change-the-branch');
  await page.getByLabel('Open a pull request').uncheck();
  await dialog(page).getByRole('button', { name: 'Review again' }).click();
  await page.locator('.review-head').getByText('change-the-branch').waitFor();
  assert.equal(await page.locator('.toast').count(), 0, 'that the first has ended is no trouble');
  await page.getByRole('button', { name: 'Change…' }).click();
  await dialog(page).getByRole('button', { name: 'main' }).click();
  await dialog(page).getByRole('button', { name: 'Review again' }).click();
  await page.locator('.review-head').getByText('main', { exact: true }).waitFor();
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.equal(hub.files()['changed.md'], 'changed\n');
  assert.equal(hub.branches.has('change-the-branch'), false);
  assert.equal(hub.pulls.length, 1, 'none was asked for');
  await page.close();
});

test('a pull request that GitHub does not open is told, and tried again, and the push has landed', async () => {
  const page = await withCommit('refused', 'Refuse the pull request');
  hub.takesPulls = false;
  await page.keyboard.press('Shift+P');
  await dialog(page).getByRole('button', { name: 'Review and push' }).click();
  await page.locator('.review-head').getByText('refuse-the-pull-request').waitFor();
  await openAll(page);
  await page.keyboard.press('a');
  await page.getByText('GitHub did not open the pull request').waitFor();
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  await look(page, 'destination-refused');
  hub.takesPulls = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'View pull request #2' }).waitFor();
  await page.close();
});

test('a push to another branch that others have moved is pulled and reviewed again for that branch', async () => {
  const page = await withCommit('moved', 'Move with the others');
  hub.branches.set('topic/moved', hub.head);
  hub.commit({ 'theirs.md': Buffer.from('theirs\n') });
  await page.keyboard.press('Shift+P');
  await page.getByLabel('Branch name').fill('topic/moved');
  await page.keyboard.press('Enter');
  await page.locator('.review-head').getByText('topic/moved').waitFor();
  hub.branches.set('topic/moved', hub.head);
  await openAll(page);
  await page.keyboard.press('a');
  await page.getByRole('button', { name: /Pull,? and review again/ }).click();
  await page.locator('.review-head').getByText('topic/moved').waitFor();
  await openAll(page);
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  const { 'moved.md': mine, 'theirs.md': theirs } = hub.files('topic/moved');
  assert.deepEqual([mine, theirs], ['moved\n', 'theirs\n']);
  await page.close();
});

test('a sandbox whose maker names no branch pushes to one of its own', async () => {
  const page = await withCommit('own', 'Write it', '');
  const { head } = hub;
  await page.keyboard.press('p');
  await page.locator('.review-head').getByText('agent/own').waitFor();
  assert.equal(await page.getByText('Pushing directly to').count(), 0);
  await openAll(page);
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.deepEqual([hub.files('agent/own')['own.md'], hub.head], ['own\n', head]);
  await page.close();
});

test("where an agent's push goes is shown, and not changed", async () => {
  const page = await withCommit('agents', 'Propose it');
  await play(page, call('git_push', { commitId: 'HEAD' }));
  await review(page);
  await page.locator('.review-head').getByText('ada/project').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Change…' }).count(), 0);
  await page.close();
});
