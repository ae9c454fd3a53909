import { cp, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The files of Swagger UI that the published package contains: the script and the style sheet of the page at `/docs`,
 * and the licences of the code in them.
 */
const FILES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css']

const [, , target = ''] = process.argv
const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
await mkdir(target, { recursive: true })
await Promise.all(FILES.map((name) => cp(join(source, name), join(target, name))))
