// The content script: forwards messages between a page's agent and the extension. It decides nothing: its
// messages deserve no more trust than the page's own.

import { told } from 'gitgate/extension';

import { insist } from '../common/ask.js';
import { whenGone } from '../common/ports.js';
import { BEGIN } from './begin.js';

/** The page may send anything. */
const isClose = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'close';

async function join(page: MessagePort): Promise<void> {
  let port: chrome.runtime.Port | undefined;
  const gone = (message: string): void => {
    page.postMessage({ type: 'over', error: { kind: 'lost', message, hint: 'connect again' } });
    page.close();
    port?.disconnect();
  };
  try {
    await insist('wake', null);
    port = chrome.runtime.connect();
    const there = port;
    whenGone(there, () => gone('the connection to the extension has ended'));
    there.onMessage.addListener((message: unknown) => page.postMessage(message));
    page.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isClose(data)) return gone('the agent has closed the connection');
      try {
        there.postMessage(data);
      } catch (error) {
        gone(`the message cannot be sent: ${String(error)}`);
      }
    };
  } catch (error) {
    gone(`the extension cannot be reached: ${told(error).message}`);
  }
}

addEventListener('message', (event) => {
  const [page] = event.ports;
  if (event.source === window && event.data === BEGIN && page) void join(page);
});
