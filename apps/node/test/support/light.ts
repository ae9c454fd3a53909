import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@org/golden'
import type { JsonObject } from '@org/types/schema'
import { expect, onTestFinished } from 'vitest'
import { FAST, launchNode, makeHome, whenStarted } from './node.ts'
import { findCometbft, HALLEY, launch, temporaryFolder } from './process.ts'

export interface Chain {
  readonly url: string
  readonly chainId: string
  /** The hash of the header at height 2. */
  readonly hash: string
  /** A transaction, and the height of its block. */
  readonly tx: string
  readonly height: string
}

export interface Answer {
  readonly result?: JsonObject
  readonly error?: { readonly data: string }
}

export const get = async (url: string, path: string): Promise<Answer> => (await fetch(`${url}${path}`)).json() as never

export async function resultOf<T>(url: string, path: string): Promise<T> {
  const { result, error } = await get(url, path)
  if (result === undefined) throw new Error(`${path}: ${error?.data}`)
  return result as T
}

/** Sends a transaction to a node, and returns a description of the node's chain. */
export async function chainAt(url: string): Promise<Chain> {
  const sent = await resultOf<{ hash: string; height: string }>(url, '/broadcast_tx_commit?tx="name=satoshi"')
  const { node_info: info } = await resultOf<{ node_info: { network: string } }>(url, '/status')
  const { block_id: id } = await resultOf<{ block_id: { hash: string } }>(url, '/block?height=2')
  return { url, chainId: info.network, hash: id.hash, tx: sent.hash, height: sent.height }
}

export type Kind = 'go' | 'halley'

export interface StartedNode {
  readonly url: string
  readonly stop: () => Promise<unknown>
}

/** Returns the height of a node; 0 while the node does not answer. */
export async function heightOf(url: string): Promise<number> {
  const status = get(url, '/status').catch((): Answer => ({}))
  const { sync_info: info } = ((await status).result ?? {}) as { sync_info?: { latest_block_height: string } }
  return Number(info?.latest_block_height ?? 0)
}

export const reached = (url: string, height: number): Promise<void> =>
  expect.poll(() => heightOf(url), { timeout: 30_000, interval: 50 }).toBeGreaterThanOrEqual(height)

async function startGo(home: string): Promise<StartedNode> {
  const port = await freePort()
  const file = join(home, 'config/config.toml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^timeout_commit = .*/m, 'timeout_commit = "50ms"'))
  const laddr = [`--rpc.laddr=tcp://127.0.0.1:${port}`, `--p2p.laddr=tcp://127.0.0.1:${await freePort()}`]
  const args = ['start', '--home', home, '--proxy_app=kvstore', ...laddr]
  return { ...launch(findCometbft() as string, args), url: `http://127.0.0.1:${port}` }
}

/**
 * Starts a node on `home`. `kind` is the implementation: Halley or the Go node. A node of either implementation may
 * have made the home. Waits for height 2.
 */
export async function startKind(kind: Kind, home: string): Promise<StartedNode> {
  const node = kind === 'go' ? await startGo(home) : await whenStarted(launchNode(home, '--proxy_app=kvstore', ...FAST))
  onTestFinished(async () => void (await node.stop()))
  await reached(node.url, 2)
  return node
}

export async function startChain(kind: Kind): Promise<Chain> {
  const { url } = await startKind(kind, await makeHome(temporaryFolder()))
  return chainAt(url)
}

export interface RunningProxy {
  readonly url: string
  readonly stop: () => Promise<unknown>
  readonly output: () => string
}

const PROXY_LISTENS = /Starting proxy\.\.\. .*laddr=tcp:\/\/(\S+)/

export async function startProxy(chainId: string, ...args: readonly string[]): Promise<RunningProxy> {
  const running = launch(HALLEY, ['light', chainId, '--laddr=tcp://127.0.0.1:0', ...args])
  await running.saw('Starting proxy...')
  return { ...running, url: `http://${PROXY_LISTENS.exec(running.output())?.[1]}` }
}

/** Returns the flags of a proxy that trusts the header at height 2. */
export const trusting = (
  { hash }: Pick<Chain, 'hash'>,
  folder: string,
  ...[primary, ...witnesses]: readonly string[]
): readonly string[] => [
  ...['--primary', primary ?? '', '--witnesses', witnesses.join(','), '--home-dir', folder],
  ...['--height', '2', '--hash', hash],
]
