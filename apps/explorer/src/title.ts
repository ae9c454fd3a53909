import { numberText } from './format/numbers.ts'
import type { Route } from './route.ts'

/** Returns the name of a screen for the tab and for the history of the browser. */
export function screenTitle({ screen, id }: Route, menuName: string | undefined): string {
  const short = id.slice(0, 12)
  if (screen === 'block') return `Block ${Number.isSafeInteger(Number(id)) ? numberText(Number(id)) : short}`
  if (screen === 'tx') return `Transaction ${short}`
  if (screen === 'hash') return `Hash ${short}`
  return menuName ?? 'Not found'
}
