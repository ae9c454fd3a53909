import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json, JsonObject } from '@org/types/schema'
import { onTestFinished } from 'vitest'

/** The names and positions that lead to a member of a result. */
export type Path = readonly (string | number)[]

/** The position of the character that is changed in a text. */
export type Position = 'first' | 'middle' | 'last'

/** A lie: the method whose results are changed, and the member that is changed in each result. */
export interface Lie {
  readonly method: string
  readonly path: Path
  /** The position of the changed character in a text, or of the removed item in a list. Default: `first`. */
  readonly position?: Position
}

export interface LyingNode {
  readonly url: string
  /** From now on, changes answers as `lie` says. `undefined`: passes answers on unchanged. */
  readonly lie: (lie: Lie | undefined) => void
  /** Answers all calls with an error that has this text. */
  readonly refuse: (text: string) => void
  /** The methods that were called. */
  readonly calls: string[]
}

/** Returns another character that is also valid in hex, base64 and numbers. */
function otherCharacter(old: string): string {
  if (/[0-9]/.test(old)) return old === '1' ? '2' : '1'
  if (/[A-F]/.test(old)) return old === 'A' ? 'B' : 'A'
  return old === 'a' ? 'b' : 'a'
}

function otherText(value: string, position: Position): string {
  const places = [...value].flatMap((character, at) => (/[0-9A-Za-z+/]/.test(character) ? [at] : []))
  const at = { first: places[0], middle: places[Math.floor(places.length / 2)], last: places.at(-1) }[position]
  if (at === undefined) return `${value}A`
  return value.slice(0, at) + otherCharacter(value.charAt(at)) + value.slice(at + 1)
}

/** Returns another value of the same type. A text gets another character, and a list loses an item. */
function other(value: Json, position: Position): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return otherText(value, position)
  if (Array.isArray(value)) return position === 'last' ? value.slice(0, -1) : value.slice(1)
  throw new Error('this member cannot be changed')
}

function changed(value: Json, [name, ...rest]: Path, position: Position): Json {
  if (name === undefined) return other(value, position)
  const copy = structuredClone(value) as Record<string | number, Json>
  copy[name] = changed(copy[name] ?? null, rest, position)
  return copy as Json
}

/** Returns the paths to all members of a result that can be changed. A list counts as a member if it is not empty. */
export function membersOf(value: Json, path: Path = []): readonly Path[] {
  if (value === null) return []
  if (typeof value !== 'object') return [path]
  const inner = Array.isArray(value)
    ? value.flatMap((item: Json, at) => membersOf(item, [...path, at]))
    : Object.entries(value).flatMap(([name, item]) => membersOf(item as Json, [...path, name]))
  return Array.isArray(value) && value.length > 0 ? [path, ...inner] : inner
}

interface SentCall {
  readonly id: number
  readonly method: string
}

const refusalsOf = (calls: readonly SentCall[], data: string): readonly JsonObject[] =>
  calls.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error', data } }))

/** Starts a server that passes JSON-RPC calls on to a node, and changes one member of the answers. */
export async function startLyingNode(nodeUrl: string): Promise<LyingNode> {
  let current: Lie | undefined
  let refusal: string | undefined
  const calls: string[] = []

  /**
   * Passes calls on to the node, and returns the node's answers. Changes only the answer to the method that the current
   * lie names.
   */
  async function liesAbout(asked: readonly SentCall[], body: Buffer<ArrayBuffer>): Promise<readonly JsonObject[]> {
    const answers = [(await (await fetch(nodeUrl, { method: 'POST', body })).json()) as JsonObject].flat()
    const { path = [], position = 'first' } = current ?? {}
    return answers.map((answer) => {
      const method = asked.find(({ id }) => id === answer.id)?.method
      if (current?.method !== method || answer.result === undefined) return answer
      return { ...answer, result: changed(answer.result, path, position) }
    })
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const sent = JSON.parse(body.toString()) as SentCall | readonly SentCall[]
    const asked = [sent].flat() as readonly SentCall[]
    calls.push(...asked.map(({ method }) => method))
    response.setHeader('content-type', 'application/json')
    const replies = refusal === undefined ? await liesAbout(asked, body) : refusalsOf(asked, refusal)
    response.end(JSON.stringify(Array.isArray(sent) ? replies : replies[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (lie) => {
      current = lie
    },
    refuse: (text) => {
      refusal = text
    },
    calls,
  }
}
