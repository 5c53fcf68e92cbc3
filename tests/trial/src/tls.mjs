// Takes TLS off what comes on a free port of loopback, and passes it on to another port.

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';

const [key, cert, port] = process.argv.slice(2);

const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (from) => {
  const to = connect(Number(port), '127.0.0.1');
  const end = () => [from, to].forEach((one) => one.destroy());
  from.on('error', end).pipe(to.on('error', end)).pipe(from);
});
server.on('tlsClientError', () => undefined);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Whoever started it has gone when its input ends.
process.stdin.resume().on('end', () => process.exit());
