import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = fileURLToPath(new URL('./', import.meta.url))

/** Writes the page and its files to the folder `target`, which is emptied before. All addresses in them are relative. */
export async function buildExplorer(target: string): Promise<void> {
  await build({
    root: here,
    configFile: false,
    base: './',
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      // No inline script, no inline image: the policy of the page refuses them.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
    },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExplorer(process.argv[2] ?? fileURLToPath(new URL('dist/', import.meta.url)))
}
