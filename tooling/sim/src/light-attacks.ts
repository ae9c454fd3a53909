import { attackLightClient, type LightClientResult, type LightClientScenario, type Violation } from '@org/simnet'

/** An attack of lying validators on a light client in a simulated network. */
export interface LightJob {
  readonly light: LightClientScenario
  /** The outcome that the attack must have. */
  readonly expected: LightClientResult['outcome']
}

type NamedLightJob = LightJob & { readonly name: string }

const EQUAL = [10n, 10n, 10n, 10n]
const [DETECTED, REFUSED] = ['detected', 'refused'] as const
/**
 * The lying validators have enough power for the attack. The first witness is one of them, and the second witness is
 * honest.
 */
const STRONG = { seed: 5, powers: EQUAL, witnesses: [1, 3] }
/** The lying validators have too little power for the attack. */
const WEAK = { seed: 6, powers: EQUAL, witnesses: [2, 3] }

const LIGHT: Readonly<Record<string, LightJob>> = {
  'light lunatic': { light: { ...STRONG, attack: 'lunatic', liars: [0, 1] }, expected: DETECTED },
  'light equivocation': { light: { ...STRONG, attack: 'equivocation', liars: [0, 1, 2] }, expected: DETECTED },
  'light amnesia': { light: { ...STRONG, attack: 'amnesia', liars: [0, 1, 2] }, expected: DETECTED },
  'light weak lunatic': { light: { ...WEAK, attack: 'lunatic', liars: [0] }, expected: REFUSED },
  'light weak equivocation': { light: { ...WEAK, attack: 'equivocation', liars: [0, 1] }, expected: REFUSED },
  'light weak amnesia': { light: { ...WEAK, attack: 'amnesia', liars: [0, 1] }, expected: REFUSED },
}

/** Returns all attacks on light clients. */
export const lightJobs = (): readonly NamedLightJob[] => Object.entries(LIGHT).map(([name, job]) => ({ name, ...job }))

/** Returns the attack with this name, or `undefined` if no attack has the name. */
export const lightJobNamed = (name: string): NamedLightJob | undefined => lightJobs().find((job) => job.name === name)

/** Runs an attack. Returns the violations. An outcome other than the expected one is a violation. */
export async function runLightAttack({ light, expected }: LightJob): Promise<readonly Violation[]> {
  const { outcome, violations } = await attackLightClient(light)
  if (outcome === expected) return violations
  return [...violations, { rule: 'light', detail: `the attack was ${outcome}, and not ${expected}`, atMs: 0 }]
}
