import type { ToolArguments, ToolResults } from '../generated/tools.js';

export type { ToolArguments, ToolResults };

/** The name of a tool. */
export type ToolName = keyof ToolArguments;

/** A value that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * A tool as an agent is told of it. `schema` is the JSON schema of its arguments, `outputSchema` that
 * of its structured result.
 */
export interface ToolSpec {
  name: string;
  description: string;
  toolsets: string[];
  schema: string;
  outputSchema: string;
  /** Whether only the user may call it, unless the sandbox says otherwise. */
  manual: boolean;
  readOnly: boolean;
}
