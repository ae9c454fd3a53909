import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { browserModules } from './browser-modules.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export interface NetworkBundle {
  /** The file of this package that is bundled. */
  readonly entry: string
  /** The folder that gets the bundle. The other files in this folder are kept. */
  readonly target: string
  /** The name of the bundle, such as `network.js`. */
  readonly name: string
  readonly plugins?: readonly Plugin[]
}

/** Bundles engine and simulator as one module for browsers. */
export async function buildNetwork({ entry, target, name, plugins = [] }: NetworkBundle): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [browserModules(), ...plugins],
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
