// Adds `window.gitgate` to each page. Its agent asks for permission there.

import { connect } from './agent.js';
import type { Agent, ConnectOptions } from './agent.js';
import { BEGIN } from './begin.js';

function ask(options: ConnectOptions): Promise<Agent> {
  const { port1, port2 } = new MessageChannel();
  window.postMessage(BEGIN, '/', [port2]);
  return connect(
    {
      post: (message) => port1.postMessage(message),
      listen: (listener) => (port1.onmessage = ({ data }) => listener(data)),
      close: () => port1.postMessage({ type: 'close' }),
    },
    options,
  );
}

Object.defineProperty(window, 'gitgate', { value: Object.freeze({ connect: ask }), enumerable: true });
