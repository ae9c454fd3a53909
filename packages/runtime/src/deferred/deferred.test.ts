import { expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'

test('the promise resolves with the value that its owner gives', async () => {
  const { promise, resolve } = createDeferred<number>()
  resolve(7)
  expect(await promise).toBe(7)
})

test('the promise rejects with the reason that its owner gives, and only the first call settles it', async () => {
  const { promise, resolve, reject } = createDeferred<number>()
  reject(new Error('no'))
  resolve(7)
  await expect(promise).rejects.toThrow('no')
})
