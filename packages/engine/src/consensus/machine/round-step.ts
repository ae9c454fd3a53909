/** The steps of a round, in their order. Their numbers are on the wire and in the WAL. */
export const RoundStep = {
  newHeight: 1,
  newRound: 2,
  propose: 3,
  prevote: 4,
  prevoteWait: 5,
  precommit: 6,
  precommitWait: 7,
  commit: 8,
} as const

/** A step of a round, as its number. */
export type RoundStep = (typeof RoundStep)[keyof typeof RoundStep]

const NAMES: Readonly<Record<RoundStep, string>> = {
  1: 'RoundStepNewHeight',
  2: 'RoundStepNewRound',
  3: 'RoundStepPropose',
  4: 'RoundStepPrevote',
  5: 'RoundStepPrevoteWait',
  6: 'RoundStepPrecommit',
  7: 'RoundStepPrecommitWait',
  8: 'RoundStepCommit',
}

/** Returns the step's name in events and in the WAL. */
export function roundStepName(step: RoundStep): string {
  return NAMES[step]
}

/** Returns true if the number is a step of a round. */
export function isRoundStep(step: number): step is RoundStep {
  return step >= 1 && step <= 8 && Number.isInteger(step)
}
