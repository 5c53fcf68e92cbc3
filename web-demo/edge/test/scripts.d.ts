// The exports of this package's scripts that tests use.

declare module '*/scripts/workerd.mjs' {
  import type { ChildProcess } from 'node:child_process';
  export function start(options: {
    folder: string;
    dist: string;
    main?: string;
    port?: number;
    vars: { [name: string]: string };
    callers?: { name: string; dist: string; vars: { [name: string]: string } }[];
  }): Promise<{ url: string; urls: Map<string, string>; child: ChildProcess; ended: Promise<unknown> }>;
}
declare module '*/scripts/build.mjs' {
  export function bundle(entry: string, dist: string, name: string): Promise<void>;
}
declare module '*/scripts/config.mjs' {
  export const COMPATIBILITY_DATE: string;
  export function config(options: {
    folder: string;
    dist: string;
    page?: string;
    vars: { [name: string]: string };
  }): Promise<string>;
}
