import { linkTo } from '../route.ts'

/**
 * Returns the link to the screen for a text in the search box: a block, the validators, a hash, or the results of a
 * query. Returns `undefined` for an empty text.
 */
export function searchLink(text: string): string | undefined {
  const asked = text.trim()
  const bare = asked.replace(/^0x/i, '').replaceAll(',', '')
  if (asked === '') return undefined
  if (/^\d{1,15}$/.test(bare)) return linkTo('block', bare)
  if (/^[\da-f]{40}$/i.test(bare)) return linkTo('validators', bare.toUpperCase())
  if (/^[\da-f]{64}$/i.test(bare)) return linkTo('hash', bare.toUpperCase())
  return linkTo('search', '', { q: asked })
}
