// Chromium with the built extension, a fresh profile, and the sample page. Every console message of the
// extension is an error at the end.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
// The tests are compiled to extension/.test/extension/test.
const ROOT = new URL('../../../', import.meta.url);

export interface Chrome {
  context: BrowserContext;
  id: string;
  /** The service worker of another extension. */
  other: Worker;
  /** Where the sample page is. */
  sample: string;
  complaints: string[];
  panel(): Promise<Page>;
  page(address?: string): Promise<Page>;
  /** Stops the service worker, as the browser does at any time, whatever it is doing. */
  stopWorker(): Promise<void>;
  /** Ends the document with the sandboxes. */
  killDesk(): Promise<void>;
  /** Evaluates an expression in the document with the sandboxes. */
  inDesk(expression: string): Promise<unknown>;
  /** The number of such targets. */
  count(type: string, place: string): Promise<number>;
  close(): Promise<void>;
}

/** Another process serves the sample, as for a person. */
async function serve(): Promise<{ address: string; end: () => void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('scripts/sample.mjs', ROOT)), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { address: line.trim(), end: () => void child.kill() };
  }
  throw new Error('the sample is not served');
}

/** The extension with the permission for this machine that a person would grant. */
async function unpacked(into: string): Promise<void> {
  await cp(new URL('dist', ROOT), into, { recursive: true });
  const file = join(into, 'manifest.json');
  const manifest: { host_permissions: string[] } = JSON.parse(await readFile(file, 'utf8'));
  manifest.host_permissions.push('http://127.0.0.1/*');
  await writeFile(file, JSON.stringify(manifest));
}

class Targets {
  constructor(readonly session: CDPSession) {}

  async find(type: string, place: string): Promise<string | undefined> {
    const { targetInfos } = await this.session.send('Target.getTargets');
    return targetInfos.find((one) => one.type === type && one.url.endsWith(place))?.targetId;
  }

  async count(type: string, place: string): Promise<number> {
    const { targetInfos } = await this.session.send('Target.getTargets');
    return targetInfos.filter((one) => one.type === type && one.url.endsWith(place)).length;
  }

  async end(type: string, place: string): Promise<void> {
    const targetId = await this.find(type, place);
    if (targetId === undefined) return;
    const ended = new Promise<void>((resolve) => {
      const hear = (event: { targetId: string }): void => {
        if (event.targetId !== targetId) return;
        this.session.off('Target.targetDestroyed', hear);
        resolve();
      };
      this.session.on('Target.targetDestroyed', hear);
    });
    await this.session.send('Target.closeTarget', { targetId });
    await ended;
  }

  /** Evaluates in a target that playwright does not expose. */
  async evaluate(type: string, place: string, expression: string): Promise<unknown> {
    const targetId = await this.find(type, place);
    if (targetId === undefined) throw new Error(`there is no ${place}`);
    const { sessionId } = await this.session.send('Target.attachToTarget', { targetId, flatten: false });
    const answered = new Promise<string>((resolve) => {
      const hear = (event: { sessionId: string; message: string }): void => {
        if (event.sessionId !== sessionId) return;
        this.session.off('Target.receivedMessageFromTarget', hear);
        resolve(event.message);
      };
      this.session.on('Target.receivedMessageFromTarget', hear);
    });
    const params = { expression, awaitPromise: true, returnByValue: true };
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
    await this.session.send('Target.sendMessageToTarget', { sessionId, message });
    const { result }: { result: { result: { value: unknown }; exceptionDetails?: unknown } } = JSON.parse(
      await answered,
    );
    await this.session.send('Target.detachFromTarget', { sessionId });
    if (result.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
    return result.result.value;
  }
}

/** The browser's information about a service worker. */
interface Version {
  versionId: string;
  scriptURL: string;
  runningStatus: string;
  status: string;
}

/** The browser's information about its service workers. */
class Workers {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #versions = new Map<string, Version>();
  readonly #waiting = new Set<() => void>();

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const version of versions) this.#versions.set(version.versionId, version);
      for (const look of this.#waiting) look();
    });
  }

  /** `page` belongs to the extension, and has no other use. */
  static async watch(page: Page): Promise<Workers> {
    const workers = new Workers(page, await page.context().newCDPSession(page));
    await workers.#session.send('ServiceWorker.enable');
    return workers;
  }

  /**
   * Stops the extension's own service worker, if it runs. It answers a question first, so that it has
   * started: Chromium does not stop a starting one, and no message wakes one that was stopped then.
   */
  async stop(script: string): Promise<void> {
    const found = [...this.#versions.values()].find(
      ({ scriptURL, status }) => scriptURL.endsWith(script) && status === 'activated',
    );
    if (!found || found.runningStatus === 'stopped') return;
    const { versionId } = found;
    await this.#page.evaluate(() => chrome.runtime.sendMessage({ to: 'worker', method: '' }));
    const stopped = new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.#versions.get(versionId)?.runningStatus !== 'stopped') return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
    await this.#session.send('ServiceWorker.stopWorker', { versionId });
    await stopped;
  }
}

/**
 * Runs in a service worker. One that ends before it is active was never installed, and does not start
 * again.
 */
function active(): Promise<void> {
  const own = Reflect.get(globalThis, 'serviceWorker') as ServiceWorker;
  return new Promise((resolve) => {
    const look = (): void => {
      if (own.state === 'activated') resolve();
    };
    own.addEventListener('statechange', look);
    look();
  });
}

export async function open(): Promise<Chrome> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: apt-get install chromium`);
  const folder = await mkdtemp(join(existsSync('/dev/shm/tmp') ? '/dev/shm/tmp' : tmpdir(), 'gitgate-ext-'));
  const extension = join(folder, 'extension');
  await unpacked(extension);
  const both = `${extension},${fileURLToPath(new URL('test/other', ROOT))}`;
  const { address, end } = await serve();
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: CHROMIUM,
    headless: true,
    args: [...ARGS, ...QUIET, `--disable-extensions-except=${both}`, `--load-extension=${both}`],
    viewport: { width: 400, height: 900 },
  });
  context.setDefaultTimeout(30_000);
  const browser = context.browser();
  if (!browser) throw new Error('playwright shows no browser');
  const targets = new Targets(await browser.newBrowserCDPSession());
  await targets.session.send('Target.setDiscoverTargets', { discover: true });
  const started = async (script: string): Promise<Worker> => {
    const isIt = (worker: Worker): boolean => worker.url().endsWith(script);
    return context.serviceWorkers().find(isIt) ?? context.waitForEvent('serviceworker', { predicate: isIt });
  };
  const worker = await started('/worker.js');
  await worker.evaluate(active);
  const { host: id } = new URL(worker.url());
  const other = await started('/other.js');
  const own = await context.newPage();
  await own.goto(`chrome-extension://${id}/manifest.json`);
  const workers = await Workers.watch(own);

  const complaints: string[] = [];
  const watch = (page: Page): void => {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  };
  // A background page paints once a second, and each click of a test waits for that. The tests click in the
  // panel, so the panel is in front.
  let front: Page | undefined;
  const page = async (at = address): Promise<Page> => {
    const one = await context.newPage();
    watch(one);
    await one.goto(at);
    await front?.bringToFront();
    return one;
  };
  const panel = async (): Promise<Page> => (front = await page(`chrome-extension://${id}/panel/index.html`));
  return {
    context,
    id,
    other,
    sample: address,
    complaints,
    page,
    panel,
    stopWorker: () => workers.stop('/worker.js'),
    killDesk: () => targets.end('background_page', '/desk/index.html'),
    inDesk: (expression) => targets.evaluate('background_page', '/desk/index.html', expression),
    count: (type, place) => targets.count(type, place),
    close: async () => {
      await context.close();
      end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
