import { defineConfig } from 'vitest/config'
import { CountReporter } from './tooling/check/src/count-reporter.ts'

export default defineConfig({
  test: {
    include: ['{packages,apps,tooling}/*/{src,test}/**/*.test.ts'],
    // Real processes and sockets take their time on small machines; nothing asserts on timing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    reporters: ['default', new CountReporter()],
  },
})
