import { expect, test } from 'vitest'
import { createTasks } from './index.ts'

const unexpected = (error: unknown): void => expect.unreachable(String(error))

test('default: idle waits for all tasks, also for a task that another task adds', async () => {
  const log: string[] = []
  const tasks = createTasks()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run = async (): Promise<void> => {
    await first.promise
    tasks.add(second.promise, unexpected)
  }
  tasks.add(run(), unexpected)
  const idle = tasks.idle().then(() => log.push('idle'))
  first.resolve()
  await new Promise(setImmediate)
  expect([tasks.size(), log]).toEqual([1, []])
  second.resolve()
  await idle
  expect([tasks.size(), log]).toEqual([0, ['idle']])
})

test('error: the error of a task is passed on once, and the wait for the end does not reject', async () => {
  const errors: unknown[] = []
  const tasks = createTasks()
  const error = new Error('broken')
  tasks.add(Promise.reject(error), (given) => void errors.push(given))
  await tasks.idle()
  expect([errors, tasks.size()]).toEqual([[error], 0])
})

test('edge: without a task, idle resolves at once', async () => {
  await createTasks().idle()
})
