import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import { defineSteps } from './define-steps.ts'
import { createStepRunner, type StepActions, type StepRun } from './run-steps.ts'

type Name = 'save' | 'execute' | 'commit' | 'clean'

const STEPS = defineSteps<Name, object>([
  { name: 'save', waitsFor: [{ step: 'clean', heightsBefore: 1 }] },
  { name: 'execute', waitsFor: [] },
  { name: 'commit', waitsFor: ['save', 'execute'] },
  { name: 'clean', waitsFor: ['commit'] },
])

const runSteps = createStepRunner(STEPS)

/** Runs steps that end only when the test calls `end` or `fail`. */
function setUp(earlier?: StepRun<Name>, without: readonly Name[] = []) {
  const begun: Name[] = []
  const ends = new Map<Name, PromiseWithResolvers<void>>()
  const actions: StepActions<Name> = Object.fromEntries(
    STEPS.filter(({ name }) => !without.includes(name)).map(({ name }) => [
      name,
      () => {
        begun.push(name)
        const end = Promise.withResolvers<void>()
        ends.set(name, end)
        return end.promise
      },
    ]),
  )
  const run = runSteps({ actions, earlier: [earlier] })
  const turn = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  const end = (name: Name): Promise<void> => {
    ends.get(name)?.resolve()
    return turn()
  }
  const fail = (name: Name, message: string): Promise<void> => {
    ends.get(name)?.reject(new Error(message))
    return turn()
  }
  return { run, begun, end, fail, turn }
}

test('default: a step begins when all steps that it waits for are done', async () => {
  const { run, begun, end } = setUp()
  expect(begun).toEqual(['save', 'execute'])
  await end('execute')
  expect(begun).toEqual(['save', 'execute'])
  await end('save')
  expect(begun).toEqual(['save', 'execute', 'commit'])
  const done = run.when('clean')
  await end('commit')
  await end('clean')
  await done
  await run.when('save')
})

test('behavior: a step without an action is done with the steps that it waits for', async () => {
  const { run, begun, end } = setUp(undefined, ['save', 'clean'])
  expect(begun).toEqual(['execute'])
  await run.when('save')
  await end('execute')
  await end('commit')
  await run.when('clean')
})

test('behavior: a step waits for a step of the previous run', async () => {
  const first = setUp()
  const next = setUp(first.run)
  expect(next.begun).toEqual(['execute'])
  await next.end('execute')
  for (const name of ['save', 'execute', 'commit'] as const) await first.end(name)
  expect(next.begun).toEqual(['execute'])
  await first.end('clean')
  expect(next.begun).toEqual(['execute', 'save'])
})

test('error: a failure ends the steps that wait for it, and is reported when no step is in progress', async () => {
  const { run, begun, end, fail, turn } = setUp()
  const reported: string[] = []
  run.when('clean').catch((error: Error) => reported.push(error.message))
  await fail('save', 'the disk is full')
  expect(reported).toEqual([])
  await end('execute')
  await turn()
  expect([reported, begun]).toEqual([['the disk is full'], ['save', 'execute']])
  await run.when('execute')
  await expect(run.when('commit')).rejects.toThrow('the disk is full')
})

test('error: a failure of the previous run reaches the steps that wait for it', async () => {
  const first = setUp()
  const next = setUp(first.run)
  await first.fail('save', 'the disk is full')
  await first.end('execute')
  await next.end('execute')
  await expect(next.run.when('commit')).rejects.toThrow('the disk is full')
  expect(next.begun).toEqual(['execute'])
})

test('behavior: onStep runs after each step that has an action, before the next one begins', async () => {
  const seen: string[] = []
  const run = runSteps({
    actions: { execute: () => void seen.push('execute'), commit: () => void seen.push('commit') },
    earlier: [],
    onStep: (step) => void seen.push(`after ${step}`),
  })
  await run.when('clean')
  expect(seen).toEqual(['execute', 'after execute', 'commit', 'after commit'])
})

test('error: a step may wait only for steps that are before it in the list', () => {
  const wrong = () =>
    defineSteps<'a' | 'b', object>([
      { name: 'a', waitsFor: ['b'] },
      { name: 'b', waitsFor: [] },
    ])
  expect(wrong).toThrow('the step a waits for b, which is not before it in the list')
})

test('behavior: a run keeps no reference to its finished actions or to the runs before it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const blocks: WeakRef<object>[] = []
  const begin = (earlier: StepRun<Name> | undefined): StepRun<Name> => {
    const block = { bytes: new Uint8Array(1000) }
    blocks.push(new WeakRef(block))
    const actions = { save: () => void block.bytes.fill(1), clean: () => void block.bytes.fill(2) }
    return runSteps({ actions, earlier: [earlier] })
  }
  let last: StepRun<Name> | undefined
  for (let height = 0; height < 5; height++) {
    last = begin(last)
    await last.when('clean')
  }
  await nextTurn()
  collect()
  expect(blocks.map((block) => block.deref())).toEqual(new Array(5).fill(undefined))
  // This call keeps `last` in memory during the garbage collection above.
  await last?.when('clean')
})
