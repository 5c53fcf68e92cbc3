// Ports between the parts of the extension. They end whenever Chrome stops one of the parts.

/**
 * Runs a function when a port ends, or has no other end. Chrome complains about an unread reason, and here
 * every reason is expected.
 */
export function whenGone(port: chrome.runtime.Port, then: () => void): void {
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError;
    then();
  });
}
