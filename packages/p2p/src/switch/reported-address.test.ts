import { createDeferred } from '@org/runtime'
import { expect, test } from 'vitest'
import { MAX_LOOKUPS } from './limits.ts'
import { limitLookups } from './reported-address.ts'

test('limit: a host name is not resolved while too many others are being resolved', async () => {
  const asked: string[] = []
  const answer = createDeferred<string>()
  const resolve = limitLookups((name) => {
    asked.push(name)
    return answer.promise
  })
  const first = Array.from({ length: MAX_LOOKUPS }, (_, i) => resolve(`peer-${i}`))
  await expect(resolve('further')).rejects.toMatchObject({ code: 'ADDRESS_LOOKUP' })
  expect(asked.length).toBe(MAX_LOOKUPS)
  answer.resolve('1.2.3.4')
  await Promise.all(first)
  expect(await resolve('later')).toBe('1.2.3.4')
})

test('error: a lookup that fails leaves room for another one', async () => {
  const resolve = limitLookups(() => Promise.reject(new Error('no address')))
  for (let i = 0; i < 2 * MAX_LOOKUPS; i++) await expect(resolve('peer')).rejects.toThrow('no address')
})
