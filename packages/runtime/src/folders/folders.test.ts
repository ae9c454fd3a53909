import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolders } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'halley-folders-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('default: missing parents are made, and existing folders are not changed', () => {
  const path = join(folder, 'a/b/c')
  makeFolders(path, 0o700)
  makeFolders(path, 0o755)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(() => makeFolders('/', 0o700)).not.toThrow()
})

test('error: a file at the path of a folder is refused', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => makeFolders(file, 0o700)).toThrow('EEXIST')
  expect(() => makeFolders(join(file, 'x'), 0o700)).toThrow('ENOTDIR')
})

test.skipIf(!existsSync('/proc/self'))('error: if the system cannot make a folder, its error is thrown', () => {
  expect(() => makeFolders('/proc/none/x/y', 0o700)).toThrow('ENOENT')
})
