import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPlayground } from './build-playground.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

const args = process.argv.slice(2)
const port = args.find((arg) => arg.startsWith('--port='))?.slice('--port='.length)
const target = args.find((arg) => !arg.startsWith('--')) ?? fileURLToPath(new URL('../dist/', import.meta.url))

await buildPlayground(target)
console.log(`Built the playground into ${target}`)

if (args.includes('--serve')) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const file = await readFile(join(target, normalize(name))).catch(() => undefined)
    if (file === undefined) return void response.writeHead(404).end('not found\n')
    response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream').end(file)
  })
  server.listen(Number(port ?? 4173), '127.0.0.1', () => {
    const address = server.address()
    console.log(`Playground: http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/ (Ctrl+C ends it)`)
  })
}
