// The content security policy of the page. `default` is the only trusted-types policy: it accepts the URL
// of the page's own Worker, and nothing else.

const RULES = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "worker-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
];

/** For a meta tag in the page, where `frame-ancestors` has no effect. */
export const META = RULES.join('; ');

export const HEADERS = {
  'content-security-policy': `${META}; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'x-content-type-options': 'nosniff',
};
