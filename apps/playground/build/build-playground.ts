import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { browserModules } from './browser-modules.ts'
import { buildNetwork } from './build-network.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const WORKER = 'src/worker/worker.ts'

/** Empties the folder `target`, and writes the page and its files to it. All addresses in the files are relative. */
export async function buildPlayground(target: string): Promise<void> {
  await build({
    root,
    configFile: false,
    base: './',
    logLevel: 'error',
    plugins: [browserModules()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      // No script and no image is inlined, because the page's Content-Security-Policy forbids inline scripts and
      // images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2024',
    },
  })
  await buildNetwork({ entry: WORKER, target, name: 'network.js' })
}
