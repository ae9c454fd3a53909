import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeFileAtomic } from './write-atomic.ts'

describe('writeFileAtomic', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atomic-'))
    return () => rmSync(folder, { recursive: true })
  })
  const at = (name: string): string => join(folder, name)

  it('default: replaces the file with mode 0600, and leaves no other file', async () => {
    writeFileSync(at('key'), 'old')
    await writeFileAtomic(at('key'), 'new')
    expect(readFileSync(at('key'), 'utf8')).toBe('new')
    expect(statSync(at('key')).mode & 0o777).toBe(0o600)
    expect(existsSync(at('key.tmp'))).toBe(false)
  })

  it('behavior: a leftover file that others may read does not change the permissions of the new file', async () => {
    writeFileSync(at('key.tmp'), 'left by a crash')
    chmodSync(at('key.tmp'), 0o666)
    await writeFileAtomic(at('key'), 'secret')
    expect(statSync(at('key')).mode & 0o777).toBe(0o600)
  })

  it('behavior: a symbolic link in the place of the temporary file is not followed', async () => {
    writeFileSync(at('elsewhere'), 'of somebody else')
    symlinkSync(at('elsewhere'), at('key.tmp'))
    await writeFileAtomic(at('key'), 'secret')
    expect(readFileSync(at('elsewhere'), 'utf8')).toBe('of somebody else')
    expect(readFileSync(at('key'), 'utf8')).toBe('secret')
  })
})
