import type { RestoreProgress } from '@org/engine'

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** One line about state sync for a person: which snapshot, how many chunks of how many, from how many peers. */
export function progressText({ phase, snapshot, applied, senders, peers }: RestoreProgress): string {
  if (snapshot === undefined) return 'state sync: looking for a snapshot'
  const { height, chunks } = snapshot
  const of = `the snapshot of height ${height}`
  if (phase === 'proving')
    return `state sync: proving ${of}, which ${count(peers, 'peer')} ${peers === 1 ? 'offers' : 'offer'}`
  if (phase === 'verifying')
    return `state sync: verifying ${of} (${count(chunks, 'chunk')} from ${count(senders, 'peer')})`
  return `state sync: restoring ${of}: ${applied} of ${count(chunks, 'chunk')}, from ${count(senders, 'peer')}`
}
