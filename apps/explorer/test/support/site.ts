import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { makeTemporaryFolder } from '@org/golden'
import { serve } from '@org/ui/testing/serve-files'
import { buildExplorer } from '../../build.ts'

/** The built page on a plain server. Unlike a node, the server sends no security headers. */
export interface Site {
  readonly origin: string
  /** The files by their address, such as `/index.html`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly close: () => Promise<void>
}

/** Builds the page and serves it. */
export async function startSite(): Promise<Site> {
  const folder = await makeTemporaryFolder('halley-explorer-')
  await buildExplorer(folder.path)
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, Uint8Array>(
    await Promise.all(paths.map(async (path) => [`/${relative(folder.path, path)}`, await readFile(path)] as const)),
  )
  const server = await serve(files)
  return {
    origin: server.origin,
    files,
    close: async () => {
      server.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}
