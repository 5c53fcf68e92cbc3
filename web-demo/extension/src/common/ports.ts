// Ports between the parts of the extension, which end whenever Chrome stops one of the parts.

/**
 * Does something when a port ends, or nobody is at its other end. Chrome complains of a reason that
 * nobody reads, and here every reason is expected.
 */
export function whenGone(port: chrome.runtime.Port, then: () => void): void {
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError;
    then();
  });
}
