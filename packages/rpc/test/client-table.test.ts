import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { clientTableSource } from './client-table.ts'

const biome = new URL('../../../node_modules/.bin/biome', import.meta.url).pathname

test('default: the table of the client is what the routes say', async () => {
  const source = execFileSync(biome, ['format', '--stdin-file-path=table.ts'], {
    input: clientTableSource(),
    encoding: 'utf8',
    cwd: new URL('../../../', import.meta.url).pathname,
  })
  await expect(source).toMatchFileSnapshot('../src/client/table.ts')
})
