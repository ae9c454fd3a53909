import { createSystemRandom } from '@org/runtime'
import { switchTheme } from '@org/ui/theme'
import { MAX_SEED } from '../session/setup.ts'
import { choose, chosenNode } from './live/choice.ts'
import { isPlaying, restart, run, setPlaying, setSpeed, speed, step } from './live/run.ts'
import { openFreely } from './live/scenario.ts'
import { openHelp } from './parts/help.tsx'
import { sendTransaction } from './parts/node-panel.tsx'
import { share } from './parts/share.tsx'

const FASTER = 1.5

/** Opens a network with another seed. */
function otherSeed(): void {
  if (run.value !== undefined)
    openFreely({ ...run.value.setup, powers: [], seed: createSystemRandom().below(MAX_SEED) })
}

const KEYS: Readonly<Record<string, () => void>> = {
  ' ': () => setPlaying(!isPlaying.value),
  '.': () => step('message'),
  ',': () => step('event'),
  '+': () => setSpeed(speed.value * FASTER),
  '-': () => setSpeed(speed.value / FASTER),
  '?': openHelp,
  Escape: () => choose(undefined),
  n: otherSeed,
  r: restart,
  s: () => void share(),
  t: switchTheme,
  x: () => sendTransaction(chosenNode.value ?? 0),
}

/**
 * True if the focused element reacts to the key, for example a text field. The page then runs no shortcut for the key.
 */
function handlesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' || key === ' '
  return (target instanceof HTMLButtonElement || target.tabIndex >= 0) && key === ' ' && target !== document.body
}

/** Runs the action of a keyboard shortcut when the user presses its key. */
export function startKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || handlesKey(event.target, event.key)) return
    // While the dialog with the help is open, no shortcut runs. The browser closes the dialog at the key Escape.
    if (document.querySelector('dialog[open]') !== null) return
    const run = KEYS[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  })
}
