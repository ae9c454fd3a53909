import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Runs a server on a free port of loopback. It serves the files of a folder at the path `base`. */
export function serveFolder(
  folder: string,
  base = '/',
): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.replace(base, '')
    const file = join(folder, path === '' || path.endsWith('/') ? `${path}index.html` : path)
    if (!existsSync(file)) {
      // The server answers with the file `404.html` for a missing page, as GitHub Pages does.
      response.writeHead(404, { 'content-type': 'text/html' })
      return void response.end(readFileSync(join(folder, '404.html')))
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ origin: `http://127.0.0.1:${port}`, close: () => void server.close() })
    })
  })
}
