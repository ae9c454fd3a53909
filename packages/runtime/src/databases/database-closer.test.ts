import { describe, expect, test } from 'vitest'
import { createDatabaseCloser } from './database-closer.ts'

function open(compact: () => Promise<void> = () => Promise.resolve()) {
  const done: string[] = []
  const closing = createDatabaseCloser({
    compactRange: (start, end) => {
      // The range that is compacted has no keys, because its start equals its end. So LevelDB only writes the entries
      // of its log to a table, and merges no tables.
      expect(start).toEqual(end)
      done.push('compact')
      return compact()
    },
    close: async () => void done.push('close'),
  })
  return { ...closing, done }
}

describe('createDatabaseCloser', () => {
  test('default: the log is emptied before the database closes, and no write follows', async () => {
    const { mayWrite, close, done } = open()
    expect(mayWrite()).toBe(true)
    const closed = close()
    expect(mayWrite()).toBe(false)
    await Promise.all([closed, close()])
    expect(done).toEqual(['compact', 'close'])
  })

  test('behavior: a database without new writes is closed without a write', async () => {
    const { close, done } = open()
    await close()
    expect(done).toEqual(['close'])
  })

  test('behavior: the database closes also if the disk is full', async () => {
    const { mayWrite, close, done } = open(() => Promise.reject(new Error('no space left')))
    mayWrite()
    await close()
    expect(done).toEqual(['compact', 'close'])
  })
})
