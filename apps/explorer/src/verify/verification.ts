import { effect, signal } from '@preact/signals'
import { status } from '../live/chain.ts'
import { forgetTrust, storedTrust, storeTrust, type Trust } from './trust.ts'
import type { Verifier } from './verifier.ts'

/** The state of the light client in this page. */
export type Verification =
  | { readonly state: 'off' }
  | { readonly state: 'starting'; readonly trust: Trust; readonly progress: string }
  | { readonly state: 'on'; readonly trust: Trust; readonly verifier: Verifier }
  | { readonly state: 'failed'; readonly trust: Trust; readonly error: unknown }

export const verification = signal<Verification>({ state: 'off' })

let starts = 0

/** Loads the code of the light client, and starts it from a header that the user trusts. */
export async function startVerification(trust: Trust): Promise<void> {
  const mine = ++starts
  const show = (next: Verification): void => {
    if (mine === starts) verification.value = next
  }
  stopVerifier()
  show({ state: 'starting', trust, progress: '' })
  try {
    const { createVerifier } = await import('./verifier.ts')
    const verifier = await createVerifier(trust, (progress) => {
      // The light client also reports the progress of later checks. Only the progress of its start is shown.
      if (verification.value.state === 'starting') show({ state: 'starting', trust, progress })
    })
    storeTrust(trust)
    if (mine === starts) show({ state: 'on', trust, verifier })
    else verifier.close()
  } catch (error) {
    show({ state: 'failed', trust, error })
  }
}

function stopVerifier(): void {
  const now = verification.value
  if (now.state === 'on') now.verifier.close()
}

/** Ends the light client, and removes the trusted header and all verified headers from the browser. */
export async function endVerification(): Promise<void> {
  const now = verification.value
  starts++
  verification.value = { state: 'off' }
  if (now.state === 'off') return
  forgetTrust(now.trust.chainId)
  if (now.state === 'on') {
    await now.verifier.forget()
    return
  }
  const { forgetHeaders } = await import('./verifier.ts')
  await forgetHeaders(now.trust.chainId)
}

/**
 * Waits for the chain id of the node. Then starts the light client if the browser keeps a trusted header of this chain.
 */
export function continueVerification(): void {
  let isDone = false
  effect(() => {
    const chainId = status.value?.nodeInfo.network
    if (isDone || chainId === undefined) return
    isDone = true
    const trust = storedTrust(chainId)
    if (trust !== undefined && verification.peek().state === 'off') void startVerification(trust)
  })
}
