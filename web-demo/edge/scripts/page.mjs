// Serves the page's files where no platform does. It runs in workerd.

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  wasm: 'application/wasm',
};

export default {
  async fetch(request, { FILES, HEADERS }) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 });
    const url = new URL(request.url);
    if (url.pathname.endsWith('/')) url.pathname += 'index.html';
    const found = await FILES.fetch(new Request(url, { method: request.method }));
    if (!found.ok) return new Response('there is no such file\n', { status: 404 });
    const type = TYPES[url.pathname.split('.').pop()] ?? 'application/octet-stream';
    return new Response(found.body, { headers: { ...HEADERS, 'content-type': type } });
  },
};
