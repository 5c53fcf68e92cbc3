// The audit log in plain words, with nothing hidden.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { countBetween, decisionsOf } from '../src/state/decisions.js';
import { look } from './look.js';
import { scene } from './page.js';
import { approve, call, go, make, play, review } from './steps.js';

const chrome = await scene();

const push = {
  sandbox: 'a',
  call_id: 'b',
  call: {},
  digest: 'd1',
  target: 'github:ada/project',
  reference: 'refs/heads/main',
  old: 'c1',
  new: 'c3',
  at: 1_795_600_000,
  host: null,
};
const person = { by: 'You', how: 'prompt' };

test('a push and its end are one decision, newest first, and each record is in one', () => {
  const records = [
    { intent: { ...push, nonce: 'n1', approved: person } },
    { rejection: { ...push, rejected: person, reason: 'It says nothing.' } },
    { outcome: { nonce: 'n1', result: 'in-doubt', at: 1 } },
    { outcome: { nonce: 'n1', result: 'settled', by: 'Ada', at: 2 } },
    { intent: { ...push, nonce: 'n2', approved: { by: 'You', how: { rule: { name: 'mine' } } }, host: 'export' } },
    { outcome: { nonce: 'n0', result: 'landed', at: 3 } },
    { later: { what: 'a kind that is not known yet' } },
  ];
  const found = decisionsOf(records);
  assert.deepEqual(
    found.map(({ kind, isRejected, result, settledBy, how }) => [kind, isRejected, result, settledBy, how]),
    [
      ['unknown', false, undefined, '', ''],
      ['unknown', false, undefined, '', ''],
      ['bundle', false, 'open', '', 'by the rule mine'],
      ['push', true, undefined, '', ''],
      ['push', false, 'settled', 'Ada', ''],
    ],
  );
  assert.equal(found[3]?.reason, 'It says nothing.');
  assert.deepEqual(found.flatMap((one) => one.records).length, records.length);
});

test('a call and a rule are told with who decided', () => {
  const decided = { call_id: 'b', caller: 'agent', tool: 'git_merge', summary: 'Merge it', decided: person, at: 1 };
  const found = decisionsOf([
    { call: { ...decided, verdict: 'approved' } },
    { call: { ...decided, verdict: { rejected: '' } } },
    { remembered: { rule: 'tool = "git_merge"', decided: person, at: 1 } },
  ]);
  assert.deepEqual(
    found.map(({ kind, isRejected, tool, rule, who }) => [kind, isRejected, tool, rule, who]),
    [
      ['rule', false, '', 'tool = "git_merge"', 'You'],
      ['call', true, 'git_merge', '', 'You'],
      ['call', false, 'git_merge', '', 'You'],
    ],
  );
});

test('commits are counted where all of them are known', () => {
  const commits = [
    { commitId: 'c3', parents: ['c2', 'm1'] },
    { commitId: 'm1', parents: ['c1'] },
    { commitId: 'c2', parents: ['c1'] },
    { commitId: 'c1', parents: ['c0'] },
  ];
  assert.equal(countBetween(commits, 'c1', 'c3'), 3);
  assert.equal(countBetween(commits, 'c3', 'c3'), 0);
  assert.equal(countBetween(commits, '', 'c3'), undefined, 'c0 is not known');
  assert.equal(countBetween(commits, 'c1', 'elsewhere'), undefined);
});

const row = (page: Page, text: string): Locator => page.locator('.audit-row', { hasText: text });

test('what a person has decided is told in words, filtered, and shown whole on demand', async () => {
  const page = await chrome.page();
  await make(page, 'audit');
  const change = (path: string): [string, string] => [
    call('write_file', { path, content: path }),
    call('git_stage', { files: [path], message: `Write ${path}` }),
  ];
  await play(page, ...change('a.md'), 'hand_over {}');
  await review(page);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('It says\u202e nothing.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Rejected' }).waitFor();
  await play(page, ...change('b.md'), 'hand_over {}');
  await review(page);
  const downloading = page.waitForEvent('download');
  await approve(page);
  await downloading;
  await go(page, 'Audit');
  await row(page, 'You approved a bundle of main: 2 commits').getByText('Created').waitFor();
  await row(page, 'You rejected a bundle of main').locator('blockquote').getByText('U+202E').waitFor();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await look(page, 'audit');
  await page.getByRole('button', { name: 'Rejected' }).click();
  assert.equal(await page.locator('.audit-row').count(), 1);
  await page.getByRole('button', { name: 'Calls' }).click();
  await page.getByText('There are none').waitFor();
  await page.getByRole('button', { name: 'Pushes' }).click();
  assert.equal(await page.locator('.audit-row').count(), 2);
  const approved = row(page, 'You approved');
  await approved.getByText('Details').click();
  assert.match(
    await approved
      .locator('dd')
      .allInnerTexts()
      .then((all) => all.join(' ')),
    /[0-9a-f]{40} [0-9a-f]{64}/,
  );
  assert.match(await approved.locator('pre').innerText(), /"nonce": "[0-9a-f]+"[^]*"result": "landed"/);
  await look(page, 'audit-details');
  await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await approved.getByRole('button', { name: 'Copy the record' }).click();
  await approved.getByRole('button', { name: 'Copied' }).waitFor();
  const records: object[] = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(
    records.map((one) => Object.keys(one)),
    [['intent'], ['outcome']],
  );
  await page.close();
});
