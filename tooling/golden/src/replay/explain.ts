import type { Difference } from './compare.ts'

interface Differing {
  readonly id: string
  readonly differences: readonly unknown[]
}

/** The maximum number of answers that are explained. */
const MAX_ANSWERS = 5
/** The numbers of characters that are shown before and after the first different character. */
const [BEFORE, AFTER] = [40, 80]

/**
 * Describes the differing answers in a few lines. Each description has the id of the answer, the path of its first
 * difference, and the wanted and the given text around the first different character. Returns an empty text if no
 * answer differs.
 */
export function explainDifferences(answers: readonly Differing[]): string {
  const lines = answers.slice(0, MAX_ANSWERS).map(({ id, differences }) => {
    const [first] = differences as readonly Difference[]
    if (first === undefined) return id
    const [wanted, got] = [textOf(first.wanted), textOf(first.got)]
    let at = 0
    while (at < wanted.length && wanted[at] === got[at]) at++
    const place = `${id}: ${first.path || 'the answer'} differs at character ${at}`
    const more = differences.length > 1 ? `\n  and ${differences.length - 1} more differences` : ''
    return `${place}\n  wanted: ${around(wanted, at)}\n  got:    ${around(got, at)}${more}`
  })
  if (answers.length > MAX_ANSWERS) lines.push(`and ${answers.length - MAX_ANSWERS} more answers`)
  return lines.join('\n')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE)
  return `${from > 0 ? '…' : ''}${text.slice(from, at + AFTER)}${text.length > at + AFTER ? '…' : ''}`
}
