import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HOME_ERRORS } from './errors.ts'
import { makeNodeKey, readNodeKey } from './node-key.ts'

test('error: the message for a damaged node key does not contain a part of the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'halley-node-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'node_key.json')
  makeNodeKey(file)
  const { priv_key: key } = JSON.parse(readFileSync(file, 'utf8')) as { readonly priv_key: { readonly value: string } }
  writeFileSync(file, `key ${key.value}`)
  const message = `${file} is damaged: it is not valid JSON`
  expect(() => readNodeKey(file)).toThrow(expect.objectContaining({ code: HOME_ERRORS.corrupt, message }))
})
