// Common steps of a person and of a page's agent.

import type { Locator, Page } from 'playwright-core';

import type { Agent, ConnectOptions } from '../src/page/agent.js';
import type { Hub } from '../../sdk/test/hub.js';
import type { Chrome } from './chrome.js';

declare global {
  interface Window {
    // The content script adds it.
    gitgate: { connect(options: ConnectOptions): Promise<Agent> };
    // The tests' own state in a page.
    agent: Agent;
    asked: Promise<Agent>;
    reply: ReturnType<Agent['call']>;
  }
}

export const TOKEN = 'github_pat_hunter2';

/** The person sets the address of the API, and signs in. */
export async function signIn(panel: Page, hub: Hub): Promise<void> {
  await panel.getByText('Options').click();
  await panel.getByLabel(/API address/).fill(hub.base);
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('The options are kept.').waitFor();
  await panel.getByLabel(/Fine-grained token/).fill(TOKEN);
  await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
  await panel.getByText('until the browser is closed').waitFor();
}

/** The person creates a sandbox: from the fake GitHub's repository, or empty. */
export async function make(panel: Page, name: string, github = '', pushTo = 'main'): Promise<void> {
  const fold = panel.locator('details', { hasText: 'New sandbox' });
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click();
  await panel.getByLabel(/^Repository/).fill(github);
  if (github !== '') await panel.getByLabel('Pushes go to').fill(pushTo);
  await panel.getByLabel('Name', { exact: true }).fill(name);
  await panel.getByRole('button', { name: 'Make it' }).click();
  await panel.getByRole('button', { name: `Delete ${name}` }).waitFor();
}

/** The agent of the page asks for permission. */
export const begin = (page: Page, name = 'Robot'): Promise<void> =>
  page.evaluate((name) => {
    window.asked = window.gitgate.connect({ name });
    // Whoever waits for it gets the error.
    window.asked.catch(() => undefined);
  }, name);

/** The agent continues once it is allowed, and reports its sandbox. */
export const admitted = (page: Page): Promise<string> =>
  page.evaluate(async () => (window.agent = await window.asked).sandbox);

/** The person allows the asking agent. */
export async function allow(panel: Page, sandbox: string): Promise<void> {
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  await card.getByRole('combobox').selectOption(sandbox);
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await card.waitFor({ state: 'detached' });
}

export async function joined(chrome: Chrome, panel: Page, sandbox: string, name?: string): Promise<Page> {
  const page = await chrome.page();
  await begin(page, name);
  await allow(panel, sandbox);
  await admitted(page);
  return page;
}

/** The agent stages a file. */
export const stage = (page: Page, path: string): Promise<string> =>
  page.evaluate(async (path) => {
    const wrote = await window.agent.call('write_file', { path, content: `of an agent: ${path}\n` });
    const staged = await window.agent.call('git_stage', { files: [path], message: `Add ${path}` });
    return `${wrote.outcome} ${staged.outcome}`;
  }, path);

/** The agent starts to push, and waits for the person. */
export const push = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.reply = window.agent.call('git_push', { commitId: 'HEAD' }, { wait: 'ask' });
    window.reply.catch(() => undefined);
  });

/** The result of that push. */
export const ended = (page: Page) => page.evaluate(() => window.reply);

/** Reads again until the value is as expected. A page's own wait would take a promise for an answer. */
export async function until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  for (const end = performance.now() + 30_000; ;) {
    const found = await read();
    if (found === wanted) return;
    if (performance.now() > end) throw new Error(`it is ${String(found)}, and not ${String(wanted)}`);
  }
}

export const badge = (panel: Page, text: string): Promise<void> =>
  until(() => panel.evaluate(() => chrome.action.getBadgeText({})), text);

/** The person opens the waiting call, and sees the review. */
export async function review(panel: Page): Promise<void> {
  await panel.getByRole('region', { name: 'Waits for you' }).getByRole('link').click();
  await panel.getByRole('button', { name: /^Approve/ }).waitFor();
}

/** The person opens each file, approves, and sees the outcome of the push. */
export async function land(panel: Page): Promise<Locator> {
  const progress = panel.getByText(/ opened$/);
  for (;;) {
    const now = await progress.innerText();
    if (now === 'all opened') break;
    await panel.keyboard.press('n');
    await until(() => progress.innerText().then((next) => String(next !== now)), 'true');
  }
  await panel.getByRole('button', { name: /^Approve/ }).click();
  await panel.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  const outcome = panel.getByRole('status').filter({ hasText: /^Pushed/ });
  await outcome.waitFor();
  return outcome;
}

export async function approve(panel: Page): Promise<void> {
  await land(panel);
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
}

export async function reject(panel: Page, reason: string): Promise<void> {
  await panel.getByRole('button', { name: 'Reject…' }).click();
  await panel.getByLabel('Reason').fill(reason);
  await panel.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
}
