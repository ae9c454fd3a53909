import { batch, computed, signal } from '@preact/signals'
import { SCENARIOS } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { readRun } from '../../session/run-address.ts'
import { DEFAULT_SETUP, type Setup } from '../../session/setup.ts'
import { chosenNode } from './choice.ts'
import { addressOfRun, begin, DEFAULT_SPEED, networkEvents, setSpeed } from './run.ts'

/** The scenario that the page shows; `undefined` if the page shows a network without a scenario. */
export const scenario = signal<Scenario | undefined>(undefined)
/** The index of the choice with which the user answered the scenario's question; `undefined` if there is no answer. */
export const answered = signal<number | undefined>(undefined)
/** One value for each claim of the scenario: true if the claim has come true. */
export const confirmed = computed(() => scenario.value?.claims.map(({ holds }) => holds(networkEvents.value)) ?? [])
/** A message about an address that the page cannot show; empty if the address is valid. */
export const notice = signal('')

/** Shows a scenario at the speed of the scenario. Without a scenario, shows a network at the default speed. */
function show(next: Scenario | undefined): void {
  batch(() => {
    scenario.value = next
    answered.value = undefined
    chosenNode.value = undefined
    notice.value = ''
  })
  setSpeed(next?.speed ?? DEFAULT_SPEED)
}

export function openScenario(next: Scenario): void {
  show(next)
  begin({ setup: next.setup, actions: next.actions, until: 0, bug: next.bug })
  history.pushState(null, '', `#find=${next.id}`)
}

/** Opens a network without a scenario and without planned actions. */
export function openFreely(setup: Setup = DEFAULT_SETUP): void {
  show(undefined)
  begin({ setup, actions: [], until: 0, bug: undefined })
  history.pushState(null, '', `#seed=${setup.seed}&n=${setup.validators}`)
}

/**
 * Opens the run in the address of the page. If the address has no run that the page can show, opens the scenario that
 * the address names, or else a network with the default setup.
 */
export function openAddress(): void {
  const text = location.hash.slice(1)
  const id = new URLSearchParams(text).get('find')
  const found = SCENARIOS.find((each) => each.id === id)
  const run = readRun(text)
  const bugIsKnown = run?.bug === undefined || SCENARIOS.some(({ bug }) => bug === run.bug)
  show(found)
  if (run !== undefined && bugIsKnown) begin(run)
  else if (found !== undefined) begin({ setup: found.setup, actions: found.actions, until: 0, bug: found.bug })
  else {
    begin({ setup: DEFAULT_SETUP, actions: [], until: 0, bug: undefined })
    if (text !== '') notice.value = 'The address of this page names no network that it can show, so it shows a new one.'
  }
}

/** Returns an address that opens the present run at the present moment, with its scenario. */
export function shareAddress(): string {
  const address = addressOfRun()
  return scenario.value === undefined ? address : address.replace('#', `#find=${scenario.value.id}&`)
}
