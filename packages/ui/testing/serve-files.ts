import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

/** A server of static files on this machine. */
export interface Served {
  readonly origin: string
  readonly close: () => void
}

/** Serves files by their address, such as `/index.html`, as a plain server of static files does. */
export async function serve(files: ReadonlyMap<string, string | Uint8Array>): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const name = pathname === '/' ? '/index.html' : pathname
    const file = files.get(name)
    if (file === undefined) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain').end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
