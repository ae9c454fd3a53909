import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite } from './build-site.ts'
import { writePages } from './write-pages.ts'

const folder = new URL('../', import.meta.url).pathname
const { values } = parseArgs({
  options: { output: { type: 'string' }, base: { type: 'string' } },
})
const output = resolve(values.output ?? join(folder, 'dist/site'))

writePages(join(folder, '../..'))
await buildSite({ folder, output, base: values.base ?? '/' })
console.log(`The site is in ${output}. Serve this folder with any web server.`)
