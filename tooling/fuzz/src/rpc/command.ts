import { readFileSync } from 'node:fs'
import { type Exchange, findProgram } from '@org/golden'
import { numberOf, optionsOf, UsageError } from '../usage.ts'
import { differenceOf } from './difference.ts'
import { startTargetNodes, type TargetNodes } from './nodes.ts'
import { type Found, type Summary, search } from './search.ts'
import { isAllowed } from './seeds.ts'

const OPTIONS = {
  requests: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string' },
  repeat: { type: 'string' },
} as const

const MAX_SHOWN = 400

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`
}

/** Returns a request in the text form that the option `--repeat` reads. */
const repeatable = ({ transport, request }: Exchange): string => JSON.stringify({ transport, request })

export function describeFound({ kind, modes, exchange, difference }: Found): string {
  return [
    '',
    `${[...modes].join(' and ')}: ${kind}`,
    `  at       ${difference.path}`,
    `  cometbft ${shown(difference.wanted)}`,
    `  halley   ${shown(difference.got)}`,
    `  repeat   pnpm fuzz rpc --repeat '${repeatable(exchange).replaceAll("'", "'\\''")}'`,
  ].join('\n')
}

function describeSummary({ requests, answers, equal, declared, found }: Summary): string {
  const number = (value: number): string => value.toLocaleString('en').padStart(9)
  const undeclared = [...found.values()].reduce((sum, { count }) => sum + count, 0)
  return [
    '',
    `${number(requests)} requests, each to a node with the default settings and to a strict one`,
    `${number(equal)} of ${answers.toLocaleString('en')} answers equal those of cometbft`,
    ...[...declared].map(([section, count]) => `${number(count)} answers differ as declared: ${section}`),
    `${number(undeclared)} answers differ without being declared, of ${found.size} kinds`,
    ...[...found.values()].map(({ kind, modes, count }) => `${number(count)}   ${[...modes].join(' and ')}: ${kind}`),
  ].join('\n')
}

async function repeat(given: string, { reference, candidates }: TargetNodes): Promise<boolean> {
  const text = given.startsWith('{') ? given : readFileSync(given, 'utf8')
  const exchange = { id: 'repeat', run: 'fuzz', response: {}, ...JSON.parse(text) } as Exchange
  if (!isAllowed(exchange)) throw new UsageError('--repeat: requests to dial and for /events are not sent')
  const wanted = await reference.send(exchange)
  console.log(`${reference.name}\n  ${JSON.stringify(wanted)}`)
  let isEqual = true
  for (const { node } of candidates) {
    const got = await node.send(exchange)
    const difference = differenceOf(wanted, got)
    if (difference !== undefined) isEqual = false
    console.log(`${node.name}: ${difference === undefined ? 'equal' : `differs at ${difference.path}`}`)
    if (difference !== undefined) console.log(`  ${JSON.stringify(got)}`)
  }
  return isEqual
}

/** Runs `pnpm fuzz rpc`. Returns false if an answer has a difference that DEVIATIONS.md does not declare. */
export async function runRpcCommand(args: readonly string[]): Promise<boolean> {
  const given = optionsOf(args, OPTIONS)
  const cometbft = findProgram('cometbft')
  if (cometbft === undefined)
    throw new UsageError("rpc compares with 'cometbft': put it on PATH, or name it in COMETBFT_BIN")
  const minutes = numberOf(given.minutes, 'minutes', Number.POSITIVE_INFINITY)
  const requests = numberOf(given.requests, 'requests', given.minutes === undefined ? 10_000 : Number.MAX_SAFE_INTEGER)
  const chance = numberOf(given.seed, 'seed', 1)
  await using nodes = await startTargetNodes(cometbft)
  if (typeof given.repeat === 'string') return await repeat(given.repeat, nodes)
  const summary = await search(
    { chance, requests, until: performance.now() + minutes * 60_000 },
    { ...nodes, onFound: (found) => console.log(describeFound(found)) },
  )
  console.log(describeSummary(summary))
  return summary.found.size === 0
}
