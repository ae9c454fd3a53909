import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeTemporaryFolder } from '@org/golden'
import { executable, launchBrowser } from '@org/ui/testing'
import { serve } from '@org/ui/testing/serve-files'
import type { Browser } from 'playwright-core'
import { buildPlayground } from '../build/build-playground.ts'

/** Builds and serves the page, and calls `run` with a browser and the address of the page. */
export async function withSite(run: (browser: Browser, origin: string) => Promise<void>): Promise<void> {
  if (executable === undefined) throw new Error('there is no Chromium on PATH: install one')
  await using folder = await makeTemporaryFolder('halley-playground-')
  await buildPlayground(folder.path)
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.map(async (path) => [`/${relative(folder.path, path)}`, await readFile(path)] as const),
  )
  const served = await serve(new Map(files))
  const browser = await launchBrowser()
  try {
    await run(browser, served.origin)
  } finally {
    await browser.close()
    served.close()
  }
}
