// Validates values from another party.

import type { Json } from '../tools.js';

export type Check<T> = (value: unknown) => value is T;

/** The type that `check` accepts. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const text: Check<string> = (value) => typeof value === 'string';
export const number: Check<number> = (value) => typeof value === 'number';
export const yesOrNo: Check<boolean> = (value) => typeof value === 'boolean';

/** Any value that was parsed from JSON. */
export const anything: Check<Json> = (value): value is Json => value !== undefined;

export function oneOf<const T extends string>(...all: T[]): Check<T> {
  return (value): value is T => all.some((one) => one === value);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** An optional member. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function list<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with at least these own members. Others are ignored. */
export function shape<T extends object>(members: { [N in keyof T]-?: Check<T[N]> }): Check<T> {
  const all: [string, Check<unknown>][] = Object.entries(members);
  return (value): value is T =>
    isObject(value) &&
    all.every(([name, check]) => check(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined));
}
