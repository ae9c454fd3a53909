import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { examplesSource } from './examples-source.ts'

const biome = new URL('../../../node_modules/.bin/biome', import.meta.url).pathname

test('default: the examples of the documents are what was recorded', async () => {
  const source = execFileSync(biome, ['format', '--stdin-file-path=examples.ts'], {
    input: examplesSource(),
    encoding: 'utf8',
    cwd: new URL('../../../', import.meta.url).pathname,
  })
  await expect(source).toMatchFileSnapshot('../src/openapi/examples.ts')
})
