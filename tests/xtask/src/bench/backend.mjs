// Smart HTTP on a free port of loopback: `git http-backend` for the bare repositories in a folder, as a web server runs it by CGI.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [folder] = process.argv.slice(2);

const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const env = {
    ...process.env,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    REMOTE_USER: 'ada',
  };
  const { 'content-length': length } = request.headers;
  if (length !== undefined) env.CONTENT_LENGTH = length;
  const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  const read = (part) => {
    head = Buffer.concat([head, part]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    backend.stdout.off('data', read);
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name, value] = line.split(/:\s*/, 2);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    backend.stdout.pipe(response);
  };
  backend.stdout.on('data', read);
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Whoever started it has gone when its input ends.
process.stdin.resume().on('end', () => process.exit());
