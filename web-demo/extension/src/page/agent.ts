// The agent's interface after a person allowed it. It works over any channel for its messages.

import type { Reply, ToolArguments, ToolName, ToolResults, ToolSpec } from 'gitgate';
import { GitgateError, errorOf } from 'gitgate/extension';

import type { FromAgent, ToAgent } from '../common/agent.js';

export interface ConnectOptions {
  /** The name that the person sees beside the origin. */
  name: string;
  /** The sandbox that it wants. The person chooses. */
  sandbox?: string;
  signal?: AbortSignal;
}

interface CallOptions {
  /** Whether a call that needs a person waits for them, or returns as pending, the default. */
  wait?: 'ask' | 'pending';
  signal?: AbortSignal;
}

export interface Agent {
  /** The sandbox that the person chose. */
  readonly sandbox: string;
  tools(): Promise<ToolSpec[]>;
  call<T extends ToolName>(tool: T, args: ToolArguments[T], options?: CallOptions): Promise<Reply<ToolResults[T]>>;
  /** Why the connection ended, once it has. */
  readonly closed: Promise<GitgateError>;
  close(): void;
}

interface Wire {
  post(message: FromAgent): void;
  listen(listener: (message: ToAgent) => void): void;
  close(): void;
}

interface Waiting {
  resolve(value: never): void;
  reject(error: GitgateError): void;
}

const CALLED_OFF = 'the agent has called it off';

/** Asks for permission, and returns the agent once a person gives it. */
export function connect(wire: Wire, { name, sandbox, signal }: ConnectOptions): Promise<Agent> {
  const underWay = new Map<number, Waiting>();
  let last = 0;
  let over: GitgateError | undefined;
  let end: (error: GitgateError) => void = () => undefined;
  const closed = new Promise<GitgateError>((resolve) => (end = resolve));

  const request = <T>(make: (id: number) => FromAgent, off?: AbortSignal): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (over) return reject(over);
      const id = (last += 1);
      const cancel = (): void => wire.post({ type: 'cancel', id });
      const done = (): void => {
        underWay.delete(id);
        off?.removeEventListener('abort', cancel);
      };
      if (off?.aborted) return reject(new GitgateError('interrupted', CALLED_OFF));
      off?.addEventListener('abort', cancel);
      underWay.set(id, { resolve: (value) => (done(), resolve(value)), reject: (error) => (done(), reject(error)) });
      wire.post(make(id));
    });

  const agent = (sandbox: string): Agent =>
    Object.freeze({
      sandbox,
      closed,
      tools: () => request<ToolSpec[]>((id) => ({ type: 'tools', id })),
      call: async <T extends ToolName>(
        tool: T,
        args: ToolArguments[T],
        { wait = 'pending', signal }: CallOptions = {},
      ) => request<Reply<ToolResults[T]>>((id) => ({ type: 'call', id, tool, args: plain(args), wait }), signal),
      close: () => {
        hear({
          type: 'over',
          error: { kind: 'interrupted', message: 'the agent has closed the connection', hint: '' },
        });
        wire.close();
      },
    });

  let welcome: (agent: Agent) => void = () => undefined;
  const welcomed = new Promise<Agent>((resolve) => (welcome = resolve));

  function hear(message: ToAgent): void {
    if (message.type === 'welcome') return welcome(agent(message.sandbox));
    if (message.type === 'over') {
      if (over) return;
      over = errorOf(message.error);
      end(over);
      for (const { reject } of [...underWay.values()]) reject(over);
      return;
    }
    const waiting = underWay.get(message.id);
    if (message.type === 'failed') waiting?.reject(errorOf(message.error));
    // It answers the request of that id, which determines its type.
    else waiting?.resolve(message.value as never);
  }

  if (signal?.aborted) {
    wire.close();
    return Promise.reject(new GitgateError('interrupted', CALLED_OFF));
  }
  wire.listen(hear);
  wire.post({ type: 'hello', name, ...(sandbox !== undefined && { sandbox }) });
  signal?.addEventListener('abort', () => {
    hear({ type: 'over', error: { kind: 'interrupted', message: CALLED_OFF, hint: '' } });
    wire.close();
  });
  return Promise.race([welcomed, closed.then((error) => Promise.reject(error))]);
}

function plain(args: object): { [name: string]: unknown } {
  try {
    return JSON.parse(JSON.stringify(args));
  } catch (error) {
    throw new GitgateError('usage', `the arguments are not JSON: ${String(error)}`);
  }
}
