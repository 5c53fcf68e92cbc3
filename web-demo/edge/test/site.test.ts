// The names that a server answers to, and the pages that may call it, the same on each server.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';

import type { Fields } from './api.js';
import { PAGE } from './bodies.js';
import { each } from './each.js';

interface Said {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Fields;
}

/** Sends headers that fetch would not send. */
function ask(url: string, headers: { [name: string]: string }, method = 'GET'): Promise<Said> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { statusCode: status, headers } = response;
      if (status === 204) {
        response.resume();
        return resolve({ status, headers, body: {} });
      }
      json(response).then((body) => resolve({ status, headers, body: body as Fields }), reject);
      return undefined;
    });
    asked.end();
  });
}

each(
  (here) => {
    test('a page that may ask is named in the answer, and learns what it may send', async () => {
      const { url } = here.body.api;
      const own = new URL(url);
      for (const origin of [PAGE, own.origin]) {
        const asked = await ask(`${url}/sandboxes/x/tools/git_status`, { origin }, 'OPTIONS');
        const { 'access-control-allow-origin': allowed, allow, vary } = asked.headers;
        assert.deepEqual([asked.status, allowed, allow, vary], [204, origin, 'POST', 'Origin']);
        const read = await ask(`${url}/openapi.json`, { origin });
        assert.deepEqual([read.status, read.headers['access-control-allow-origin']], [200, origin]);
      }
      const program = await ask(`${url}/openapi.json`, {});
      assert.deepEqual([program.status, program.headers['access-control-allow-origin']], [200, undefined]);
    });

    test('a page from elsewhere is refused before anything else', async () => {
      const { api, owner } = await here.scene('pages');
      const authorization = `Bearer ${owner}`;
      const { port } = new URL(api.url);
      for (const origin of [
        'https://evil.example',
        'null',
        `${PAGE}.evil.example`,
        `${PAGE}:8443`,
        `http://127.0.0.1:${port}.evil.example`,
        `http://evil.example@127.0.0.1:${port}`,
      ]) {
        for (const path of ['/openapi.json', '/sandboxes/pages/tools', '/sandboxes/none/none']) {
          const { status, headers, body } = await ask(api.url + path, { origin, authorization });
          assert.deepEqual([status, body['kind']], [403, 'forbidden'], `${path} of ${origin}`);
          assert.equal(headers['access-control-allow-origin'], undefined);
        }
      }
    });

    test('a name that leads here by rebinding is refused before anything else', async () => {
      const { api, owner } = await here.scene('names');
      const authorization = `Bearer ${owner}`;
      const at = `${api.url}/sandboxes/names/tools`;
      assert.equal((await ask(at, { authorization, host: 'localhost:9' })).status, 200);
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost.']) {
        const { status, body } = await ask(at, { authorization, host, origin: `http://${host}` });
        assert.deepEqual([status, body['kind']], [403, 'forbidden'], host);
      }
    });
  },
  { ALLOW_HOSTS: 'localhost 127.0.0.1 [::1]' },
);
