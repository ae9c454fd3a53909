import '../../src/platform/set-immediate.ts'
import { makeScenario, runScenario } from '@org/simnet/network'

/** Runs the simulation of a seed. Resolves with the digest of the run, and with the number of broken invariants. */
export async function digestOf(seed: number): Promise<{ readonly digest: string; readonly violations: number }> {
  const { digest, violations } = await runScenario(makeScenario(seed))
  return { digest, violations: violations.length }
}
