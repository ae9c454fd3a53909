import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { makeTemporaryFolder } from '@org/golden'
import { expect, test } from 'vitest'
import { buildSite } from '../src/build-site.ts'

const vitepress = createRequire(import.meta.url).resolve('vitepress/package.json')
const vue = dirname(createRequire(vitepress).resolve('vue/package.json'))
const config = new URL('../src/site-config.ts', import.meta.url).pathname

/** Builds the site of a small repository whose first page ends with `text`. */
async function buildWith(text: string): Promise<void> {
  await using folder = await makeTemporaryFolder('halley-docs-')
  const root = `${folder.path}/`
  for (const name of ['docs', 'src', '.vitepress', 'node_modules']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'docs/index.md'), `# First page\n\n${text}\n`)
  writeFileSync(join(root, 'docs/other.md'), '# Another page\n\n## A heading, and `code`\n')
  writeFileSync(join(root, 'src/file.ts'), 'export {}\n')
  symlinkSync(vue, join(root, 'node_modules/vue'))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const lines = [
    `import { siteConfig } from '${config}'`,
    `export default { ...siteConfig('${root}'), themeConfig: {} }`,
  ]
  writeFileSync(join(root, '.vitepress/config.ts'), lines.join('\n'))
  await buildSite({ folder: root, output: join(root, 'site') })
}

test('default: links to pages, headings and source files are accepted', async () => {
  await buildWith('[page](other.md) [heading](other.md#a-heading-and-code) [file](../src/file.ts) [folder](../src)')
})

test.each([
  ['[page](missing.md)', 'DOCS_BUILD_FAILED', 'docs/missing.md'],
  ['[page](/missing)', 'DOCS_BUILD_FAILED', 'missing'],
  ['[file](../src/missing.ts)', 'DOCS_BUILD_FAILED', 'src/missing.ts'],
  ['[outside](../../missing.md)', 'DOCS_BUILD_FAILED', 'missing.md'],
  ['[heading](other.md#missing-heading)', 'DOCS_DEAD_LINK', '/other.html#missing-heading'],
  ['[heading](#missing-heading)', 'DOCS_DEAD_LINK', '#missing-heading'],
  ['<<< ../src/missing.ts', 'DOCS_BUILD_FAILED', 'src/missing.ts'],
])('errors: %s makes the build fail', async (text, code, named) => {
  await expect(buildWith(text)).rejects.toMatchObject({ code, message: expect.stringContaining(named) })
})
