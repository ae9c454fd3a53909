import type { Registry } from './registry.ts'

/**
 * A use of the published packages outside of the repository. It resolves with its results, and rejects if the packages
 * do not work.
 */
export interface Trial {
  readonly name: string
  run(registry: Registry): Promise<string>
}
