// The origin of a port, from the browser.

type Sender = chrome.runtime.MessageSender | undefined;

/** The origin of a page with a content script. A page without an origin of its own is rejected. */
export function agentOf(sender: Sender): string | undefined {
  if (sender?.id !== chrome.runtime.id || sender.tab === undefined || sender.frameId !== 0) return undefined;
  const { origin } = sender;
  return origin !== undefined && /^https?:\/\//.test(origin) ? origin : undefined;
}

/** Another extension. A page that connects directly has a web origin. */
export function ofExtension(sender: Sender): string | undefined {
  if (!sender?.id || sender.id === chrome.runtime.id) return undefined;
  if (sender.origin !== undefined && /^https?:/.test(sender.origin)) return undefined;
  return `chrome-extension://${sender.id}`;
}
