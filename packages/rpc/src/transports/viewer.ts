import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type HttpResponse, typed } from '../http/index.ts'

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

/** Files that the page loads. */
const FILES: Readonly<Record<string, string>> = {
  '/docs/swagger-ui.css': 'text/css; charset=utf-8',
  '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/**
 * The optional package with Swagger UI. It does not run the install script of `swagger-ui-dist`. Node.js searches for
 * it from the package `@org/rpc`, even if this code is in a bundle.
 */
const PACKAGE = '@fastify/swagger-ui'

async function file(path: string, type: string): Promise<HttpResponse> {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('@org/rpc/server'))
    const found = resolve(`${PACKAGE}/static/${path.slice('/docs/'.length)}`)
    return { status: 200, headers: typed(type), body: [await readFile(found)] }
  } catch {
    const text = `the viewer is not installed: the package ${PACKAGE} is missing\n`
    return { status: 503, headers: typed('text/plain; charset=utf-8'), body: [text] }
  }
}

/** The page that shows the OpenAPI document, and the files of the page, by path. */
export const VIEWER_PATHS: readonly (readonly [path: string, () => Promise<HttpResponse>])[] = [
  ['/docs', async () => ({ status: 200, headers: typed('text/html; charset=utf-8'), body: [PAGE] })],
  ...Object.entries(FILES).map(([path, type]) => [path, () => file(path, type)] as const),
]
