import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { makeTemporaryFolder } from '@org/golden'
import { buildExplorer } from '../../build.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

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
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const name = pathname === '/' ? '/index.html' : pathname
    const file = files.get(name)
    if (file === undefined) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain').end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    close: async () => {
      server.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}
