/** A bug that is planted: one place in one source file, replaced while it is loaded. The file itself stays as it is. */
export interface Mutant {
  readonly name: string
  readonly about: string
  /** The end of the file's path. */
  readonly file: string
  /** Must be there exactly once. */
  readonly find: string
  readonly replace: string
}
