/** The keys that every chain has, which the page suggests for a query. */
export const COMMON_KEYS: readonly string[] = ['tx.height', 'tx.hash', 'block.height']
/** The operators of a condition, which are between the key and the value. */
export const OPERATORS: readonly string[] = ['=', '>', '>=', '<', '<=', 'CONTAINS', 'EXISTS']
/** The maximum number of suggestions that are shown for a query. */
const MOST = 8

/** Returns the last word of a query, which the user has not finished yet. */
function lastWord(text: string): string {
  let begin = text.length
  while (begin > 0 && !" =<>'".includes(text[begin - 1] ?? '')) begin--
  return text.slice(begin)
}

/** Whether the end of the query is inside quotes. */
const isQuoted = (text: string): boolean => text.split("'").length % 2 === 0

/**
 * Returns suggestions for the next word of a query: keys at the beginning of a condition, operators after a key, and
 * AND after a value.
 */
export function suggestionsFor(text: string, keys: readonly string[]): readonly string[] {
  if (isQuoted(text)) return []
  const word = lastWord(text)
  const before = text.slice(0, text.length - word.length)
  const condition = before.slice(before.lastIndexOf(' AND ') < 0 ? 0 : before.lastIndexOf(' AND ') + 5).trim()
  const starting = (list: readonly string[]): readonly string[] =>
    list.filter((each) => each.toLowerCase().startsWith(word.toLowerCase()) && each !== word).slice(0, MOST)
  if (condition === '') return starting(keys)
  if (/^[^\s=<>']+$/.test(condition)) return starting(OPERATORS)
  const isComplete = condition.endsWith("'") || condition.endsWith('EXISTS') || /[=<>]\s*\d+$/.test(condition)
  return isComplete && before.endsWith(' ') ? starting(['AND']) : []
}

/** Returns the query with `choice` in place of its last word, and a space after `choice`. */
export function completed(text: string, choice: string): string {
  const begin = text.slice(0, text.length - lastWord(text).length)
  const isText = choice === 'CONTAINS'
  return `${begin}${choice} ${isText ? "'" : ''}`
}

interface Fault {
  readonly holds: (query: string) => boolean
  readonly advice: string
}

const outsideQuotes = (query: string): string =>
  query
    .split("'")
    .filter((_part, i) => i % 2 === 0)
    .join(' ')

const FAULTS: readonly Fault[] = [
  {
    holds: (query) => query.split("'").length % 2 === 0,
    advice: "A quote is missing: write a text between two single quotes, such as app.key='name'.",
  },
  { holds: (query) => query.includes('"'), advice: "Use single quotes for texts: app.key='name'." },
  {
    holds: (query) => /(^|\s)OR(\s|$)/i.test(outsideQuotes(query)),
    advice: 'The query language has no OR: search once for each alternative.',
  },
  { holds: (query) => /\s(and|And)\s/.test(outsideQuotes(query)), advice: 'Write AND in capital letters.' },
  {
    holds: (query) => /(!=|<>)/.test(outsideQuotes(query)),
    advice: 'There is no operator for "not equal": use <, <=, =, >=, >, CONTAINS or EXISTS.',
  },
  {
    holds: (query) => /=\s*[a-z]/i.test(outsideQuotes(query).replace(/=\s*(TIME|DATE)\s/g, '')),
    advice: "A text needs single quotes: app.key='name'. Numbers, TIME and DATE need none.",
  },
  {
    holds: (query) => /([=<>]|\bCONTAINS)\s*$/.test(query),
    advice: 'The last condition has no value: write a value after the operator, such as tx.height > 5.',
  },
  {
    holds: (query) => /\bAND\s*$/.test(query),
    advice: 'A condition is missing after AND: write one, such as tx.height > 5, or remove AND.',
  },
  {
    holds: (query) => !/[=<>]|CONTAINS|EXISTS/.test(outsideQuotes(query)),
    advice: 'A condition is a key, an operator and a value, such as tx.height > 5 or app.key EXISTS.',
  },
]

/** Returns advice about the probable fault of a query that the node refused. */
export function queryAdvice(query: string): string | undefined {
  return FAULTS.find(({ holds }) => holds(query))?.advice
}
