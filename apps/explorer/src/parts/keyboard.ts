import { goTo, linkTo } from '../route.ts'

const SCREENS_BY_KEY: Readonly<Record<string, string>> = {
  o: '',
  b: 'blocks',
  v: 'validators',
  c: 'consensus',
  p: 'peers',
  s: 'send',
  n: 'chain',
  f: 'search',
  d: 'devnet',
}

/** The keys with their meanings, which the help shows. */
export const KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ['/', 'search'],
  ['j, k', 'next and previous row of a list; ↓ and ↑ too, when a row has the focus'],
  ['Enter', 'open the row'],
  ['← and →', 'the block before and after'],
  ['o, b, f, v, c, p', 'overview, blocks, search, validators, consensus, peers'],
  ['n, s, d', 'chain and node, send and query, devnet'],
  ['t', 'system, light or dark colours'],
  ['?', 'this help'],
]

function moveRow(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  if (rows.length === 0) return false
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))
  rows[next]?.focus()
  return true
}

/**
 * Whether a row of a table has the focus. The up and down keys then select another row; otherwise they scroll the
 * page.
 */
const isInList = (): boolean => document.activeElement?.hasAttribute('data-row') === true

/** Whether a wide table or a long text has the focus. The left and right keys then scroll the table or the text. */
const isInScroll = (): boolean => document.activeElement?.matches('.scroll, .text') === true

function follow(selector: string): boolean {
  if (isInScroll()) return false
  const link = document.querySelector<HTMLAnchorElement>(selector)
  link?.click()
  return link !== null
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)

interface KeyActions {
  readonly toggleHelp: () => void
  readonly switchTheme: () => void
}

function act(key: string, { toggleHelp, switchTheme }: KeyActions): boolean {
  const place = SCREENS_BY_KEY[key]
  if (place !== undefined) {
    goTo(linkTo(place))
    return true
  }
  if (key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus()
  else if (key === '?') toggleHelp()
  else if (key === 't') switchTheme()
  else if (key === 'j' || (key === 'ArrowDown' && isInList())) return moveRow(1)
  else if (key === 'k' || (key === 'ArrowUp' && isInList())) return moveRow(-1)
  else if (key === 'ArrowLeft') return follow('[data-previous]')
  else if (key === 'ArrowRight') return follow('[data-next]')
  else return false
  return true
}

/**
 * Begins to listen to the keyboard: when the user presses a key of {@link KEYS}, runs the action of this key. Returns a
 * function that ends the listening.
 */
export function listenToKeys(actions: KeyActions): () => void {
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur()
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.key !== '?' && document.querySelector('dialog[open]') !== null) return
    if (act(event.key, actions)) event.preventDefault()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
