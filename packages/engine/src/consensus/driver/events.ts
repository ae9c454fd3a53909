import type { EventData } from '@org/types'
import { type HeightRoundStep, type RoundEvent, roundStepName } from '../machine/index.ts'

export function eventDataOf(event: RoundEvent): EventData {
  return event.type === 'Vote' ? event : { ...event, step: roundStepName(event.step) }
}

export function newRoundStepEvent({ height, round, step }: HeightRoundStep): EventData {
  return { type: 'NewRoundStep', height, round, step: roundStepName(step) }
}
