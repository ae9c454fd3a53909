import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileErrorMessage, isPermissionDenied, PERMISSION_ADVICE } from './file-error.ts'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })

describe('fileErrorMessage', () => {
  test.each([
    coded('EACCES', "EACCES: permission denied, open '/x'"),
    coded('EPERM', "EPERM: operation not permitted, open '/x'"),
    coded('LEVEL_IO_ERROR', 'IO error: /x/CURRENT: Permission denied'),
  ])('default: an error about missing permissions contains the remedy: %s', (error) => {
    expect(isPermissionDenied(error)).toBe(true)
    expect(fileErrorMessage(error)).toBe(`${error.message}: ${PERMISSION_ADVICE}`)
  })

  test('behavior: the text of other errors of the system does not change', () => {
    const folder = mkdtempSync(join(tmpdir(), 'halley-runtime-'))
    rmdirSync(folder)
    expect(() => readdirSync(folder)).toThrow(
      expect.toSatisfy((error) => !isPermissionDenied(error) && fileErrorMessage(error) === (error as Error).message),
    )
    expect(fileErrorMessage(coded('LEVEL_IO_ERROR', 'IO error: /x: Input/output error'))).toMatch(/output error$/)
    expect(fileErrorMessage(undefined)).toBe('undefined')
  })
})
