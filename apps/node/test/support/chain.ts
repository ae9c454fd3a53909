import { expect } from 'vitest'
import type { NetworkNode } from './testnet.ts'

export interface BlockAnswer {
  readonly block_id: { readonly hash: string }
  readonly block: {
    readonly header: { readonly app_hash: string; readonly proposer_address: string }
    readonly evidence: { readonly evidence: readonly { readonly type: string }[] }
    readonly last_commit: {
      readonly signatures: readonly { readonly block_id_flag: number; readonly validator_address: string }[]
    }
  }
}

interface StatusAnswer {
  readonly sync_info: { readonly catching_up: boolean }
  readonly validator_info: { readonly address: string; readonly pub_key: { readonly value: string } }
}

interface ValidatorsAnswer {
  readonly block_height: string
  readonly validators: readonly { readonly address: string; readonly voting_power: string }[]
}

export const block = (node: NetworkNode, height: number): Promise<BlockAnswer> => node.rpc(`block?height=${height}`)

export const status = (node: NetworkNode): Promise<StatusAnswer> => node.rpc('status')

/** Returns the validators of `height`. Without `height`, returns the validators of the block after the newest block. */
export const validators = (node: NetworkNode, height?: number): Promise<ValidatorsAnswer> =>
  node.rpc(`validators?per_page=100${height === undefined ? '' : `&height=${height}`}`)

export const sendTx = (node: NetworkNode, tx: string): Promise<unknown> =>
  node.rpc(`broadcast_tx_sync?tx=${encodeURIComponent(`"${tx}"`)}`)

export async function storedValue(node: NetworkNode, key: string): Promise<string> {
  const { response } = await node.rpc<{ response: { value: string | null } }>(`abci_query?data="${key}"`)
  return atob(response.value ?? '')
}

/** Returns whether `node` signed the last commit that `witness` has. */
export async function signsLately(node: NetworkNode, witness: NetworkNode): Promise<boolean> {
  const { address } = (await status(node)).validator_info
  const { last_commit: commit } = (await block(witness, await witness.height())).block
  return commit.signatures.some((one) => one.validator_address === address && one.block_id_flag === 2)
}

/** Returns the transaction that sets the power of a node's validator key. The power 0 removes the validator. */
export async function powerTx(of: NetworkNode, power: number): Promise<string> {
  const { validator_info: info } = await status(of)
  return `val=ed25519!${info.pub_key.value}!${power}`
}

export interface Agreement {
  /** The number of blocks that each validator proposed, by the validator's address. */
  readonly proposed: ReadonlyMap<string, number>
  /** The number of commits that each validator signed, by the validator's address. */
  readonly signed: ReadonlyMap<string, number>
}

const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/** Expects equal blocks, application hashes and validator sets on all nodes. */
export async function agreement(nodes: readonly NetworkNode[], from: number, to: number): Promise<Agreement> {
  const [proposed, signed] = [new Map<string, number>(), new Map<string, number>()]
  for (let height = from; height <= to; height++) {
    const [first, ...others] = await Promise.all(nodes.map((node) => block(node, height)))
    for (const other of others) expect(other).toEqual(first)
    const [set, ...sets] = await Promise.all(nodes.map((node) => validators(node, height)))
    for (const other of sets) expect(other).toEqual(set)
    add(proposed, first?.block.header.proposer_address ?? '')
    for (const { block_id_flag: flag, validator_address: address } of first?.block.last_commit.signatures ?? []) {
      if (flag === 2) add(signed, address)
    }
  }
  return { proposed, signed }
}
