import type { NodeView } from '../session/view.ts'

const STEPS = [
  'starts',
  'waits for the next height',
  'enters a round',
  'waits for a proposal',
  'has prevoted',
  'waits for more prevotes',
  'has precommitted',
  'waits for more precommits',
  'commits a block',
]

/** Returns the state of a node in words, such as `height 3, round 0, has prevoted`. */
export function stateOf(view: NodeView, isByzantine: boolean): string {
  if (view.status === 'halted') return 'stopped by itself'
  if (view.status === 'down') return 'crashed'
  if (view.status !== 'running') return view.status
  const words = [`height ${view.height}, round ${view.round}, ${STEPS[view.step] ?? ''}`]
  if (view.locked !== undefined) words.push(`locked on block ${view.locked.block}`)
  if (view.isProposer) words.push('proposer')
  if (view.isFrozen) words.push('frozen')
  if (isByzantine) words.push('Byzantine')
  return words.join(', ')
}

/** Returns a virtual time in seconds, such as `2.600 s`. */
export function timeText(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`
}

/** Returns a speed as a factor of real time, such as `0.2×`. */
export function speedText(speed: number): string {
  return `${speed < 0.1 ? speed.toFixed(2) : speed < 1 ? speed.toFixed(2).replace(/0$/, '') : speed.toFixed(1).replace(/\.0$/, '')}×`
}
