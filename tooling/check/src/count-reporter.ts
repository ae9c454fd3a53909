import type { Reporter, TestModule } from 'vitest/node'

/** A reporter for Vitest that prints one plain line at the end, for programs that read the output. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state]++
      }
      // A test file that could not be loaded has no tests. The file itself counts as one failure.
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) count.failed++
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }
}
