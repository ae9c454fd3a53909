import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const here = (file: string): string => fileURLToPath(new URL(`../src/platform/${file}`, import.meta.url))

/**
 * Engine and simulator import modules of Node and packages with native code, which a page cannot load. Maps each of
 * these modules to the file of `src/platform` that replaces it.
 */
export const REPLACED: Readonly<Record<string, string>> = {
  'node:crypto': here('crypto.ts'),
  'node:net': here('net.ts'),
  'node:path': here('path.ts'),
  'node:process': here('process.ts'),
  'node:dns/promises': here('node-only.ts'),
  'node:fs': here('node-only.ts'),
  'node:fs/promises': here('node-only.ts'),
  'node:module': here('node-only.ts'),
  'node:util': here('node-only.ts'),
  'node:worker_threads': here('node-only.ts'),
  'classic-level': here('node-only.ts'),
  '@grpc/grpc-js': here('node-only.ts'),
}

/** Replaces the modules of {@link REPLACED}. The build fails if another module of Node is imported. */
export function browserModules(): Plugin {
  return {
    name: 'browser-modules',
    enforce: 'pre',
    resolveId: (id) => {
      const found = REPLACED[id]
      if (found === undefined && id.startsWith('node:')) throw new Error(`${id} has no replacement for browsers`)
      return found
    },
  }
}
