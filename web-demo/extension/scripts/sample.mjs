// Serves the page of the sample agent on loopback, and prints its address.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const TYPES = { 'index.html': 'text/html', 'sample.css': 'text/css', 'sample.js': 'text/javascript' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'";

const server = createServer(async (request, response) => {
  const name = (request.url ?? '/').slice(1) || 'index.html';
  const headers = { 'content-security-policy': POLICY, 'cache-control': 'no-store' };
  if (!Object.hasOwn(TYPES, name)) return response.writeHead(404, headers).end();
  const content = await readFile(new URL(`../sample/${name}`, import.meta.url));
  return response.writeHead(200, { ...headers, 'content-type': TYPES[name] }).end(content);
});
const [port = '8090'] = process.argv.slice(2);
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
