import '../../src/platform/set-immediate.ts'
import { makeScenario, runScenario } from '@org/simnet/network'

/** The digest of the run of a seed, and the number of broken rules. */
export async function digestOf(seed: number): Promise<{ readonly digest: string; readonly violations: number }> {
  const { digest, violations } = await runScenario(makeScenario(seed))
  return { digest, violations: violations.length }
}
