import { createMemoryStore } from '@org/engine/storage'
import { Block, parseGenesis } from '@org/types'
import { Response, ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToUtf8 } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { SignerMessage } from '@org/types/messages'
import { parseValidatorTx } from '../../../../../apps/kvstore/src/rules/validator-tx.ts'
import { createContentCheck } from '../../../../../apps/kvstore/src/snapshots/content-check.ts'
import { decodeMetadata } from '../../../../../apps/kvstore/src/snapshots/format.ts'
import { createPairReader } from '../../../../../apps/kvstore/src/snapshots/pair-reader.ts'
import { resolveConfig } from '../../../../../apps/node/src/config/resolve-config.ts'
import { createFrameParser } from '../../../../../packages/abci/src/framing/frame-parser.ts'
import { decodeMessage } from '../../../../../packages/engine/src/blocksync/block-message.ts'
import { decodeCandidate } from '../../../../../packages/engine/src/consensus/machine/proposal-block.ts'
import { encodeFrame } from '../../../../../packages/engine/src/consensus/wal/frame.ts'
import { scanFile } from '../../../../../packages/engine/src/consensus/wal/scan-file.ts'
import { blockEntries } from '../../../../../packages/engine/src/indexer/index-block.ts'
import { blockKey, parseBlockKey, parseTxKey } from '../../../../../packages/engine/src/indexer/keys.ts'
import { DEFAULT_COSTS, type Door, type Shape } from '../door.ts'
import { inFields, listOf, nest, protobufShapes, runOf } from '../shapes.ts'

const MIB = 1024 * 1024
/**
 * The maximum number of items of a block (such as transactions and signatures) that the decoder accepts in this
 * measurement. Honest blocks of {@link MIB} bytes have fewer items. In a node, the maximum follows from the parameters
 * of the chain.
 */
const MAX_ITEMS = 500_000

const BLOCK_SHAPES = {
  ...protobufShapes({
    lists: [
      [2, 1],
      [4, 4],
      [3, 1],
    ],
    singles: [[1], [2], [3], [4], [4, 3]],
    texts: [[1, 2]],
  }),
  'transactions of one byte': (size: number) => inFields([2], runOf([0x0a, 1, 7])(size)),
}

const block: Door = {
  name: 'proposed block',
  where: 'engine/src/consensus/machine/proposal-block.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 80, heldPerByte: 60 },
  open: () => ({ read: (input) => decodeCandidate(input, MAX_ITEMS) }),
  shapes: BLOCK_SHAPES,
}

const blockSync: Door = {
  name: 'block sync',
  where: 'engine/src/blocksync/block-message.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 200, heldPerByte: 60 },
  open: () => ({
    read: (input) => decodeMessage(input, MAX_ITEMS),
  }),
  shapes: Object.fromEntries(
    Object.entries(BLOCK_SHAPES).map(([name, shape]) => [name, (size: number) => inFields([3, 1], shape(size))]),
  ),
}

const application: Door = {
  name: 'answers of the application',
  where: 'abci/src/framing/frame-parser.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 400, heldPerByte: 150 },
  open: () => ({
    read: (input) => {
      const answers: unknown[] = []
      const parser = createFrameParser(512 * MIB)
      const length = [
        (input.length & 127) | 128,
        ((input.length >> 7) & 127) | 128,
        ((input.length >> 14) & 127) | 128,
        input.length >> 21,
      ]
      parser.push(Uint8Array.from(length), () => undefined)
      for (let at = 0; at < input.length; at += 65_536) {
        parser.push(input.subarray(at, at + 65_536), (frame) => void answers.push(Response.decode(frame)))
      }
      return answers
    },
  }),
  shapes: protobufShapes({
    lists: [
      [21, 1],
      [21, 2],
      [21, 1, 2],
      [21, 2, 7],
      [21, 3],
      [12, 1],
    ],
    singles: [[21, 4]],
    texts: [[21, 1, 1]],
  }),
}

/**
 * Returns the function `open` of a `Door` that measures how blocks are indexed. For each input, the node's index
 * receives a block with one event. The function `attribute` makes the attribute of this event from the text of the
 * input.
 */
const indexed =
  (attribute: (text: string) => { key: string; value: string }): Door['open'] =>
  () => ({
    read: async (input) => {
      const events = [{ type: 'app', attributes: [{ ...attribute(bytesToUtf8(input)), index: true }] }]
      const response = ResponseFinalizeBlock.create({ events, txResults: [] })
      const store = createMemoryStore()
      await store.write(blockEntries(Block.create(), response, { txEvents: 0, blockEvents: 0 }).fill)
      const keys: unknown[] = []
      for await (const key of store.keys()) keys.push(parseBlockKey(key), parseTxKey(key))
      return [store, keys]
    },
  })

const eventsOfBlocks: Door = {
  name: 'values of events in the index',
  where: 'engine/src/indexer/keys.ts',
  limit: MIB,
  costs: { nsPerByte: 1000, heldPerByte: 60 },
  open: indexed((value) => ({ key: 'k', value })),
  shapes: {
    zeros: runOf([0]),
    'bytes 0xff': runOf([0xff]),
    text: runOf('a'),
    slashes: runOf('/'),
    'zeros and text': runOf([0, 97]),
  },
}

const keysOfBlocks: Door = {
  name: 'keys of the index',
  where: 'engine/src/indexer/ordered-code.ts',
  limit: MIB,
  costs: { nsPerByte: 500, heldPerByte: 60 },
  open: () => ({ read: (input) => parseBlockKey(blockKey('a.b', Buffer.from(input).toString('latin1'), 5, 6)) }),
  shapes: { zeros: runOf([0]), 'zeros and text': runOf([0, 97]), text: runOf('a') },
}

/**
 * Makes a WAL file that contains only the beginnings of frames, one directly after the other. The length field of each
 * beginning claims so many bytes that the frame would contain the beginnings after it. The claimed length is at most
 * half of the file, so that the frames in the first half would fit into the file.
 */
const overlappingFrames: Shape = (size) => {
  const claim = Math.min(MIB, size >> 1)
  return runOf([0, claim >>> 16, (claim >>> 8) & 255, claim & 255, 0x0a, 1])(size)
}

/**
 * Returns valid frames of the WAL. Before each of them is the beginning of another frame, whose length field claims a
 * large part of the file.
 */
const framesBehindClaims: Shape = (size) => {
  const claim = Math.min(MIB, size >> 1)
  const start = [1, 2, 3, 4, 0, claim >>> 16, (claim >>> 8) & 255, claim & 255, 0x0a, 1]
  return runOf([...start, ...encodeFrame(Uint8Array.of(0x0a, 1, 1))])(size)
}

const logFile: Door = {
  name: 'write-ahead log',
  where: 'engine/src/consensus/wal/scan-file.ts',
  limit: MIB,
  costs: { nsPerByte: 400, heldPerByte: 60 },
  open: () => ({ read: (input) => scanFile(input) }),
  shapes: {
    zeros: runOf([0]),
    'short frames': runOf(encodeFrame(Uint8Array.of(0x0a, 1, 1))),
    'frames with wrong checksums': runOf([1, 2, 3, 4, 0, 0, 0, 3, 0x0a, 1, 1]),
    'lengths of 1 MiB': runOf([0x0a, 0x08, 0, 0, 0, 0x10, 0, 0]),
    'claims of long frames': runOf([0, 0x0c, 0, 0, 0, 0, 0, 0x0a, 1]),
    'starts of frames': runOf([0x0a]),
    'starts with a length': runOf([0x00, 0x04, 0x0a, 0x01]),
    'frames that overlap': overlappingFrames,
    'good frames behind long claims': framesBehindClaims,
  },
}

const genesis: Door = {
  name: 'genesis',
  where: 'types/src/genesis/json.ts',
  limit: 4 * MIB,
  costs: { nsPerByte: 1000, heldPerByte: 150 },
  open: () => ({ read: (input) => parseGenesis(bytesToUtf8(input)) }),
  shapes: {
    'state of the application': runOf('"a",', '{"chain_id":"a","app_state":[', '"b"]}'),
    'a nested state': nest(['[', ']'], '{"chain_id":"a","app_state":', '}'),
    members: listOf((i) => `"a${i}":0,`, '{', '"chain_id":"a"}'),
    'one member many times': runOf('"chain_id":"a",', '{', '"z":1}'),
    'validators without a key': runOf('{},', '{"chain_id":"a","validators":[', '{}]}'),
    validators: listOf(
      (i) =>
        `{"pub_key":{"type":"tendermint/PubKeyEd25519","value":"${Buffer.alloc(32, i & 255)
          .fill(i >> 8, 0, 9)
          .toString('base64')}"},"power":"1"},`,
      '{"chain_id":"a","validators":[',
      'null]}',
    ),
    digits: runOf('9', '{"chain_id":"a","initial_height":"', '"}'),
    blanks: runOf(' ', '{"app_state":', '1}'),
    escapes: runOf('\\"', '{"app_state":"', '"}'),
    'open quotes': runOf('"', '{"app_state":'),
  },
}

const config: Door = {
  name: 'config.toml',
  where: 'apps/node/src/config/read-file.ts',
  limit: MIB,
  costs: { nsPerByte: 2000, heldPerByte: 150 },
  open: () => ({
    read: (input) => resolveConfig({ home: '/tmp', file: { path: 'config.toml', text: bytesToUtf8(input) } }),
  }),
  shapes: {
    keys: listOf((i) => `a${i} = 1\n`),
    sections: listOf((i) => `[a${i}]\n`),
    // A key such as `a.a.a` makes nested tables. The key has a maximum length. For a longer key, garbage collections
    // would take most of the measured time.
    'a dotted key': (size) => runOf('a.', '', 'a = 1')(Math.min(size, 256 * 1024)),
    'nested lists': nest(['[', ']'], 'a = '),
    'nested tables': nest(['{a=', '}'], 'a = ', ''),
    'a list of texts': runOf('"a",', '[rpc]\ncors_allowed_origins = [', ']'),
    'a duration': runOf('1h', '[consensus]\ntimeout_commit = "', '"'),
    'digits of a duration': runOf('9', '[consensus]\ntimeout_commit = "', 's"'),
    digits: runOf('9', '[p2p]\nsend_rate = '),
    comments: runOf('#\n'),
    blanks: runOf(' ', 'a', '= 1'),
    'a long text': runOf('a', 'moniker = "', '"'),
    peers: runOf('a,', '[p2p]\npersistent_peers = "', '"'),
  },
}

const signer: Door = {
  name: 'remote signer',
  where: 'types/src/privval/wire.ts',
  limit: 10_240,
  costs: { ...DEFAULT_COSTS, nsPerByte: 500 },
  open: () => ({ read: (input) => SignerMessage.decode(input) }),
  shapes: protobufShapes({
    singles: [
      [3, 1],
      [4, 1],
    ],
  }),
}

const demoTransaction: Door = {
  name: 'transaction of the demo application',
  where: 'apps/kvstore/src/rules/validator-tx.ts',
  limit: MIB,
  costs: DEFAULT_COSTS,
  open: () => ({ read: (input) => parseValidatorTx(input) }),
  shapes: {
    'zeros before a power': runOf('0', 'val=!AAAA!', 'x'),
    'exclamation marks': runOf('!', 'val='),
    'a long key': runOf('AAAA', 'val=!', '!1'),
    digits: runOf('9', 'val=!AAAA!'),
  },
}

/** Returns pairs with ascending keys, as a valid snapshot has them. */
const restorable: Shape = listOf((i) => `\0\0\0\x13\0\0\0\0kvPairKey:${String(i).padStart(9, '0')}`)

const demoSnapshot: Door = {
  name: 'snapshot of the demo application',
  where: 'apps/kvstore/src/snapshots/pair-reader.ts',
  limit: 2 * MIB,
  costs: DEFAULT_COSTS,
  open: () => ({
    read: (input) => {
      const reader = createPairReader()
      const check = createContentCheck('document')
      // A peer chooses the size of the chunks. In this measurement, each chunk has 64 bytes.
      for (let at = 0; at < input.length; at += 64) {
        for (const pair of reader.push(input.subarray(at, at + 64))) check.take(pair)
      }
      return reader
    },
  }),
  shapes: {
    'pairs with ascending keys': restorable,
    'pairs without bytes': runOf([0]),
    'a pair that does not end': runOf('v', '\0\0\0\x0b\x0c\0\0\0kvPairKey:a'),
    'a long key': runOf('k', '\x0c\0\0\0\0\0\0\0kvPairKey:'),
  },
}

const demoMetadata: Door = {
  name: 'metadata of a demo snapshot',
  where: 'apps/kvstore/src/snapshots/format.ts',
  limit: 4_000_000,
  costs: DEFAULT_COSTS,
  open: () => ({ read: (input) => decodeMetadata(input, sha256(input)) }),
  shapes: {
    'hashes without bytes': runOf([0x12, 0]),
    'hashes of chunks': runOf([0x12, 32, ...new Uint8Array(32)]),
    'sizes without end': runOf([0x18, 1]),
    'a long name of rules': runOf('r', '\x0a\x80\x80\x80\x01'),
  },
}

export const RECORD_DOORS: readonly Door[] = [
  block,
  blockSync,
  application,
  eventsOfBlocks,
  keysOfBlocks,
  logFile,
  genesis,
  config,
  signer,
  demoTransaction,
  demoSnapshot,
  demoMetadata,
]
