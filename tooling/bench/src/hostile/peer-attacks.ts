import { setTimeout as sleep } from 'node:timers/promises'
import { createUnknownPeer, type UnknownPeer } from '@org/test-kit/unknown-peer'
import { SignedMsgType, Vote } from '@org/types'
import { hexToBytes } from '@org/types/bytes'
import {
  BlockSyncMessage as BlocksyncMessage,
  ConsensusMessage,
  MempoolMessage,
  StateSyncMessage,
} from '@org/types/messages'
import { PexMessage } from '@org/types/p2p'
import { call, callAll } from '../rpc.ts'
import type { Attack, Target } from './attack.ts'

/** The pause between two batches of messages, in milliseconds. The pause limits the rate of an attack. */
const PAUSE_MS = 20
/**
 * When the node has closed the connection, the attacker waits for this number of milliseconds. Then it dials with a
 * new identity.
 */
const REDIAL_MS = 200
/** The maximum number of bytes per second that an attacker sends. It equals the default value of `p2p.recv_rate`. */
const SEND_RATE = 5_120_000
const VOTES = 200
const TXS = 50_000
/** The number of transactions in one request of an honest client. */
const TXS_OF_CLIENT = 500
const HONEST_CLIENTS = 4
const QUESTIONS = 50
const ADDRESSES = 2000
const MEGABYTE = 1_048_576

interface ChannelMessage {
  readonly channel: number
  readonly bytes: Uint8Array
}

type Batch = (target: Target) => Promise<readonly ChannelMessage[]> | readonly ChannelMessage[]

/**
 * Returns an attack that sends one batch after the other, and connects with a new identity each time the node closes
 * the connection.
 */
function flood(name: string, batch: Batch): Attack {
  return {
    name,
    run: async (target, signal) => {
      let sent = 0
      let stranger: UnknownPeer | undefined
      while (!signal.aborted) {
        if (stranger?.isConnected() !== true) {
          sent += stranger?.sentBytes() ?? 0
          await stranger?.stop()
          await sleep(REDIAL_MS)
          stranger = await createUnknownPeer({ to: target.p2p, chainId: target.chainId, sendRate: SEND_RATE }).catch(
            () => undefined,
          )
        }
        if (stranger === undefined) continue
        for (const { channel, bytes } of await batch(target)) {
          if (signal.aborted || !(await Promise.race([stranger.send(channel, bytes), aborted(signal)]))) break
        }
        await sleep(PAUSE_MS)
      }
      sent += stranger?.sentBytes() ?? 0
      await stranger?.stop()
      return sent
    },
  }
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })
}

function randomBytes(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size))
}

/**
 * Returns a forged prevote. It names the first validator and the height that is being decided, and has a random
 * signature.
 */
async function forgedVote({ rpcPort }: Target): Promise<Vote> {
  const { validators, block_height: height } = await call<{
    block_height: string
    validators: { address: string }[]
  }>(rpcPort, 'validators')
  return Vote.create({
    type: SignedMsgType.prevote,
    height: Number(height) + 1,
    round: 0,
    blockId: { hash: randomBytes(32), partSetHeader: { total: 1, hash: randomBytes(32) } },
    timestamp: BigInt(Math.round(performance.timeOrigin + performance.now())) * 1_000_000n,
    validatorAddress: hexToBytes(validators[0]?.address ?? '') ?? new Uint8Array(0),
    validatorIndex: 0,
    signature: randomBytes(64),
  })
}

const encodedVote = (vote: Vote): ChannelMessage => ({
  channel: 0x22,
  bytes: ConsensusMessage.encode({ sum: { case: 'vote', value: { vote } } }),
})

/** Returns a precommit with a vote extension so long that the message has the maximum size of its channel, 1 MiB. */
function longVote(vote: Vote): ChannelMessage {
  const extended = (length: number): ChannelMessage =>
    encodedVote({
      ...vote,
      type: SignedMsgType.precommit,
      extension: new Uint8Array(length),
      extensionSignature: randomBytes(64),
    })
  return extended(MEGABYTE - (extended(MEGABYTE).bytes.length - MEGABYTE))
}

const twoBytesOf = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8)

/** A transaction of the kvstore that changes a validator, but has neither key nor power. The application refuses it. */
const refusedTx = (value: number): Uint8Array => Uint8Array.of(...Buffer.from('val=!!'), ...twoBytesOf(value))

const encodedTxs = (tx: (value: number) => Uint8Array): ChannelMessage => {
  const txs = Array.from({ length: TXS }, (_, i) => tx(i))
  return { channel: 0x30, bytes: MempoolMessage.encode({ sum: { case: 'txs', value: { txs } } }) }
}

/**
 * Sends the load of four honest clients: transactions of two bytes. Each client waits for the answer to its request
 * before it sends the next request.
 */
async function sendTwoBytes({ rpcPort }: Target, signal: AbortSignal): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const txs = Array.from({ length: TXS_OF_CLIENT }, () => Buffer.from(twoBytesOf(next++ % TXS)).toString('base64'))
      const list = txs.map((tx) => ({ tx }))
      await callAll(rpcPort, 'broadcast_tx_async', list)
    }
  }
  await Promise.all(Array.from({ length: HONEST_CLIENTS }, one))
}

/** The content of a message of 100 MB. The connection cannot send all of the message during the attack. */
const unfinished = new Uint8Array(100 * MEGABYTE)

export const PEER_ATTACKS: readonly Attack[] = [
  flood('forged votes', async (target) => {
    const vote = await forgedVote(target)
    return Array.from({ length: VOTES }, () => encodedVote({ ...vote, signature: randomBytes(64) }))
  }),
  flood('votes at the size limit', async (target) => [longVote(await forgedVote(target))]),
  flood('refused transactions of eight bytes', () => [encodedTxs(refusedTx)]),
  // The application accepts these transactions. While the chain can commit all of them, this attack has the same effect
  // as a load of honest clients. So the attack is compared with such a load.
  { ...flood('valid transactions of two bytes', () => [encodedTxs(twoBytesOf)]), load: sendTwoBytes },
  flood('addresses that no node requested', () => {
    const addrs = Array.from({ length: ADDRESSES }, (_, i) => ({
      id: '00'.repeat(20),
      ip: `10.1.${i >> 8}.${i & 255}`,
      port: 26_656,
    }))
    return [{ channel: 0x00, bytes: PexMessage.encode({ sum: { case: 'pexAddrs', value: { addrs } } }) }]
  }),
  flood('messages that are not evidence', () =>
    Array.from({ length: QUESTIONS }, () => ({ channel: 0x38, bytes: randomBytes(1000) })),
  ),
  flood('blocks that no node requested', () => [
    {
      channel: 0x40,
      bytes: BlocksyncMessage.encode({
        sum: { case: 'blockResponse', value: { block: undefined, extCommit: undefined } },
      }),
    },
  ]),
  flood('requests for blocks', () =>
    Array.from({ length: QUESTIONS }, (_, i) => ({
      channel: 0x40,
      bytes: BlocksyncMessage.encode({ sum: { case: 'blockRequest', value: { height: 1 + (i % 20) } } }),
    })),
  ),
  flood('requests for snapshots', () =>
    Array.from({ length: QUESTIONS }, () => ({
      channel: 0x60,
      bytes: StateSyncMessage.encode({ sum: { case: 'snapshotsRequest', value: {} } }),
    })),
  ),
  // The node reads the beginning of the unfinished message. Then it waits for the other bytes of the message until
  // the attack ends.
  flood('unfinished messages', () => [{ channel: 0x40, bytes: unfinished }]),
]
