import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/* Bundles the page and serves it on loopback. The first argument is the port, for example `serve.ts 8080`. */

const bundle = await rolldown({
  input: fileURLToPath(new URL('page.ts', import.meta.url)),
  platform: 'browser',
  logLevel: 'silent',
})
const { output } = await bundle.generate({ format: 'esm', minify: true })
await bundle.close()
const html = readFileSync(new URL('index.html', import.meta.url))
const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src http://127.0.0.1:* ws://127.0.0.1:*"

const server = createServer((request, response) => {
  response.setHeader('content-security-policy', policy)
  if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(output[0].code)
  else response.setHeader('content-type', 'text/html').end(html)
})
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`)
})
