import { useEffect, useRef } from 'preact/hooks'
import { KEYS } from './keyboard.ts'

/** Shows the keyboard shortcuts of the page in a dialog. */
export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Keyboard shortcuts">
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        {KEYS.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}
