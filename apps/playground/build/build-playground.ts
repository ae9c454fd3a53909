import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { browserModules } from './browser-modules.ts'
import { buildNetwork } from './build-network.ts'
import { plantedBug } from './plant.ts'
import { PLANTED } from './planted.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const WORKER = 'src/worker/worker.ts'

/** Writes the page and its files to the folder `target`, which is emptied before. All addresses in them are relative. */
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
      // No inline script, no inline image: the policy of the page refuses them.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2024',
    },
  })
  await buildNetwork({ entry: WORKER, target, name: 'network.js' })
  for (const bug of PLANTED) {
    await buildNetwork({ entry: WORKER, target, name: `network-${bug.name}.js`, plugins: [plantedBug(bug)] })
  }
}
