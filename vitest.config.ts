import { defineConfig } from 'vitest/config'
import { CountReporter } from './tooling/check/src/count-reporter.ts'

export default defineConfig({
  test: {
    include: ['{packages,apps,tooling}/*/{src,test}/**/*.test.ts'],
    // Real processes and sockets take their time on small machines; nothing asserts on timing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Networks of real processes share two cores there with everything else; on a developer's machine nothing is tried twice.
    retry: process.env.CI === 'true' ? 1 : 0,
    pool: 'forks',
    reporters: ['default', new CountReporter()],
  },
})
