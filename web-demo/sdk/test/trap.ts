// The component, with a tool that traps if its arguments say so.

import { instantiate as original } from '../generated/component/gitgate.js';
import type { ImportObject, Root } from '../generated/component/gitgate.js';

type Instance = (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance;

export function instantiate(
  module: (path: string) => WebAssembly.Module,
  imports: ImportObject,
  instance: Instance,
): Pick<Root, 'session'> {
  const { session } = original(module, imports, instance);
  const call: typeof session.call = (call, answers) => {
    if (call.arguments.includes('trap')) throw new WebAssembly.RuntimeError('unreachable');
    return session.call(call, answers);
  };
  return { session: { ...session, call } };
}
