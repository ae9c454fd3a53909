import { BYZANTINE_SCENARIOS } from './byzantine-nodes.ts'
import { FAULT_SCENARIOS } from './faults.ts'
import { ROUND_SCENARIOS } from './rounds.ts'
import type { Scenario } from './scenario.ts'

/** The scenarios, in the order of the page. */
export const SCENARIOS: readonly Scenario[] = [...ROUND_SCENARIOS, ...FAULT_SCENARIOS, ...BYZANTINE_SCENARIOS]
