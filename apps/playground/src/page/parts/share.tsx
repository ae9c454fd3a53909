import { signal } from '@preact/signals'
import { digest, isPlaying, setPlaying } from '../live/run.ts'
import { shareAddress } from '../live/scenario.ts'

const status = signal('')
const DIGEST_DIGITS = 12

/** Puts the address of this moment into the address bar and the clipboard. */
export async function share(): Promise<void> {
  setPlaying(false)
  const address = shareAddress()
  history.replaceState(null, '', address)
  try {
    await navigator.clipboard.writeText(address)
    status.value = 'Copied the address of this moment'
  } catch {
    status.value = 'The address bar has the address of this moment'
  }
}

/**
 * Shows the digest of the run, and the button that copies the address. Two people with the same digest see the same
 * run.
 */
export function Share() {
  return (
    <div class="share">
      <span class="status" role="status">
        {status.value}
      </span>
      {!isPlaying.value && digest.value !== '' && (
        <span
          class="digest dim"
          title="The hash of everything that has happened. With the same address, everybody sees the same digest."
        >
          digest {digest.value.slice(0, DIGEST_DIGITS)}
        </span>
      )}
      <button type="button" onClick={() => void share()} title="Copy the address (s)">
        Share this moment
      </button>
    </div>
  )
}
