// Hands a token or a password from the panel to the service worker. The document with the sandboxes receives every
// message, but cannot read the storage.

const KEY = 'given';

export const handOver = (token: string): Promise<void> => chrome.storage.session.set({ [KEY]: token });

/** The token, which can be taken once. */
export async function takeOver(): Promise<string> {
  const { [KEY]: token } = await chrome.storage.session.get(KEY);
  await chrome.storage.session.remove(KEY);
  return typeof token === 'string' ? token : '';
}
