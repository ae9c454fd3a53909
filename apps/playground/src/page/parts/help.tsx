import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

const isHelpOpen = signal(false)

export function openHelp(): void {
  isHelpOpen.value = true
}

function closeHelp(): void {
  isHelpOpen.value = false
}

const KEYS = [
  ['Space', 'play or pause'],
  ['.', 'the next message arrives'],
  [',', 'the next event'],
  ['+ and -', 'faster and slower'],
  ['r', 'the same run from its beginning'],
  ['n', 'another seed'],
  ['s', 'share this moment'],
  ['x', 'send a transaction'],
  ['Tab, Enter', 'choose a validator'],
  ['Escape', 'close a panel'],
  ['t', 'colours: of the system, light, dark'],
] as const

/** Explains the page, and lists its keyboard shortcuts. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isHelpOpen.value])
  return (
    <dialog ref={dialog} aria-label="Help" onClose={closeHelp}>
      <h2>A network of real nodes</h2>
      <p>
        The validators here are not a drawing of consensus: they are the nodes of Halley, with write-ahead log, signer,
        stores and gossip, on a simulated network, disk and clock. Nothing leaves this page.
      </p>
      <p>
        Press a link to cut it or to mend it. Press a validator to crash it, to freeze it, or to make it lie. No rule is
        broken as long as less than a third of the voting power lies. The rules of the simulator are checked at every
        step.
      </p>
      <p>The seed and your actions are in the address: everybody who opens it sees the same run, to the byte.</p>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
