import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = fileURLToPath(new URL('./', import.meta.url))

/** Empties the folder `target`, and writes the page and its files to it. All addresses in the files are relative. */
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
      // No script and no image is inside the HTML file, because the page's Content-Security-Policy forbids inline
      // scripts and images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
    },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExplorer(process.argv[2] ?? fileURLToPath(new URL('dist/', import.meta.url)))
}
