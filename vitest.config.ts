import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { CountReporter } from './tooling/check/src/count-reporter.ts'

const cores = availableParallelism()
const NETWORKS = 'apps/node/test/network*.test.ts'
const files = (folders: string): string => `${folders}/{src,test}/**/*.test.ts`

export default defineConfig({
  test: {
    // Real processes and sockets take their time on small machines; nothing asserts on timing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition that a test polls for becomes true when the machine has time for it.
    expect: { poll: { timeout: 10_000 } },
    // In continuous integration, networks of real processes share two cores with everything else. On a developer's
    // machine no test runs a second time.
    retry: process.env.CI === 'true' ? 1 : 0,
    pool: 'forks',
    reporters: ['default', new CountReporter()],
    projects: [
      {
        extends: true,
        test: {
          // Among these tests is one file that replays recordings on their original ports. `tooling/scenarios` has the
          // other such tests.
          name: 'packages',
          include: [
            files('packages/*'),
            files('apps/kvstore'),
            files('tooling/{build,check,examples,fuzz,golden,sim}'),
          ],
          maxWorkers: Math.max(2, cores - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Each of these tests starts one or two processes.
          name: 'processes',
          include: [
            files('apps/{node,explorer,playground}'),
            files('tooling/!(build|check|examples|fuzz|golden|sim)'),
            'examples/*/*.test.ts',
            'tooling/docs/snippets/*.test.ts',
          ],
          exclude: [NETWORKS],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // Networks of processes fill two cores by themselves.
          name: 'networks',
          include: [NETWORKS],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
