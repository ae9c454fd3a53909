import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishAll } from './publish.ts'
import { startRegistry } from './registry.ts'
import { TRIALS } from './trials.ts'

/**
 * A function that is called after each step, with the name of the step, its result and its duration in milliseconds.
 */
export type StepListener = (step: string, result: string, milliseconds: number) => void

/**
 * Rehearses a release: publishes every package to a registry on this machine, and uses the packages from this registry
 * in projects outside of the repository. Rejects at the first step that fails.
 */
export async function rehearse(onStep: StepListener): Promise<void> {
  const timed = async <T>(step: string, work: () => Promise<T>, describe: (value: T) => string): Promise<T> => {
    const begin = performance.now()
    const value = await work()
    onStep(step, describe(value), performance.now() - begin)
    return value
  }
  const folder = await mkdtemp(join(tmpdir(), 'halley-registry-'))
  try {
    const registry = await timed(
      'start a registry',
      () => startRegistry(folder),
      ({ url }) => url,
    )
    try {
      await timed(
        'build and publish',
        () => publishAll(registry),
        (published) => published.join(', '),
      )
      for (const trial of TRIALS)
        await timed(
          trial.name,
          () => trial.run(registry),
          (seen) => seen,
        )
    } finally {
      await registry.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
