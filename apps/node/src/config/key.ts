import type { Kind } from './kinds.ts'

/** One key of config.toml: how its value is read, and its default. */
export interface Key<T> {
  readonly kind: Kind<T>
  readonly fallback: T
  /** Help of the command-line flag, for the keys that `start --help` lists. */
  readonly help?: string
  /** Set for keys that the reference's file does not have: they are written only when they differ from `fallback`. */
  readonly own?: boolean
}

export type Keys = Readonly<Record<string, Key<unknown>>>

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name extends `${infer Head}-${infer Tail}`
    ? `${Head}${Capitalize<CamelCase<Tail>>}`
    : Name

/** The values of a table of keys, under camel-case names. */
export type Values<Table extends Keys> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name] extends Key<infer T> ? T : never
}

export function camelCase(name: string): string {
  return name.replace(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function key<T>(kind: Kind<T>, fallback: T, extra: Omit<Key<T>, 'kind' | 'fallback'> = {}): Key<T> {
  return { kind, fallback, ...extra }
}
