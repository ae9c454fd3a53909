import { expect, test } from 'vitest'
import { createCleanups } from './index.ts'

test('default: the cleanups run in reverse order, each after the end of the one before', async () => {
  const log: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => void log.push('a'))
  cleanups.add(async () => {
    log.push('b begins')
    await Promise.resolve()
    log.push('b ends')
  })
  expect(cleanups.size()).toBe(2)
  await cleanups.run()
  expect([log, cleanups.size()]).toEqual([['b begins', 'b ends', 'a'], 0])
})

test('error: if cleanups fail, the others run, and the first error is thrown', async () => {
  const log: string[] = []
  const cleanups = createCleanups()
  const broken = (name: string) => () => {
    throw new Error(name)
  }
  cleanups.add(() => void log.push('a'))
  cleanups.add(broken('b'))
  cleanups.add(() => Promise.reject(new Error('c')))
  await expect(cleanups.run()).rejects.toThrow('c')
  expect(log).toEqual(['a'])
})

test('behavior: each cleanup runs once, and a later run calls only the cleanups that were added since', async () => {
  const log: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => void log.push('a'))
  await Promise.all([cleanups.run(), cleanups.run()])
  cleanups.add(() => void log.push('b'))
  await cleanups.run()
  expect(log).toEqual(['a', 'b'])
})
