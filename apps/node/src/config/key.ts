import type { Kind } from './kinds.ts'

/** One key of config.toml: how its value is read, and its default. */
export interface Key<T> {
  readonly kind: Kind<T>
  /** The default value. */
  readonly fallback: T
  /** The help text of the command-line flag. `start --help` lists only the keys that have a help text. */
  readonly help?: string
  /** True for a key that only Halley has. Such a key is written to config.toml only if its value is not the default. */
  readonly isHalleyOnly?: boolean
}

export type Keys = Readonly<Record<string, Key<unknown>>>

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name extends `${infer Head}-${infer Tail}`
    ? `${Head}${Capitalize<CamelCase<Tail>>}`
    : Name

/** An object with the values of all keys of a table. Each member has the name of its key, in camel case. */
export type Values<Table extends Keys> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name] extends Key<infer T> ? T : never
}

export function camelCase(name: string): string {
  return name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function key<T>(kind: Kind<T>, fallback: T, extra: Omit<Key<T>, 'kind' | 'fallback'> = {}): Key<T> {
  return { kind, fallback, ...extra }
}
