// A malicious repository must not harm the page that shows it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { approve, bundleOf, call, git, go, kept, makeFromBundle, openAll, play, review, scratch } from './steps.js';

const chrome = await scene();

const MARKUP = '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>';
const BIDI = '\u202Egnp.exe\u202C \u2066\u200Bend';
const ESCAPES = '\u001b[2J\u001b]0;harmed\u0007\u009b31m';
const PATHS = [
  `${MARKUP.replaceAll('/', '\u2215')}.md`,
  `${BIDI}.txt`,
  `${ESCAPES}.log`,
  'javascript:harmed.js',
  'quote\'"`${harmed}.md',
  '__proto__.md',
];
/** Its first letter is Cyrillic. */
const MISREAD = '\u0440aypal.md';
const content = (path: string): string =>
  `${MARKUP}\n${BIDI}\n${ESCAPES}\n${path}\n]]>--></textarea></style>${MARKUP}\n`;

const NAME = `<b>${MARKUP.slice(0, 40)}`;

/** Nothing of it became an element, or ran. */
async function isIntact(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const all: ParentNode[] = [document];
    for (const root of all) {
      for (const one of root.querySelectorAll('*')) if (one.shadowRoot) all.push(one.shadowRoot);
    }
    const odd = all.flatMap((root) => [
      ...root.querySelectorAll(
        'img[src], iframe, object, embed, [onerror], [onload], #app script, a[href^="javascript"]',
      ),
    ]);
    return {
      odd: odd.map(({ outerHTML }) => outerHTML),
      harmed: Reflect.get(globalThis, 'harmed'),
      title: document.title.replace(/^\(\d+\) /, ''),
    };
  });
  const { title, ...rest } = found;
  assert.deepEqual(rest, { odd: [], harmed: undefined });
  assert.ok(['gitgate', `${NAME} – gitgate`].includes(title), title);
}

test('names, messages and contents full of markup, reordering and escapes stay texts on every screen', async (t) => {
  const folder = await scratch(t);
  const files = PATHS.map((path) => ({ path, content: content(path) }));
  const bundle = await bundleOf(folder, files, {
    author: `${MARKUP.replaceAll(/[<>]/g, '')} ${BIDI}`,
    message: `${MARKUP}\n\n${BIDI}\n${ESCAPES.replaceAll('\u0000', '')}\n`,
  });
  const page = await chrome.page();
  await makeFromBundle(page, bundle, NAME);
  await isIntact(page);
  assert.equal(await page.getByRole('treeitem').count(), PATHS.length);
  for (const row of await page.getByRole('treeitem').all()) {
    await row.click();
    await page.locator('.cm-content').waitFor();
    await page.getByText('U+202E').first().waitFor();
    await isIntact(page);
  }
  await look(page, 'hostile-file');
  await page.getByRole('link', { name: 'Blame' }).click();
  await page.getByRole('table', { name: 'Blame' }).waitFor();
  await isIntact(page);
  const [markup = '', bidi = ''] = PATHS;
  await play(
    page,
    call('write_file', { path: markup, content: `${MARKUP}\n${BIDI}\n` }),
    call('write_file', { path: bidi, content: `${MARKUP} ${MARKUP}\n` }),
    call('write_file', { path: `${MARKUP.replaceAll('/', '')}/new.md`, content: BIDI }),
    call('write_file', { path: MISREAD, content: 'one\n' }),
    call('git_stage', { files: ['.'], message: `${MARKUP}\n\n${BIDI}` }),
    call('write_file', { path: 'left.md', content: MARKUP }),
    call('read_file', { path: markup }),
    call(MARKUP.replaceAll(/\W/g, '_')),
    'hand_over {}',
  );
  await review(page);
  await isIntact(page);
  await page.getByLabel('High risks').getByRole('button', { name: /look like others.*aypal/ }).click();
  await page.getByLabel('Risks of this file').getByText(/look like others/).waitFor();
  await openAll(page);
  await isIntact(page);
  await page.keyboard.press('d');
  await look(page, 'hostile-review');
  await page.keyboard.press('d');
  const downloading = page.waitForEvent('download');
  await approve(page);
  const file = await kept(downloading, join(folder, 'out.bundle'));
  git(folder, 'clone', '--quiet', '--bare', '--branch', 'main', file, 'clone');
  await isIntact(page);
  for (const [tab, sign] of [
    ['Changes', '.patches'],
    ['Commits', '.commit-row'],
    ['History', '.call-row'],
    ['Audit', '.audit-row'],
    ['Agent', '.step'],
  ] as const) {
    await go(page, tab);
    await page.locator(sign).first().waitFor();
    await isIntact(page);
    await look(page, `hostile-${tab.toLowerCase()}`);
  }
  await go(page, 'Commits');
  await page.locator('.commit-row').nth(1).click();
  await page.locator('.patches').waitFor();
  await isIntact(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('img');
  await page.getByRole('option').first().waitFor();
  await isIntact(page);
  await page.close();
});

test('a diff of 20,000 lines and 5,000 changed files are reviewed, and the page stays usable', async (t) => {
  const folder = await scratch(t);
  const many = Array.from({ length: 2500 }, (_, at) => ({
    path: `before/${at % 50}/file-${at}.txt`,
    content: `${at}\n`,
  }));
  const long = {
    path: 'a.txt',
    content: Array.from({ length: 10_000 }, (_, at) => `line ${at} of the old text\n`).join(''),
  };
  const bundle = await bundleOf(folder, [...many, long], { author: 'Ada', message: 'Begin\n' });
  const page = await chrome.page();
  await makeFromBundle(page, bundle, 'large');
  await play(
    page,
    call('move_file', { from: 'before', to: 'moved' }),
    call('edit_file', { path: 'a.txt', old: 'old', new: 'new', all: true }),
    call('git_stage', { files: ['a.txt', 'before', 'moved'], message: 'Move all, and rewrite the text' }),
    'hand_over {}',
  );
  await review(page);
  await page.getByText('5001 files', { exact: true }).waitFor();
  await page.locator('[data-file]').first().focus();
  await page.keyboard.press('End');
  await page.getByText('moved/9/file-959.txt').first().waitFor();
  const rows = await page.getByRole('treeitem').count();
  assert.ok(rows < 100, `${rows} rows are there at once`);
  await page.keyboard.press('Home');
  const after = page.getByRole('group', { name: 'a.txt, after' });
  await after.getByText('line 0 of the new text').waitFor();
  await page.locator('.code').evaluate((host) => {
    const place = host.shadowRoot?.firstElementChild;
    if (place) place.scrollTop = place.scrollHeight;
  });
  await after.getByText('line 9999 of the new text').waitFor();
  const lines = await page.locator('.gg-new').count();
  assert.ok(lines < 100, `${lines} lines are there at once`);
  await look(page, 'large');
  await openAll(page);
  await page.keyboard.press('v');
  await page.getByText('1 reviewed').waitFor();
  await page.close();
});

test('the policy of the page is in force: no script from a text, and no markup', async () => {
  // A page whose errors the test expects.
  const page = await chrome.context.newPage();
  await page.goto(chrome.address);
  const refused = await page.evaluate(async () => {
    const tries: [string, () => unknown][] = [
      ['innerHTML', () => (document.createElement('div').innerHTML = '<b></b>')],
      ['script', () => (document.createElement('script').src = 'https://example.org/a.js')],
      ['text', () => (document.createElement('script').text = '1')],
      ['eval', () => Reflect.get(globalThis, 'eval')('1')],
      ['worker', () => new Worker('https://example.org/worker.js')],
      ['own script as a worker', () => new Worker(`${location.origin}/assets/index.js`)],
    ];
    // Calls by the debugger itself may do more than the page.
    await new Promise((done) => setTimeout(done));
    const found: string[] = [];
    for (const [name, attempt] of tries) {
      try {
        attempt();
      } catch {
        found.push(name);
      }
    }
    const style = document.createElement('p');
    style.setAttribute('style', 'color: red');
    document.body.append(style);
    return [...found, style.style.color === 'red' ? 'no' : 'style'];
  });
  assert.deepEqual(refused, ['innerHTML', 'script', 'text', 'eval', 'worker', 'own script as a worker', 'style']);
  await page.close();
});
