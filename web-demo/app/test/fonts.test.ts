// The page uses its own fonts, and they hide nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, go, make, play, played } from './steps.js';

const chrome = await scene();

/** The fonts in which the browser draws a text, in the style of `name`. The page's own start with a plus. */
async function fontsOf(page: Page, text: string, name: 'mono' | 'sans'): Promise<string[]> {
  await page.evaluate(
    ([text, name]) => {
      const made = document.createElement('p');
      made.id = 'probe';
      made.className = name;
      made.textContent = text;
      document.querySelector('#probe')?.remove();
      document.body.prepend(made);
      return document.fonts.ready.then(() => undefined);
    },
    [text, name] as const,
  );
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#probe' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => `${isCustomFont ? '+' : ''}${familyName}`);
}

test("text and code have the page's own fonts, and other scripts those of the system", async () => {
  const page = await chrome.page();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') asked.push(request.url());
  });
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual(await fontsOf(page, 'Write it, 0123', 'sans'), ['+IBM Plex Sans']);
  assert.deepEqual(await fontsOf(page, 'žluťoučký Łódź', 'sans'), ['+IBM Plex Sans']);
  assert.deepEqual(await fontsOf(page, 'let a = 0;', 'mono'), ['+JetBrains Mono']);
  for (const text of ['Жук', 'λόγος', '漢字']) {
    for (const name of ['mono', 'sans'] as const) {
      const fonts = await fontsOf(page, text, name);
      assert.ok(!fonts.some((font) => font.startsWith('+')), `${text} has ${fonts.join()}`);
    }
  }
  assert.ok(asked.length > 0);
  for (const url of asked) assert.ok(url.startsWith(chrome.address), url);
  for (const name of ['ibm-plex-sans', 'jetbrains-mono']) {
    const response = await page.request.get(`${chrome.address}assets/${name}-licence.txt`);
    assert.match(await response.text(), /SIL Open Font License, Version 1\.1/);
  }
  await page.close();
});

test('characters that look alike are apart, and none are drawn as one', async () => {
  const page = await chrome.page();
  await make(page, 'fonts');
  await play(page, call('write_file', { path: 'a.js', content: 'if (a !== b && c >= d) e => 0O1lI; // -> ffi\n' }));
  await played(page);
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'a.js' }).click();
  await page.locator('.cm-line').first().waitFor();
  await look(page, 'fonts');
  const differ = (family: string, pair: string): Promise<number> =>
    page.evaluate(
      async ([family, pair]) => {
        await document.fonts.load(`64px '${family}'`);
        const drawn = [...pair].map((character) => {
          const canvas = new OffscreenCanvas(96, 96);
          const context = canvas.getContext('2d');
          if (!context) throw new Error('there is no canvas');
          context.font = `64px '${family}'`;
          context.textAlign = 'center';
          context.fillText(character, 48, 72);
          return context.getImageData(0, 0, 96, 96).data;
        });
        const [one = [], other = []] = drawn;
        return one.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > 128).length;
      },
      [family, pair] as const,
    );
  for (const family of ['JetBrains Mono', 'IBM Plex Sans']) {
    for (const pair of ['0O', '1l', '1I', 'lI', 'O0', '|l', '|I']) {
      const pixels = await differ(family, pair);
      assert.ok(pixels > 60, `${pair} in ${family} differ in ${pixels} pixels`);
    }
  }
  const ligatures = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).fontVariantLigatures);
  for (const selector of ['body', 'strong', '.tree-row bdi', '.button', 'kbd', '.cm-content', '.cm-line span']) {
    assert.equal(await ligatures(selector), 'none', selector);
  }
  await page.close();
});
