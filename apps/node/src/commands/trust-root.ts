import type { RpcClient } from '@org/rpc/client'
import { type Clock, messageOf, withTimeLimit } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { formatDuration } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { shownText } from '../logging/shown-text.ts'
import { rpcUrl } from './rpc-url.ts'
import { openStateSyncHome } from './state-sync-home.ts'

export interface TrustRootCommandOptions {
  /** The addresses of the RPC of one or more nodes. */
  readonly node?: readonly string[]
  readonly height?: string
  /** Whether to also write the printed lines into the home's config.toml. */
  readonly write?: boolean
}

/** The time in which a node must answer one request, in milliseconds. */
const ANSWER_MS = 10_000
/**
 * The default number of heights between the header to trust and the newest block. A new node verifies its snapshot from
 * this header. The number is large, so that the snapshots of most nodes are newer than the header.
 */
const BEHIND = 1000
/** The maximum size of one answer. */
const ANSWER_BOUNDS = { maxBytes: 32 * 1024 * 1024, maxItems: 1_000_000 }
/** The maximum number of characters of a node's error that are shown. */
const MAX_REASON = 1000
const HASH_BYTES = 32
/** A chain id has at most 50 bytes. With a control character, the printed lines could contain further settings. */
const CHAIN_ID = /^[^\p{Cc}\p{Bidi_Control}]{1,50}$/u
/** A header is trusted for two thirds of the maximum age of evidence. */
const [TRUSTED, OF] = [2n, 3n]

/** A node, and the heights of the blocks that it stores. */
interface Node {
  readonly url: string
  readonly client: RpcClient
  readonly chainId: string
  readonly lowest: number
  readonly latest: number
}

/**
 * Prints settings for the section `[statesync]` of config.toml. The settings name a header. A new node trusts this
 * header, and verifies the chain from it.
 */
export async function trustRoot(
  context: CommandContext,
  { node: given, height: text, write = false }: TrustRootCommandOptions,
): Promise<number> {
  const home = write ? openStateSyncHome(context.home) : undefined
  const addresses = given ?? home?.servers ?? []
  if (addresses.length === 0)
    throw new CliError(CLI_ERRORS.usage, 'give the address of a node: --node http://host:26657')
  const wanted = wantedHeight(text)
  const nodes = await Promise.all(addresses.map((address) => openNode(rpcUrl(address), context.clock)))
  const height = wanted ?? usualHeight(nodes)
  const found = await Promise.all(nodes.map((node) => headerAt(node, height, context.clock)))
  const [first] = found as [Found, ...Found[]]
  for (const other of found) {
    if (other.node.chainId !== first.node.chainId || other.hash !== first.hash) throw disagree(first, other, height)
  }
  const period = await trustPeriod(first.node, context.clock)
  const keys = {
    ...(nodes.length > 1 ? { rpc_servers: JSON.stringify(nodes.map(({ url }) => url).join(',')) } : {}),
    trust_height: String(height),
    trust_hash: `"${first.hash}"`,
    trust_period: `"${formatDuration(period)}"`,
  }
  const lines = [
    `# ${first.node.chainId}, ${first.time}. Compare the hash with a source that you trust.`,
    ...Object.entries(keys).map(([name, value]) => `${name} = ${value}`),
  ]
  // The file is written first, so that the printed lines are certainly in the file.
  if (home !== undefined) home.write(keys)
  context.out(`${lines.join('\n')}\n`)
  if (home !== undefined) context.out(`# Written to ${home.path}, with enable = true.\n`)
  return 0
}

function wantedHeight(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const height = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (height > 0) return height
  throw new CliError(
    CLI_ERRORS.usage,
    `--height must be a whole number from 1, got ${JSON.stringify(text.slice(0, 40))}`,
  )
}

/**
 * Returns why a call failed. The text may come from the node, so it is cut, and its control characters are escaped.
 * Without the escapes, a newline in the text could begin a line that looks like a printed setting.
 */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const reason = messageOf(isCodedError(cause) ? cause : error)
  return shownText(reason, MAX_REASON)
}

/** Rejects with `CLI_NODE_UNREACHABLE` if the node does not answer in time, or answers with an error. */
async function callNode<T>(url: string, clock: Clock, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = () => new DOMException(`no answer within ${ANSWER_MS / 1000} s`, 'TimeoutError')
  try {
    return await withTimeLimit({ clock, ms: ANSWER_MS, late }, call)
  } catch (error) {
    const message = `the node at ${url} did not answer: ${reasonOf(error)}; check that it runs, and that this is the address of its RPC (rpc.laddr)`
    throw new CliError(CLI_ERRORS.nodeUnreachable, message, { data: { url }, cause: error })
  }
}

async function openNode(url: string, clock: Clock): Promise<Node> {
  const { createHttpTransport, createRpcClient } = await import('@org/rpc/client')
  if (!URL.canParse(url)) {
    const message = `--node ${JSON.stringify(url)} is not an address: write http://host:26657`
    throw new CliError(CLI_ERRORS.usage, message)
  }
  const { boundedFetch } = await import('@org/light')
  const client = createRpcClient(createHttpTransport(url, { fetch: boundedFetch(fetch, ANSWER_BOUNDS, url) }))
  const { syncInfo, nodeInfo } = await callNode(url, clock, (signal) => client.status({}, { signal }))
  const { latestBlockHeight: latest, earliestBlockHeight: lowest, catchingUp } = syncInfo
  if (catchingUp || latest < 1) {
    const state = latest < 1 ? 'has no block yet' : `is still catching up, at height ${latest}`
    throw new CliError(CLI_ERRORS.nodeBehind, `the node at ${url} ${state}: try again later, or ask another node`, {
      data: { url, latest },
    })
  }
  if (!CHAIN_ID.test(nodeInfo.network)) throw wrongAnswer(url, 'the id of its chain is not a chain id')
  return { url, client, chainId: nodeInfo.network, lowest, latest }
}

/**
 * Returns a height that is about {@link BEHIND} blocks below the newest block. All of the given nodes store the block
 * of this height.
 */
function usualHeight(nodes: readonly Node[]): number {
  let [lowest, latest] = [1, Number.POSITIVE_INFINITY]
  for (const node of nodes) {
    lowest = Math.max(lowest, node.lowest)
    latest = Math.min(latest, node.latest)
  }
  return Math.max(lowest, latest - BEHIND)
}

interface Found {
  readonly node: Node
  readonly hash: string
  readonly time: string
}

async function headerAt(node: Node, height: number, clock: Clock): Promise<Found> {
  const { url, client, lowest, latest } = node
  if (height < lowest || height > latest) {
    const message = `the node at ${url} has no block at height ${height}: it has the blocks from ${lowest} to ${latest}; choose another height, or ask another node`
    throw new CliError(CLI_ERRORS.noSuchHeight, message, { data: { url, height, lowest, latest } })
  }
  // The commit names the block. The block itself may be longer than an answer may be.
  const answer = await callNode(url, clock, (signal) => client.commit({ height }, { signal }))
  const { header, commit } = answer?.signedHeader ?? {}
  const hash = commit?.blockId.hash
  if (hash?.length !== HASH_BYTES) throw wrongAnswer(url, `it has no hash of the block at height ${height}`)
  const time = header === undefined ? '' : new Date(Number(header.time / 1_000_000n)).toISOString()
  return { node, hash: bytesToHex(hash), time: `the block of ${time}` }
}

function wrongAnswer(url: string, why: string): CliError {
  const message = `the answer of the node at ${url} is wrong: ${why}; ask another node`
  return new CliError(CLI_ERRORS.wrongAnswer, message, { data: { url } })
}

function disagree(a: Found, b: Found, height: number): CliError {
  const describe = ({ node, hash }: Found): string => `${node.url} (chain ${node.chainId}) has ${hash}`
  const message = `the nodes do not agree about height ${height}: ${describe(a)}, and ${describe(b)}. One of them is wrong, or on another chain: trust neither`
  return new CliError(CLI_ERRORS.nodesDisagree, message, { data: { height, hashes: [a.hash, b.hash] } })
}

async function trustPeriod({ url, client, latest }: Node, clock: Clock): Promise<bigint> {
  const { consensusParams } = await callNode(url, clock, (signal) =>
    client.consensusParams({ height: latest }, { signal }),
  )
  const seconds = (consensusParams.evidence.maxAgeDuration * TRUSTED) / OF / 1_000_000_000n
  return seconds * 1_000_000_000n
}
