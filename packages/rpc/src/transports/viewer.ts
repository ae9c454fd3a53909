import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { loadOnce } from '@org/runtime'
import { type HttpResponse, headerBlock, typed } from '../http/index.ts'

/** The page loads no files from other hosts, because such a host would learn the address of the node. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>RPC</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: 'openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null })</script>
</body>
</html>
`

/**
 * The headers of the page. With one click in the page a user sends a call, and the call may control a devnet. So no
 * page of another site may show this page in a frame, where the user does not see what the click does.
 */
const PAGE_HEADERS = headerBlock([
  ['Content-Security-Policy', "frame-ancestors 'none'"],
  ['Content-Type', 'text/html; charset=utf-8'],
  ['X-Frame-Options', 'DENY'],
])

/** Files that the page loads. */
const FILES: Readonly<Record<string, string>> = {
  '/docs/swagger-ui.css': 'text/css; charset=utf-8',
  '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/**
 * Returns the path of a file of Swagger UI. Node.js searches for the file from the package `@org/rpc`, even if this
 * code is in a bundle. The published package contains the file. In the repository, the file is in the package
 * `swagger-ui-dist`, which has many other files that users do not need.
 */
function viewerFile(name: string): string {
  const entry = createRequire(import.meta.url).resolve('@org/rpc/server')
  const published = join(dirname(entry), 'viewer', name)
  return existsSync(published) ? published : createRequire(entry).resolve(`swagger-ui-dist/${name}`)
}

/**
 * Returns a function that answers with a file of the page. The file is read once, because many requests at the same
 * time would each read a copy of it into memory. If reading fails, the next request reads again.
 */
function file(path: string, type: string): () => Promise<HttpResponse> {
  const read = loadOnce(() => readResponse(path, type))
  return async () => {
    try {
      return await read()
    } catch {
      const text = 'the files of the viewer are missing: install @org/rpc again\n'
      return { status: 503, headers: typed('text/plain; charset=utf-8'), body: [text] }
    }
  }
}

async function readResponse(path: string, type: string): Promise<HttpResponse> {
  const bytes = await readFile(viewerFile(path.slice('/docs/'.length)))
  return { status: 200, headers: typed(type), body: [bytes] }
}

/** The page that shows the OpenAPI document, and the files of the page, by path. */
export const VIEWER_PATHS: readonly (readonly [path: string, () => Promise<HttpResponse>])[] = [
  ['/docs', async () => ({ status: 200, headers: PAGE_HEADERS, body: [PAGE] })],
  ...Object.entries(FILES).map(([path, type]) => [path, file(path, type)] as const),
]
