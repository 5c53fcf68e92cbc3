// A server of a test, and what it was asked.

import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export async function server(t: TestContext, listener: RequestListener) {
  const seen: IncomingMessage[] = [];
  const listening = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { seen, base: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

export const text = async (request: IncomingMessage) => (await request.toArray()).join('');
