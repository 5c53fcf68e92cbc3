/** The parts of an error that cross between threads and tabs. */
export interface Told {
  kind: string;
  message: string;
  hint: string;
}

/**
 * An error with its cause and a hint. `kind` is one of the host's (`usage`, `storage`, `busy`, ...), or
 * `interrupted`, `timeout` or `lost`.
 */
export class GitgateError extends Error implements Told {
  override readonly name = 'GitgateError';

  constructor(
    readonly kind: string,
    message: string,
    readonly hint = '',
  ) {
    super(message);
  }
}

function text(value: object, name: string): string | undefined {
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** Any error in the form that crosses. An error without a kind is a bug. */
export function told(error: unknown): Told {
  if (typeof error !== 'object' || error === null) return { kind: 'lost', message: String(error), hint: '' };
  const message = text(error, 'message') ?? String(error);
  const kind = text(error, 'kind');
  if (kind !== undefined) return { kind, message, hint: text(error, 'hint') ?? '' };
  return { kind: 'lost', message: `${text(error, 'name') ?? 'Error'}: ${message}`, hint: '' };
}

/** The error that the other side reported. */
export function errorOf({ kind, message, hint }: Told): GitgateError {
  return new GitgateError(kind, message, hint);
}

/** Converts any error to a GitgateError. */
export function gitgateError(error: unknown): GitgateError {
  return error instanceof GitgateError ? error : errorOf(told(error));
}

/** Ends a call that was cancelled before it could change anything. */
export function calledOff(): GitgateError {
  return new GitgateError('interrupted', 'the call was called off; nothing has changed');
}
