/** The result of `reply`, or nothing if it fails or takes longer. */
export async function inTime<T>(reply: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), milliseconds)));
  try {
    return await Promise.race([reply.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
