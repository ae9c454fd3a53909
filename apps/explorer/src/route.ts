import { signal } from '@preact/signals'

/** A screen of the page with its parameters: the part of the address after `#`. */
export interface Route {
  /** The name of the screen, such as `block`; empty for the overview. */
  readonly screen: string
  /** The id of the object that the screen shows, such as the height of a block. */
  readonly id: string
  readonly query: URLSearchParams
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a screen and its parameters from the end of an address, such as `#/block/5?tab=txs`. */
function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [screen = '', ...rest] = path.split('/')
  return { screen, id: decoded(rest.join('/')), query: new URLSearchParams(query) }
}

/** Returns the address of a screen with its parameters. */
export function linkTo(screen: string, id: string | number = '', query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString()
  return `#/${screen}${id === '' ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`
}

export const route = signal<Route>(parseRoute(location.hash))

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash)
})

export function goTo(link: string): void {
  location.hash = link
}
