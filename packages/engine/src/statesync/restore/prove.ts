import { type Clock, messageOf, withTimeLimit } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { RestoreError } from './errors.ts'
import type { Restored, StateProvider } from './ports.ts'

/** A value that the state provider has proven, or the reason why it could not prove the value. */
export type Proof<T> =
  | { readonly isProven: true; readonly value: T }
  | { readonly isProven: false; readonly reason: string }

export interface ProofLimits {
  readonly clock: Clock
  readonly proofMs: number
  readonly signal: AbortSignal
}

/**
 * Runs a request of the state provider with a time limit. If the provider does not prove a value, the result contains
 * the reason. An error is thrown only if it must end state sync.
 */
export async function prove<T>(
  { clock, proofMs, signal }: ProofLimits,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<Proof<T>> {
  signal.throwIfAborted()
  const late = () => new DOMException(`the servers sent no proof within ${proofMs} ms`, 'TimeoutError')
  try {
    return { isProven: true, value: await withTimeLimit({ clock, ms: proofMs, late, signal }, request) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RestoreError) throw error
    return { isProven: false, reason: messageOf(error) }
  }
}

/**
 * Resolves with the state and the commit of a height. If the state, the commit and the proven app hash do not belong
 * to one block of this height, the result contains a reason instead.
 */
export async function proveChain(
  limits: ProofLimits,
  provider: StateProvider,
  { height, appHash }: { readonly height: number; readonly appHash: Uint8Array },
): Promise<Proof<Restored>> {
  const proof = await prove(limits, async (signal) => ({
    state: await provider.state(height, signal),
    commit: await provider.commit(height, signal),
  }))
  if (!proof.isProven) return proof
  const { state, commit } = proof.value
  const isOfHeight = state.lastBlockHeight === height && commit.height === height
  const isOneBlock = equalBytes(state.lastBlockId.hash, commit.blockId.hash)
  if (isOfHeight && isOneBlock && equalBytes(state.appHash, appHash)) return proof
  return { isProven: false, reason: 'the proven state, commit and app hash are not of the same block' }
}
