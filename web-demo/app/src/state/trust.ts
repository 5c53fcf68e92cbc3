// The only trusted-types policy: only the URL of the page's own Worker becomes a script URL.

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

const OWN = /\/assets\/worker-[\w-]+\.js$/;

function isOwnWorker(text: string): boolean {
  const { origin, pathname, search } = new URL(text, location.href);
  return origin === location.origin && search === '' && OWN.test(pathname);
}

const factory: Factory | undefined = Reflect.get(globalThis, 'trustedTypes');
factory?.createPolicy('default', {
  createScriptURL: (url) => {
    if (isOwnWorker(url) || import.meta.env.DEV) return url;
    throw new TypeError('this is not the Worker of the page');
  },
});
