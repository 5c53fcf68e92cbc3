// The only document with the sandboxes.

const PLACE = 'desk/index.html';

/** Creates it, if it does not exist. The lock ends with the service worker, however that ends. */
export function ensureDesk(): Promise<void> {
  return navigator.locks.request('gitgate:desk', async () => {
    const found = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    if (found.length > 0) return;
    await chrome.offscreen.createDocument({
      url: PLACE,
      reasons: ['WORKERS'],
      justification: 'The sandboxes run in Workers, and keep their files in OPFS.',
    });
  });
}

export const isDesk = (sender: chrome.runtime.MessageSender): boolean =>
  sender.id === chrome.runtime.id && sender.url === chrome.runtime.getURL(PLACE);
