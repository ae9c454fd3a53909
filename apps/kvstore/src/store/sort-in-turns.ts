import { nextTurn } from '@org/runtime'

/** The number of items that are sorted or merged in one turn of the event loop. */
const SLICE = 4096

/** Merges two sorted lists. Gives the event loop a turn each time `SLICE` further items have been merged. */
async function merge(left: readonly string[], right: readonly string[]): Promise<string[]> {
  const merged: string[] = []
  let l = 0
  let r = 0
  while (l < left.length || r < right.length) {
    const first = left[l]
    const second = right[r]
    const isLeft = second === undefined || (first !== undefined && first <= second)
    merged.push((isLeft ? first : second) as string)
    if (isLeft) l++
    else r++
    if (merged.length % SLICE === 0) await nextTurn()
  }
  return merged
}

/** Returns the texts in ascending order. Long lists are sorted in turns, so that they do not hold the event loop. */
export async function sortInTurns(texts: readonly string[]): Promise<string[]> {
  let runs: string[][] = []
  for (let at = 0; at < texts.length; at += SLICE) {
    runs.push(texts.slice(at, at + SLICE).sort())
    if (texts.length > SLICE) await nextTurn()
  }
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(runs[i] as string[], runs[i + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}
