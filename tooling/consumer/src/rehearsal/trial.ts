import type { Registry } from './registry.ts'

/**
 * A test that uses the published packages outside of the repository. It resolves to its results, and rejects if the
 * packages do not work.
 */
export interface Trial {
  readonly name: string
  run(registry: Registry): Promise<string>
}
