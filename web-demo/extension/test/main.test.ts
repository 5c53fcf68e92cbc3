import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { open } from './chrome.js';
import type { Chrome } from './chrome.js';
import { Hub } from '../../sdk/test/hub.js';

let chrome_: Chrome;
before(async () => {
  chrome_ = await open();
});
after(() => chrome_.close());

test('probe', async () => {
  const hub = await Hub.start();
  const panel = await chrome_.panel();
  await panel.waitForSelector('text=Sandboxes');
  await panel.screenshot({ path: '/dev/shm/tmp/x2/1.png' });
  await panel.getByText('Options').click();
  await panel.getByLabel(/Address of the API/).fill(hub.base);
  await panel.getByText('Keep them').click();
  await panel.getByText('The options are kept.').waitFor();
  await panel.getByLabel(/Fine-grained token/).fill('hunter2');
  await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
  await panel.getByText('until the browser is closed').waitFor();
  await panel.getByLabel(/Repository at GitHub/).fill('Ada/Project');
  await panel.getByRole('button', { name: 'Make it' }).click();
  try { await panel.getByText('Audit log').waitFor({ timeout: 10000 }); } catch (e) { console.log(await panel.content(), chrome_.complaints, await chrome_.inDesk('document.title'), hub.requests); await panel.screenshot({ path: '/dev/shm/tmp/x2/2.png' }); throw e; }
  const page = await chrome_.page();
  await page.getByText('Ask, and work').click();
  await panel.getByRole('combobox').selectOption('Project');
  console.log('badge', await chrome_.badge());
  await panel.screenshot({ path: '/dev/shm/tmp/x2/3.png' });
  await panel.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('It proposes a push').waitFor();
  await panel.getByText('A push').click();
  await panel.getByRole('button', { name: 'Approve' }).waitFor();
  console.log('badge', await chrome_.badge());
  await panel.screenshot({ path: '/dev/shm/tmp/x2/4.png' });
  await panel.getByRole('button', { name: 'Approve' }).click();
  await panel.waitForTimeout(1500);
  await panel.screenshot({ path: '/dev/shm/tmp/x2/5.png' });
  console.log(await page.innerText('body'), hub.files(), chrome_.complaints);
  console.log('badge', await chrome_.badge());
  hub.close();
});
