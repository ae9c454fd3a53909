import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite, previewSite } from './build-site.ts'
import { writePages } from './write-pages.ts'

const folder = new URL('../', import.meta.url).pathname
const { values } = parseArgs({
  options: { output: { type: 'string' }, base: { type: 'string' }, preview: { type: 'boolean' } },
})

writePages(join(folder, '../..'))
if (values.preview === true) await previewSite(folder)
else {
  const output = resolve(values.output ?? join(folder, 'dist/site'))
  await buildSite({ folder, output, base: values.base ?? '/' })
  console.log(`The site is in ${output}. Serve this folder with any web server, for example:`)
  console.log(`  python3 -m http.server --bind 127.0.0.1 --directory ${output} 8080   # http://127.0.0.1:8080`)
}
