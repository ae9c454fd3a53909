import { RequestQuery } from '@org/types/abci'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createApp } from './create-app.ts'
import { reportToStderr } from './report-to-stderr.ts'
import { query } from './routes.ts'

function reported(error: unknown): string {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  reportToStderr(error, 'the message transfer')
  const text = String(written.mock.calls[0]?.[0])
  written.mockRestore()
  return text
}

const withStack = (...places: readonly string[]): Error =>
  Object.assign(new Error('boom'), { stack: ['Error: boom', ...places.map((place) => `    at ${place}`)].join('\n') })

test('default: the stack has the lines of the application only, at the places of its files', () => {
  const error = withStack(
    'pay (file:///home/me/src/app.ts?load=8:16:23)',
    'file:///home/me/src/app.ts?load=8:20:1',
    'perform (file:///home/me/node_modules/@org/app/dist/routes.js:20:33)',
    'process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
  )
  expect(reported(error)).toBe(
    'the message transfer failed: Error: boom\n    at pay (file:///home/me/src/app.ts:16:23)\n    at file:///home/me/src/app.ts:20:1',
  )
})

test('edge: an error of a library has its whole stack, and a value that is not an error is shown as text', () => {
  const place = 'perform (file:///home/me/node_modules/lib/index.js:20:33)'
  expect(reported(withStack(place))).toContain(place)
  expect(reported('five')).toBe('the message transfer failed: five')
})

test('error: control characters in an error do not reach the terminal', () => {
  expect(reported(new Error('bad key \u001b[2J'))).toContain('Error: bad key \\u001b[2J\n')
  expect(reported('\u009b31m')).toBe('the message transfer failed: \\u009b31m')
})

test('default: an error of a query is reported', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const fail = query(z.undefined(), () => {
    throw new Error('boom')
  })
  const app = createApp({ messages: {}, queries: { fail } })
  expect(await app.query(RequestQuery.create({ path: '/fail' }))).toMatchObject({ code: 1, log: 'boom' })
  expect(String(written.mock.calls[0]?.[0])).toContain('the query /fail failed: Error: boom')
  written.mockRestore()
  await app.close()
})
