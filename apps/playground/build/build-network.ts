import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { browserModules } from './browser-modules.ts'
import { plantedBugs } from './plant.ts'
import { PLANTED } from './planted.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export interface NetworkBundle {
  /** The path of the file at which the bundle begins, relative to the folder of this package. */
  readonly entry: string
  /** The folder that gets the bundle. The other files in this folder are kept. */
  readonly target: string
  /** The name of the bundle, such as `network.js`. */
  readonly name: string
}

/**
 * Bundles engine and simulator as one module for browsers. With the query `bug` in its address, such as
 * `network.js?bug=power-half`, the module has nodes with this planted bug.
 */
export async function buildNetwork({ entry, target, name }: NetworkBundle): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [browserModules(), plantedBugs(PLANTED)],
    // Modules that ask for the operating system receive the name `browser`.
    define: { 'process.platform': '"browser"' },
    build: {
      outDir: target,
      emptyOutDir: false,
      target: 'es2024',
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(`../${entry}`, import.meta.url)),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: name, format: 'es', codeSplitting: false },
      },
    },
  })
}
