import { readActions, type TimedAction, writeActions } from './action.ts'
import { DEFAULT_SETUP, MAX_SEED, MAX_VALIDATORS, MIN_VALIDATORS, type Setup } from './setup.ts'

/** The data from which anybody can repeat a run. */
export interface Run {
  readonly setup: Setup
  readonly actions: readonly TimedAction[]
  /**
   * The virtual time at which the page pauses the run, in milliseconds with at most three decimals; 0 shows the
   * beginning.
   */
  readonly until: number
  /** The name of the bug that is planted in the nodes, if there is one. */
  readonly bug: string | undefined
}

const MAX_LATENCY_MS = 5000
const MAX_POWER = 1000
const MAX_UNTIL_MS = 3_600_000

/** Writes a run as the part of an address after `#`. */
export function writeRun({ setup, actions, until, bug }: Run): string {
  const { seed, validators, powers, latencyMs, txEveryMs } = setup
  const parts = [`seed=${seed}`, `n=${validators}`]
  if (powers.length > 0) parts.push(`powers=${powers.join('.')}`)
  if (latencyMs.join() !== DEFAULT_SETUP.latencyMs.join()) parts.push(`latency=${latencyMs.join('.')}`)
  if (txEveryMs > 0) parts.push(`tx=${txEveryMs}`)
  if (bug !== undefined) parts.push(`bug=${bug}`)
  if (actions.length > 0) parts.push(`do=${writeActions(actions)}`)
  if (until > 0) parts.push(`t=${Number(until.toFixed(3))}`)
  return parts.join('&')
}

function wholeOf(text: string | null, least: number, most: number): number | undefined {
  const value = /^\d{1,10}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** Reads a virtual time in milliseconds with at most three decimals. */
function momentOf(text: string): number | undefined {
  const value = /^\d{1,7}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  return value <= MAX_UNTIL_MS ? value : undefined
}

function listOf(text: string | null, most: number): readonly number[] | undefined {
  if (text === null) return []
  const values = text.split('.').map((part) => wholeOf(part, 1, most))
  return values.every((value) => value !== undefined) ? values : undefined
}

/** Reads a run that {@link writeRun} wrote. Returns `undefined` if a value is invalid, or if the seed is missing. */
export function readRun(text: string): Run | undefined {
  const given = new URLSearchParams(text)
  const seed = wholeOf(given.get('seed'), 0, MAX_SEED)
  const validators = wholeOf(given.get('n') ?? String(DEFAULT_SETUP.validators), MIN_VALIDATORS, MAX_VALIDATORS)
  const powers = listOf(given.get('powers'), MAX_POWER)
  const latency = listOf(given.get('latency') ?? DEFAULT_SETUP.latencyMs.join('.'), MAX_LATENCY_MS)
  const txEveryMs = wholeOf(given.get('tx') ?? '0', 0, MAX_UNTIL_MS)
  const until = momentOf(given.get('t') ?? '0')
  if (seed === undefined || validators === undefined || powers === undefined || latency === undefined) return undefined
  const [low, high] = latency
  if (txEveryMs === undefined || until === undefined || low === undefined || high === undefined || low > high)
    return undefined
  const actions = powers.length <= validators ? readActions(given.get('do') ?? '', validators) : undefined
  if (actions === undefined) return undefined
  return {
    setup: { seed, validators, powers, latencyMs: [low, high], txEveryMs },
    actions,
    until,
    bug: given.get('bug') ?? undefined,
  }
}
