import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { CountReporter } from './tooling/check/src/count-reporter.ts'

const files = (folders: string): string => `${folders}/{src,test}/**/*.test.ts`

export default defineConfig({
  test: {
    // Real processes and sockets take their time on small machines; nothing asserts on timing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is polled for comes when the machine has time for it.
    expect: { poll: { timeout: 10_000 } },
    // Networks of real processes share two cores there with everything else; on a developer's machine nothing is tried twice.
    retry: process.env.CI === 'true' ? 1 : 0,
    pool: 'forks',
    reporters: ['default', new CountReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: [files('packages/{types,runtime,abci,p2p,engine,simnet}'), files('tooling/{check,examples,sim}')],
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Networks of processes fill two cores by themselves, and recordings are replayed on the ports that they name.
          name: 'processes',
          include: [files('packages/rpc'), files('apps/*'), files('tooling/!(check|examples|sim)')],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
