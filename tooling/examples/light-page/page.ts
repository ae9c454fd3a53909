/// <reference lib="dom" />
import {
  createHttpProvider,
  createMemoryLightStore,
  hashOf,
  isLightFailure,
  LIGHT_ERRORS,
  type LightBlock,
} from '@org/light'
import { ics23Operators } from '@org/light/ics23'
import { createVerifiedClient, type VerifiedClient } from '@org/light/verified'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createSystemClock, type LogFields, noopLogger } from '@org/runtime'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { lyingTransport } from './lies.ts'

const ROWS = 12
const PAUSE_MS = 500
const DAY = 24n * 3600n * 1_000_000_000n

const clock = createSystemClock()
const element = (id: string): HTMLElement => document.getElementById(id) as HTMLElement
const input = (id: string): HTMLInputElement => element(id) as HTMLInputElement
const fieldOf = (id: string): string => input(id).value.trim()
const isLying = (): boolean => input('lie').checked

function show(id: string, text: string, kind: 'good' | 'bad' | '' = ''): void {
  element(id).textContent = text
  element(id).className = kind
}

const NO_ANSWER: readonly string[] = [LIGHT_ERRORS.noResponse, LIGHT_ERRORS.heightTooHigh, LIGHT_ERRORS.notFound]

/**
 * True if the client found that data of the node is false. False if the node gave no answer or does not have the data.
 */
const isRefusal = (error: unknown): boolean => isLightFailure(error) && !NO_ANSWER.includes(error.code)

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!isLightFailure(error)) return `Failed: ${message}`
  return `${isRefusal(error) ? 'Refused' : 'Failed'} (${error.code}): ${message}`
}

/**
 * The fault for which the client has dropped the node. It is kept here, because the client's later errors say only
 * that no witness is left.
 */
let faultOfNode: unknown
const noteFault = (_message: string, fields?: LogFields): void => {
  faultOfNode = fields?.err ?? faultOfNode
}
const logger = { ...noopLogger, info: noteFault, error: noteFault }

function causeOf(error: unknown): unknown {
  return isLightFailure(error) && error.code === LIGHT_ERRORS.noWitnesses ? (faultOfNode ?? error) : error
}

function addRow(cells: readonly string[], kind: 'good' | 'bad'): void {
  const row = document.createElement('tr')
  row.className = kind
  for (const text of cells) row.insertCell().textContent = text
  element('headers').prepend(row)
  while (element('headers').children.length > ROWS) element('headers').lastElementChild?.remove()
}

function showBlock(block: LightBlock): void {
  const { height, time, appHash } = block.header
  const date = new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)
  const [hash, root] = [hashOf(block), appHash].map((bytes) => bytesToHex(bytes).slice(0, 16))
  addRow([String(height), date, `${hash}…`, `${root}…`, 'verified'], 'good')
  show('state', `Verified up to height ${height}.`, 'good')
}

interface Root {
  readonly height: number
  readonly hash: Uint8Array
}

/** Creates a client that trusts one header. It accepts from the node only data that the node proves. */
async function connect({ height, hash }: Root): Promise<VerifiedClient> {
  const [url, chainId] = [fieldOf('url'), fieldOf('chain')]
  return createVerifiedClient({
    client: createRpcClient(lyingTransport(createHttpTransport(url), isLying)),
    trust: { chainId, height, hash, period: BigInt(fieldOf('days')) * DAY },
    witnesses: [createHttpProvider({ chainId, url: fieldOf('witness') || url })],
    store: createMemoryLightStore(),
    operators: ics23Operators,
    logger,
    onProgress: ({ at, to }) => show('state', `Verifying: ${at} of ${to} …`),
  })
}

/** Returns the bytes of hex digits. Throws if the text is not hex. */
function bytesOf(digits: string): Uint8Array {
  const bytes = hexToBytes(digits)
  if (bytes === undefined) throw new Error(`not an even number of hex digits: ${digits}`)
  return bytes
}

let client: VerifiedClient | undefined
let running: AbortController | undefined

/**
 * Verifies new headers until the signal aborts. If the client refuses data of the node, a new client begins from the
 * last verified header.
 */
async function follow(first: Root, signal: AbortSignal): Promise<void> {
  let root = first
  let refused = false
  while (!signal.aborted) {
    try {
      if (client === undefined) {
        client = await connect(root)
        const trusted = await client.light.trustedBlock()
        if (trusted !== undefined && !refused) showBlock(trusted)
      }
      faultOfNode = undefined
      const block = await client.light.update({ signal })
      if (block !== undefined) {
        root = { height: block.header.height, hash: hashOf(block) }
        refused = false
        showBlock(block)
      }
    } catch (error) {
      if (signal.aborted) return
      client = undefined
      const cause = causeOf(error)
      show('state', reasonOf(cause), 'bad')
      if (!refused && isRefusal(cause)) {
        addRow([`after ${root.height}`, '', '', '', 'refused'], 'bad')
        refused = true
      }
    }
    await clock.sleep(PAUSE_MS, signal).catch(() => undefined)
  }
}

element('trust').addEventListener('submit', (event) => {
  event.preventDefault()
  running?.abort()
  running = new AbortController()
  client = undefined
  element('headers').replaceChildren()
  show('state', 'Asking the node …')
  void follow({ height: Number(fieldOf('height')), hash: bytesOf(fieldOf('hash')) }, running.signal)
})

async function ask(): Promise<void> {
  if (client === undefined) {
    show('answer', 'No client has a verified header: enter what you trust, and switch the lie off.', 'bad')
    return
  }
  show('answer', 'Asking; the proof is complete when the next header is verified …')
  const key = fieldOf('key')
  const data = key.startsWith('0x') ? bytesOf(key.slice(2)) : utf8ToBytes(key)
  const { response } = await client.abciQuery({ path: fieldOf('path'), data })
  const text = new TextDecoder().decode(response.value)
  show('answer', `Proved at height ${response.height}: ${text} (${bytesToHex(response.value)})`, 'good')
}

element('query').addEventListener('submit', (event) => {
  event.preventDefault()
  ask().catch((error: unknown) => show('answer', reasonOf(error), 'bad'))
})
