import { createSeededRandom, createSystemClock, createVirtualClock } from '@org/runtime'
import { EvidenceList, hashEvidence, validateEvidenceBasic } from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { generateEd25519, publicKeyOf, sign, verifySignature } from '@org/types/crypto'
import { ConsensusMessage, StateSyncMessage } from '@org/types/messages'
import { DefaultNodeInfo, PexAddrs, PexMessage } from '@org/types/p2p'
import { messageSizeFault } from '../../../../../packages/engine/src/consensus/gossip/message-size.ts'
import { validateMessage } from '../../../../../packages/engine/src/consensus/gossip/validate-message.ts'
import { MAX_ITEMS } from '../../../../../packages/engine/src/evidence/gossip/options.ts'
import { openTxsMessage } from '../../../../../packages/engine/src/mempool/txs-message.ts'
import { canonicalIp } from '../../../../../packages/p2p/src/address/net-address.ts'
import { createAddressBook } from '../../../../../packages/p2p/src/addressbook/address-book.ts'
import { createMultiplexer } from '../../../../../packages/p2p/src/mconn/multiplexer.ts'
import { DEFAULT_MCONN_OPTIONS } from '../../../../../packages/p2p/src/mconn/options.ts'
import { createPacketReader } from '../../../../../packages/p2p/src/mconn/packet-reader.ts'
import { exchangeNodeInfo } from '../../../../../packages/p2p/src/nodeinfo/exchange.ts'
import { nodeInfoFault } from '../../../../../packages/p2p/src/nodeinfo/node-info.ts'
import { createHandshake } from '../../../../../packages/p2p/src/secret/handshake.ts'
import { ephemeralKeys } from '../../../../../packages/p2p/src/secret/keys.ts'
import { memoryTransportPair } from '../../../../../packages/p2p/src/transport/memory.ts'
import { DEFAULT_COSTS, type Door } from '../door.ts'
import { fieldOf, inFields, protobufShapes, runOf } from '../shapes.ts'
import { encryptedFrames } from './frames.ts'
import { transactions } from './gossip.ts'

const MIB = 1024 * 1024

const packets: Door = {
  name: 'packets',
  where: 'p2p/src/mconn/packet-reader.ts',
  limit: MIB,
  costs: { nsPerByte: 400, heldPerByte: 24 },
  open: () => ({
    read: (input) => {
      const reader = createPacketReader(1038)
      for (let at = 0; at < input.length; at += 1024) {
        reader.push(input.subarray(at, at + 1024))
        while (reader.next() !== undefined);
      }
      return reader
    },
  }),
  shapes: {
    'empty packets': runOf([2, 0x1a, 0]),
    pings: runOf([2, 0x0a, 0]),
    'packets of one byte': runOf([9, 0x1a, 7, 8, 32, 16, 0, 0x1a, 1, 5]),
    'padded lengths': runOf([0x82, 0x80, 0x80, 0x80, 0, 0x0a, 0]),
    'a length that never ends': runOf([0x80]),
    'packets with unknown fields': runOf(concatBytes(Uint8Array.of(0x8a, 8), fieldOf(3, runOf([0xf8, 7, 0])(1031)))),
  },
}

const multiplexer: Door = {
  name: 'messages in pieces',
  where: 'p2p/src/mconn/receiver.ts',
  limit: MIB,
  costs: { nsPerByte: 1000, heldPerByte: 24 },
  open: () => ({
    read: (input) =>
      new Promise((resolve) => {
        const [own, other] = memoryTransportPair(['10.0.0.1:1', '10.0.0.2:1'])
        const options = { ...DEFAULT_MCONN_OPTIONS, sendRate: 0, receiveRate: 0, channels: [{ id: 0x20, priority: 1 }] }
        const connection = createMultiplexer(options, {
          transport: own,
          clock: createSystemClock(),
          onMessage: () => undefined,
          onEnd: resolve,
        })
        connection.start()
        for (let at = 0; at < input.length; at += 1024) other.write(input.subarray(at, at + 1024))
        setImmediate(() => setImmediate(() => setTimeout(() => other.close(), 5)))
      }),
  }),
  shapes: {
    'pieces of one byte': runOf([9, 0x1a, 7, 8, 32, 16, 0, 0x1a, 1, 5]),
    'messages of one byte': runOf([9, 0x1a, 7, 8, 32, 16, 1, 0x1a, 1, 5]),
    'empty last pieces': runOf([6, 0x1a, 4, 8, 32, 16, 1]),
    pings: runOf([2, 0x0a, 0]),
  },
}

const handshake: Door = {
  name: 'secret handshake',
  where: 'p2p/src/secret/handshake.ts',
  limit: 1024,
  // The cost per byte is high, because each handshake needs two operations on the elliptic curve, even if the input
  // is short.
  costs: { nsPerByte: 20_000, heldPerByte: 100 },
  open: () => {
    const key = generateEd25519()
    return {
      read: (input) => {
        const machine = createHandshake(key, () => ephemeralKeys(createSeededRandom(1).bytes(32)))
        for (const byte of input) machine.receive(Uint8Array.of(byte))
        return machine
      },
    }
  },
  shapes: {
    'a key in single bytes': () => concatBytes(Uint8Array.of(34, 0x0a, 32), new Uint8Array(32).fill(9)),
    'a length that is padded': runOf([0x80]),
    'unknown fields': (size) => concatBytes(Uint8Array.of(0x80 | (size & 127), size >> 7), runOf([0xf8, 7, 0])(size)),
  },
}

const nodeInfo: Door = {
  name: 'node info',
  where: 'p2p/src/nodeinfo/exchange.ts',
  limit: 10_240,
  costs: { nsPerByte: 3000, heldPerByte: 100 },
  open: () => ({
    read: async (input) => {
      const [own, other] = memoryTransportPair(['10.0.0.1:1', '10.0.0.2:1'])
      const connection = { ...own, remoteKey: publicKeyOf(generateEd25519()) }
      const done = exchangeNodeInfo(connection, DefaultNodeInfo.create(), {
        timeoutMs: 1000,
        clock: createVirtualClock(),
      })
      const head = Uint8Array.of(0x80 | (input.length & 127), input.length >> 7)
      const whole = concatBytes(head, input)
      for (let at = 0; at < whole.length; at += 16) other.write(whole.subarray(at, at + 16))
      const { info } = await done
      return [info, nodeInfoFault(info)]
    },
  }),
  shapes: protobufShapes({ singles: [[1], [8]], texts: [[7], [3]] }),
}

const consensus = (name: string, limit: number, shapes: Door['shapes']): Door => ({
  name: `consensus: ${name}`,
  where: 'engine/src/consensus/gossip/receive.ts',
  limit,
  costs: DEFAULT_COSTS,
  open: () => ({
    read: (input) => {
      const fault = messageSizeFault(input)
      if (fault !== undefined) throw new Error(fault)
      const message = ConsensusMessage.decode(input)
      if (message.sum !== undefined) validateMessage(message.sum)
      return message
    },
  }),
  shapes,
})

const CONSENSUS_DOORS: readonly Door[] = [
  consensus('state', MIB, {
    ...protobufShapes({ lists: [[2, 4, 2]], singles: [[2, 3]] }),
    'announcements of votes': runOf(inFields([7], Uint8Array.of(8, 1))),
  }),
  consensus(
    'data',
    MIB,
    protobufShapes({
      lists: [[5, 3, 3, 4]],
      singles: [
        [3, 1],
        [5, 3],
        [5, 3, 3],
      ],
    }),
  ),
  consensus('vote', MIB, {
    ...protobufShapes({
      singles: [
        [6, 1],
        [6, 1, 4],
      ],
    }),
    'a long extension': (size) => inFields([6, 1, 9], runOf([1])(size)),
  }),
  consensus(
    'vote set bits',
    MIB,
    protobufShapes({
      lists: [[9, 5, 2]],
      singles: [
        [9, 4],
        [9, 5],
      ],
    }),
  ),
]

const mempool: Door = {
  name: 'mempool',
  where: 'engine/src/mempool/txs-message.ts',
  limit: MIB,
  costs: DEFAULT_COSTS,
  open: () => ({
    read: (input) => {
      const { count, txs } = openTxsMessage(input, { maxTxBytes: MIB, maxBatchBytes: 0 })
      let bytes = 0
      for (const tx of txs()) bytes += tx.length
      return [count, bytes]
    },
  }),
  shapes: {
    ...protobufShapes({ lists: [[1, 1]] }),
    'transactions of one byte': (size) => inFields([1], runOf([0x0a, 1, 7])(size)),
  },
}

const evidence: Door = {
  name: 'evidence',
  where: 'engine/src/evidence/gossip/reactor.ts',
  limit: MIB,
  costs: { nsPerByte: 400, heldPerByte: 150 },
  open: () => ({
    read: (input) => {
      const list = EvidenceList.decode(input, { maxItems: MAX_ITEMS })
      hashEvidence(list.evidence)
      for (const item of list.evidence) validateEvidenceBasic(item)
      return list
    },
  }),
  shapes: protobufShapes({
    lists: [[1], [1, 2, 3], [1, 2, 1, 2, 1], [1, 2, 1, 1, 2, 4]],
    singles: [
      [1, 1, 1],
      [1, 2, 1],
      [1, 2, 1, 2],
      [1, 2, 1, 1, 2],
      [1, 2, 1, 1],
    ],
    texts: [[1, 2, 1, 1, 1, 2]],
  }),
}

const addresses: Door = {
  name: 'addresses',
  where: 'p2p/src/pex/address-requests.ts',
  limit: 64_000,
  costs: { nsPerByte: 5000, heldPerByte: 300 },
  open: () => {
    const book = createAddressBook({ strict: true, privateIds: [] }, createSeededRandom(1))
    const source = { id: 'a'.repeat(40), ip: '1.2.3.4', port: 5 }
    return {
      read: (input) => {
        const { sum } = PexMessage.decode(input)
        if (sum?.case !== 'pexAddrs') return sum
        for (const { id, ip: text, port } of sum.value.addrs) {
          const ip = canonicalIp(text)
          if (ip === undefined || port > 65_535) return sum
          book.add({ id, ip, port }, source, 0n)
        }
        return sum
      },
    }
  },
  shapes: {
    ...protobufShapes({ lists: [[2, 1]], singles: [[2]], texts: [[2, 1, 2]] }),
    'good addresses': (size) => {
      const addrs = Array.from({ length: Math.floor(size / 70) }, (_, i) => ({
        id: i.toString(16).padStart(40, '0'),
        ip: `8.${(i >> 8) & 255}.${i & 255}.9`,
        port: 26_656,
      }))
      return inFields([2], PexAddrs.encode({ addrs }))
    },
    'addresses of IPv6': (size) => {
      const addrs = Array.from({ length: Math.floor(size / 90) }, (_, i) => ({
        id: i.toString(16).padStart(40, '0'),
        ip: `2a00:0:0:0:0:0:${i.toString(16)}:1`,
        port: 26_656,
      }))
      return inFields([2], PexAddrs.encode({ addrs }))
    },
  },
}

const snapshots: Door = {
  name: 'snapshots and chunks',
  where: 'engine/src/statesync/reactor.ts',
  limit: 4 * MIB,
  costs: DEFAULT_COSTS,
  open: () => ({ read: (input) => StateSyncMessage.decode(input) }),
  shapes: protobufShapes({ lists: [[1], [2], [4]] }),
}

const forged: Door = {
  name: 'forged signatures',
  where: 'types/src/crypto/verify.ts',
  limit: 64 * 1024,
  // The check of one signature takes 0.1 ms, and a vote has at least 178 bytes. Therefore a peer can cause less than
  // 600 ns of work per byte with votes.
  costs: { nsPerByte: 1500, heldPerByte: 24 },
  open: () => {
    const key = generateEd25519()
    const message = new Uint8Array(122)
    const good = sign(key, message)
    const publicKey = publicKeyOf(key)
    return {
      read: (input) => {
        let valid = 0
        for (let at = 0; at < input.length; at += 178) {
          const signature = good.slice()
          signature[40] = (signature[40] as number) ^ (input[at] as number)
          if (verifySignature(publicKey, message, signature)) valid++
        }
        return valid
      },
    }
  },
  shapes: { 'votes with a wrong signature': runOf([1]), 'votes with a good signature': runOf([0]) },
}

export const PEER_DOORS: readonly Door[] = [
  packets,
  multiplexer,
  handshake,
  encryptedFrames,
  nodeInfo,
  ...CONSENSUS_DOORS,
  mempool,
  transactions,
  evidence,
  addresses,
  snapshots,
  forged,
]
