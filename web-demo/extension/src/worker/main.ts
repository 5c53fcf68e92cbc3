// The service worker: it has the token, talks to servers, and stores everything that must not be lost. All
// of it is in the storage, because the browser may stop it at any time.

import { answer, isOurs } from '../common/ask.js';
import { takeOver } from '../common/hand.js';
import { account, setOptions, signIn, signOut } from './account.js';
import { ensureDesk, isDesk } from './desk.js';
import { begin, poll } from './device.js';
import { http } from './http.js';
import * as store from './store.js';

async function badge(): Promise<void> {
  const count = (await store.kept()).waits.length + (await store.asking());
  await chrome.action.setBadgeBackgroundColor({ color: '#b3261e' });
  await chrome.action.setBadgeText({ text: count > 0 ? String(count) : '' });
}

const DESK = new Set(['http', 'load', 'save', 'asking']);

answer(
  'worker',
  {
    wake: async () => {
      await ensureDesk();
      return null;
    },
    http,
    load: store.kept,
    save: async (kept) => {
      await store.keep(kept);
      await badge();
      return null;
    },
    asking: async (count) => {
      await store.setAsking(count);
      await badge();
      return null;
    },
    account,
    options: setOptions,
    signIn: async ({ keep }) => {
      const at = await store.begun();
      return signIn(await takeOver(), keep, at);
    },
    signOut,
    login: async ({ address, username }) => {
      await store.setLogin(address, { username, password: await takeOver() });
      return null;
    },
    device: ({ keep }) => begin(keep),
    poll,
  },
  (method, sender) => {
    // Any content script may ask for the document, which exists anyway.
    if (method === 'wake') return sender.id === chrome.runtime.id;
    return DESK.has(method) ? isDesk(sender) : isOurs(sender, 'panel/');
  },
);

// Another extension can do no more than a page.
chrome.runtime.onMessageExternal.addListener((message: unknown, _, respond) => {
  if (message !== 'gitgate:wake') return false;
  ensureDesk().then(
    () => respond(true),
    (error: unknown) => {
      console.error('gitgate: the document with the sandboxes cannot be made', error);
      respond(false);
    },
  );
  return true;
});

const failed = (error: unknown): void => console.error('gitgate: the extension cannot start', error);
const start = (): void => {
  badge().catch(failed);
  chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true }).catch(failed);
};
chrome.runtime.onInstalled.addListener(start);
chrome.runtime.onStartup.addListener(() => {
  // The asker is gone.
  store.setAsking(0).then(start, failed);
});
store.closeToPages().catch(failed);
