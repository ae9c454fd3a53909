import { readFileSync } from 'node:fs'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { expect, test } from 'vitest'
import type { LightClient } from '../src/index.ts'
import { createVerifiedMethods } from '../src/verified/index.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

/**
 * Returns the rows of the README's table of methods. Each row has the names in its first column and the text of its
 * last column.
 */
function rowsOfTable(): readonly (readonly [methods: readonly string[], notVerified: string])[] {
  const [, table = ''] = README.split('| method | verified | not verified |\n|---|---|---|\n')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
  return rows.map((row) => {
    const [, methods = '', , notVerified = ''] = row.split('|')
    return [namesIn(methods), notVerified]
  })
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w.…]+)`/g)].map(([, name]) => name as string)

test('the table of the README names every method, in the row that says how much of its answer is verified', () => {
  const client = createRpcClient(createHttpTransport('http://127.0.0.1:1'))
  const {
    light: _light,
    unverified,
    close: _close,
    ...verified
  } = createVerifiedMethods({}, { client, light: {} as LightClient })
  const rows = rowsOfTable()
  const [, unverifiedNames = ''] = rows.find(([methods]) => methods[0] === 'unverified.…') ?? []
  const named = rows.flatMap(([methods]) => methods).filter((name) => name !== 'unverified.…')
  expect(named.toSorted()).toEqual(Object.keys(verified).toSorted())
  const others = Object.keys(unverified).filter(
    (name) => !Object.hasOwn(verified, name) && !['batch', 'close'].includes(name),
  )
  expect(namesIn(unverifiedNames).toSorted()).toEqual(others.toSorted())
})
