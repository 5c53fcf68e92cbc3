// What is done and timed in the page itself, so that no driver takes part. These functions are sent
// to the page as text: none can use what stands outside of it.

/** What the others wait with. A message that is sent in a frame comes when that has been painted. */
export function watching() {
  // Chromium itself now and then paints no more, under load, while the page's timers go on.
  const frame = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no frame in ten seconds')), 10_000);
      requestAnimationFrame((at) => (clearTimeout(timer), resolve(at)));
    });
  globalThis.painted = async (isThere) => {
    while (!isThere()) await frame();
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    return performance.now();
  };
  globalThis.frame = frame;
}

/** Begins with the navigation: as soon as the page can be used it makes an empty sandbox, the first one. */
export async function begins() {
  const find = (selector) => document.querySelector(selector);
  if (location.hash) return;
  const usable = await globalThis.painted(() => find('.start .hero') && find('.new button[type=submit]'));
  const empty = () => [...document.querySelectorAll('.new .segments button')].find((one) => one.textContent === 'Empty');
  empty().click();
  await globalThis.painted(() => empty().ariaPressed === 'true');
  find('.new button[type=submit]').click();
  const opened = await globalThis.painted(() => find('nav[aria-label=Sandbox]') && find('main .empty, main [role=tree]'));
  globalThis.times = { usable, opened };
}

/** From a person's click to the lines of the diff on the screen. */
export async function reviewed() {
  const shown = () => document.querySelector('.code')?.shadowRoot?.querySelectorAll('.gg-new').length ?? 0;
  const button = [...document.querySelectorAll('main button')].find((one) => /download/i.test(one.textContent));
  const begin = performance.now();
  button.click();
  const end = await globalThis.painted(() => document.querySelector('.verdict') && shown() > 10);
  return end - begin;
}

/** Scrolls through the diff at one speed. The time of each frame. */
export async function scrolled() {
  const place = document.querySelector('.code').shadowRoot.firstElementChild;
  /** Pixels in a millisecond: a thousand lines in a second. */
  const SPEED = 20;
  const frames = [];
  const begin = await globalThis.frame();
  let last = begin;
  // How high the lines are is known better with each that was in sight.
  const isAtEnd = () => place.scrollTop + place.clientHeight >= place.scrollHeight - 1;
  while (!isAtEnd()) {
    place.scrollTop = (last - begin) * SPEED;
    const now = await globalThis.frame();
    frames.push(now - last);
    last = now;
  }
  return { frames };
}
