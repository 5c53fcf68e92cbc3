// Unsaved edits in files, and files that are not ordinary.

import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, git, go, kept, make, makeFromBundle, play, played, said, scratch, tabTo, write } from './steps.js';

const chrome = await scene();

const editor = (page: Page, path: string): Locator => page.getByRole('textbox', { name: path });
const notSaved = (page: Page): Locator => page.locator('.pane-main .bar-row').getByText('unsaved');
const row = (page: Page, path: string): Locator => page.getByRole('treeitem', { name: path });

/** A sandbox with the files a.md and b.md, whose content is their own name. */
async function two(name: string): Promise<Page> {
  const page = await chrome.page();
  await make(page, name);
  await play(page, write('a.md', 'a\n'), write('b.md', 'b\n'));
  await played(page);
  await go(page, 'Files');
  return page;
}

async function open(page: Page, path: string): Promise<void> {
  await row(page, path).click();
  await editor(page, path).waitFor();
}

async function type(page: Page, path: string, text: string): Promise<void> {
  await open(page, path);
  await editor(page, path).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(text);
}

async function has(page: Page, path: string, text: RegExp): Promise<void> {
  await editor(page, path).filter({ hasText: text }).waitFor();
}

const dialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });

test('what is typed in a file is there again after another file, another tab and another sandbox', async () => {
  const page = await two('drafts');
  await type(page, 'a.md', 'typed ');
  await notSaved(page).waitFor();
  await open(page, 'b.md');
  assert.equal(await notSaved(page).count(), 0, 'it is the other file that is not saved');
  await row(page, 'a.md').getByTitle('unsaved').waitFor();
  await open(page, 'a.md');
  await has(page, 'a.md', /typed a/);
  await go(page, 'History');
  await page.locator('.call-row').first().waitFor();
  await go(page, 'Files');
  await open(page, 'a.md');
  await has(page, 'a.md', /typed a/);
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.locator('.sandbox-row', { hasText: '1 unsaved' }).getByRole('link', { name: 'drafts' }).click();
  await page.getByRole('button', { name: '1 unsaved' }).click();
  await has(page, 'a.md', /typed a/);
  await look(page, 'draft');
  await editor(page, 'a.md').click();
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await notSaved(page).waitFor({ state: 'detached' });
  assert.equal(await page.getByTitle('unsaved').count(), 0);
  assert.equal(await page.getByText('changed meanwhile').count(), 0, 'but by the person');
  await page.close();
});

test('a page with something that is not saved is not left without a question', async () => {
  const page = await two('asked');
  await page.evaluate(() => void (document.title = 'not reloaded'));
  await type(page, 'a.md', 'typed ');
  await notSaved(page).waitFor();
  const asking = page.waitForEvent('dialog');
  page.on('dialog', (one) => void one.dismiss());
  await page.evaluate(() => setTimeout(() => location.reload()));
  assert.equal((await asking).type(), 'beforeunload');
  await has(page, 'a.md', /typed a/);
  assert.equal(await page.title(), 'not reloaded');
  await page.getByRole('button', { name: 'Discard…' }).click();
  await dialog(page, 'Discard what you typed?').getByRole('button', { name: 'Discard' }).click();
  await notSaved(page).waitFor({ state: 'detached' });
  assert.match(await editor(page, 'a.md').innerText(), /^a\s*$/);
  await page.reload();
  await row(page, 'a.md').waitFor();
  await page.close();
});

test('what is typed is there again after a reload', async () => {
  const page = await two('reloaded');
  await type(page, 'a.md', 'typed ');
  await type(page, 'b.md', 'more ');
  await page.getByRole('button', { name: 'Discard…' }).click();
  await dialog(page, 'Discard what you typed?').getByRole('button', { name: 'Discard' }).click();
  await notSaved(page).waitFor({ state: 'detached' });
  page.on('dialog', (one) => void one.accept());
  await page.reload();
  await open(page, 'b.md');
  assert.equal(await notSaved(page).count(), 0, 'what was discarded stays so');
  await open(page, 'a.md');
  await has(page, 'a.md', /typed a/);
  await notSaved(page).waitFor();
  await editor(page, 'a.md').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await open(page, 'a.md');
  await has(page, 'a.md', /typed a/);
  assert.equal(await notSaved(page).count(), 0);
  await page.close();
});

test('a file that an agent has changed meanwhile is overwritten by those alone who say so', async () => {
  const page = await two('meanwhile');
  await type(page, 'a.md', 'typed ');
  await play(page, write('a.md', 'from the agent\n'));
  await played(page);
  await go(page, 'Files');
  await open(page, 'a.md');
  const banner = page.getByRole('status').filter({ hasText: 'The file has changed meanwhile' });
  await banner.waitFor();
  await editor(page, 'a.md').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Not saved: the file has changed meanwhile').waitFor();
  await look(page, 'meanwhile');
  await tabTo(page, /^Show it as it is now$/);
  await page.keyboard.press('Enter');
  await has(page, 'a.md', /from the agent/);
  await page.getByRole('button', { name: 'Show what you typed' }).click();
  await has(page, 'a.md', /typed a/);
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await page.getByText('Saved.').waitFor();
  await banner.waitFor({ state: 'detached' });
  await open(page, 'b.md');
  await open(page, 'a.md');
  await has(page, 'a.md', /^typed a/);
  await page.close();
});

test('what another tab has written is not overwritten by a tab that does not know of it', async () => {
  const page = await two('tabs');
  await type(page, 'a.md', 'typed ');
  const other = await chrome.page('#/s/tabs/files');
  await type(other, 'a.md', 'from the other tab ');
  await other.keyboard.press('Control+s');
  await other.getByText('Saved.').waitFor();
  await other.close();
  await editor(page, 'a.md').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Not saved: the file has changed meanwhile').waitFor();
  await page.getByRole('button', { name: 'Show it as it is now' }).click();
  await has(page, 'a.md', /from the other tab a/);
  await page.close();
});

test('what is typed outlives its file, and is gone with its sandbox', async () => {
  const page = await two('gone');
  await type(page, 'b.md', 'typed ');
  await notSaved(page).waitFor();
  await go(page, 'History');
  await page.getByRole('button', { name: 'Undo write_file' }).click();
  await dialog(page, 'Undo the latest call?').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await go(page, 'Files');
  await open(page, 'b.md');
  await has(page, 'b.md', /typed b/);
  await page.getByText('No such file').waitFor();
  await look(page, 'gone');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await page.getByText('Saved.').waitFor();
  await notSaved(page).waitFor({ state: 'detached' });
  await type(page, 'a.md', 'typed ');
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('button', { name: 'Delete gone' }).click();
  await dialog(page, 'Delete sandbox?').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'gone' }).waitFor({ state: 'detached' });
  await make(page, 'gone');
  await page.getByText('No files yet').waitFor();
  await page.close();
});

test('a file with the lines of Windows keeps them, and a new file takes no place of another', async () => {
  const page = await chrome.page();
  await make(page, 'kept');
  await play(page, write('a.md', 'one\r\ntwo\r\n'));
  await played(page);
  await go(page, 'Files');
  await type(page, 'a.md', 'x');
  await page.keyboard.press('Backspace');
  await notSaved(page).waitFor({ state: 'detached' });
  await page.keyboard.type('zero\n');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('a.md');
  await page.keyboard.press('Enter');
  await page.getByText('a.md already exists').waitFor();
  await play(page, call('read_file', { path: 'a.md' }));
  await played(page);
  assert.equal((await said(page)).replaceAll(/\s/g, ''), 'zeroU+000DoneU+000Dtwo');
  await page.close();
});

test('a symlink is shown with where it points, and is no error', async (t) => {
  const folder = await scratch(t);
  const source = join(folder, 'source');
  git(folder, 'init', '--quiet', '--initial-branch=main', source);
  await writeFile(join(source, 'a.md'), 'a\n');
  await symlink('a.md', join(source, 'near'));
  await symlink('/etc/passwd', join(source, 'outside'));
  await symlink('nowhere.md', join(source, 'broken'));
  git(source, 'add', '.');
  git(source, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', 'Link');
  const bundle = join(folder, 'links.bundle');
  git(source, 'bundle', 'create', '--quiet', bundle, 'HEAD', 'main');
  const page = await chrome.page();
  await makeFromBundle(page, bundle, 'links');
  await row(page, 'outside → /etc/passwd').click();
  await page.getByText('It points to /etc/passwd, which is outside the sandbox').waitFor();
  await look(page, 'symlink');
  await row(page, 'broken → nowhere.md').click();
  await page.getByText('It points to nowhere.md, which is not there').waitFor();
  await row(page, 'near → a.md').click();
  await page.getByRole('button', { name: 'Open what it points to' }).click();
  await editor(page, 'a.md').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.close();
});

test('a file is renamed, downloaded and deleted from its bar, and what is typed goes with it', async (t) => {
  const folder = await scratch(t);
  const page = await two('moved');
  await type(page, 'a.md', 'typed ');
  await page.getByRole('button', { name: 'Rename or move' }).click();
  await dialog(page, 'Rename or move').getByLabel('Path').fill('notes/c.md');
  await page.keyboard.press('Enter');
  await has(page, 'notes/c.md', /typed a/);
  await row(page, 'a.md').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+s');
  await editor(page, 'notes/c.md').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'c.md');
  assert.equal(await readFile(await kept(Promise.resolve(download), join(folder, 'c.md')), 'utf8'), 'typed a\n');
  await look(page, 'file-bar');
  await page.getByRole('button', { name: 'Rename or move' }).click();
  await dialog(page, 'Rename or move').getByLabel('Path').fill('b.md');
  await page.keyboard.press('Enter');
  await page.locator('.toast.error').waitFor();
  await editor(page, 'notes/c.md').waitFor();
  await page.locator('.pane-main').getByRole('button', { name: 'Delete' }).click();
  await dialog(page, 'Delete the file?').getByText('You can undo this in History').waitFor();
  await look(page, 'delete');
  await dialog(page, 'Delete the file?').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted notes/c.md').waitFor();
  await editor(page, 'notes/c.md').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Show the history' }).click();
  await page.getByRole('button', { name: 'Undo delete_file' }).waitFor();
  await page.close();
});

test('files and folders are renamed and deleted by keys in the tree, which keeps the focus', async () => {
  const page = await two('keys');
  await play(page, write('docs/one.md', '1\n'), write('docs/two.md', '2\n'));
  await played(page);
  await go(page, 'Files');
  await open(page, 'b.md');
  await row(page, 'b.md').focus();
  await page.keyboard.press('Delete');
  await dialog(page, 'Delete the file?').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page, 'Delete the file?').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('b.md'));
  await page.keyboard.press('Delete');
  await dialog(page, 'Delete the file?').getByRole('button', { name: 'Delete' }).click();
  await row(page, 'b.md').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('a.md'));
  await page.keyboard.press('Home');
  await page.keyboard.press('F2');
  await dialog(page, 'Rename or move').getByLabel('Path').fill('texts');
  await page.keyboard.press('Enter');
  await row(page, 'texts').waitFor();
  await row(page, 'docs').waitFor({ state: 'detached' });
  await row(page, 'texts').hover();
  await page.getByTitle('Delete (Delete)').click();
  await dialog(page, 'Delete the folder?').getByText('texts, with 2 files in it, is deleted').waitFor();
  await dialog(page, 'Delete the folder?').getByRole('button', { name: 'Delete' }).click();
  await row(page, 'texts').waitFor({ state: 'detached' });
  await page.close();
});

test('the tree shows the files that a person filters for, and unfolds what leads to them', async () => {
  const page = await two('filter');
  await play(page, write('docs/deep/One.md', '1\n'), write('docs/two.md', '2\n'));
  await played(page);
  await go(page, 'Files');
  const filter = page.getByRole('searchbox', { name: 'Filter files' });
  await filter.fill('one');
  await row(page, 'One.md').waitFor();
  assert.deepEqual(await page.getByRole('treeitem').allInnerTexts(), ['docs', 'deep', 'One.md\nA']);
  await look(page, 'filter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await editor(page, 'docs/deep/One.md').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await row(page, 'One.md').waitFor({ state: 'detached' });
  await filter.fill('nowhere');
  await page.getByText('No path has this text').waitFor();
  await filter.press('Escape');
  await row(page, 'a.md').waitFor();
  assert.equal(await row(page, 'two.md').count(), 0, 'without the filter the folders are as they were');
  await page.close();
});
