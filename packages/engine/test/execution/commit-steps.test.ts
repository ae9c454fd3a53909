import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commitSteps, REPLAY_STEPS } from '../../src/execution/commit/steps.ts'
import { BOOTSTRAP_STEPS, COMMIT_STEPS } from '../../src/execution/index.ts'
import { BACKFILL_STEPS } from '../../src/statesync/backfill/index.ts'

const document = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8')
const section = document.slice(document.indexOf('### A commit'), document.indexOf('The recoveries: '))
const BEFORE = ['', 'of the height before', 'of two heights before']

test('default: the table in ARCHITECTURE.md is the list of steps', () => {
  const wanted = COMMIT_STEPS.map(({ name, writes = '–', waitsFor, forced, recoversBy }) => {
    const waits = waitsFor.map((wait) =>
      typeof wait === 'string' ? `\`${wait}\`` : `\`${wait.step}\` ${BEFORE[wait.heightsBefore]}`,
    )
    return `| \`${name}\` | ${writes} | ${waits.join(', ') || '–'} | ${forced ? 'yes' : 'no'} | ${recoversBy} |`
  })
  expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(wanted)
})

test('default: the picture in ARCHITECTURE.md shows the same steps in the same order', () => {
  const names: readonly string[] = COMMIT_STEPS.map(({ name }) => name)
  const drawn = [...section.matchAll(/^ {2}(\S+) -(?:->|\. (.*) \.->) ([a-z-]+)/gm)]
    .map(([, from = '', label = '', to = '']) => `${from} ${label} ${to}`)
    .filter((edge) => names.includes(edge.split(' ')[0] ?? '') && names.includes(edge.split(' ').at(-1) ?? ''))
  const wanted = COMMIT_STEPS.flatMap(({ name, waitsFor }) =>
    waitsFor.map((wait) =>
      typeof wait === 'string' ? `${wait}  ${name}` : `${wait.step} ${BEFORE[wait.heightsBefore]} ${name}`,
    ),
  )
  expect(drawn.toSorted()).toEqual(wanted.toSorted())
  const forced = COMMIT_STEPS.filter((step) => step.forced).map(({ name }) => name)
  expect(forced.filter((name) => !section.includes(`${name}[(${name})]`))).toEqual([])
})

/** Returns the texts in backticks that consist of small letters and hyphens, as the names of steps do. */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, name = '']) => name)

/** Returns the part of ARCHITECTURE.md that begins with the text `from` and ends before the text `to`. */
const between = (from: string, to: string): string =>
  document.slice(document.indexOf(from), document.indexOf(to, document.indexOf(from)))

/** The names of system calls. The tables in ARCHITECTURE.md contain them in addition to the names of steps. */
const CALLS: readonly string[] = ['fdatasync', 'fsync']
const FORCED = COMMIT_STEPS.filter((step) => step.forced).map(({ name }) => name)

test('default: the section about forced writes has each forced step, and only steps', () => {
  const writes = between('## What is forced to disk, and why', '### A signer in another process')
  const known = [...CALLS, ...COMMIT_STEPS.map(({ name }) => name)]
  const cells = writes.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split('|').slice(1, 3) : []))
  expect(FORCED.filter((name) => !namesIn(writes).includes(name))).toEqual([])
  expect(cells.flatMap(namesIn).filter((name) => !known.includes(name))).toEqual([])
})

test('default: the table of the next start has each forced step, and only steps', () => {
  const starts = between('### What the next start does after a crash', 'Three tests crash')
  const steps: readonly string[] = [...COMMIT_STEPS, ...BOOTSTRAP_STEPS, ...BACKFILL_STEPS].map(({ name }) => name)
  const places = starts.split('\n').flatMap((line) => namesIn(line.split('|')[1] ?? ''))
  expect(FORCED.filter((name) => !places.includes(name))).toEqual([])
  expect(places.filter((name) => !steps.includes(name))).toEqual([])
})

test('behavior: an application in another process executes only saved blocks', () => {
  const waits = (isAppInProcess: boolean) =>
    commitSteps({ isAppInProcess }).find(({ name }) => name === 'finalize')?.waitsFor
  expect([waits(true), waits(false)]).toEqual([[], ['save-block']])
})

test('behavior: a replay performs the steps of the application, in the order of the list', () => {
  expect(REPLAY_STEPS).toEqual([
    { name: 'finalize', waitsFor: [] },
    { name: 'commit-app', waitsFor: ['finalize'] },
  ])
})
