import { ics23 } from '@confio/ics23'
import { isCodedError } from '@org/runtime'
import {
  AbciResponsesInfo,
  Block,
  BlockMeta,
  Commit,
  ConsensusParamsInfo,
  EvidenceList,
  ExtendedCommit,
  evidenceListToMisbehavior,
  hashEvidence,
  hashValidators,
  LightBlock,
  Part,
  State,
  ValidatorsInfo,
  validateBlockBasic,
  validateBlockMetaBasic,
  validateCommitBasic,
  validateEvidenceBasic,
  validateExtendedCommitBasic,
  validateLightBlockBasic,
  validatePartBasic,
} from '@org/types'
import { Request, Response, TxResult } from '@org/types/abci'
import { concatList, equalBytes } from '@org/types/bytes'
import { makeValueOp, ProofOps, verifyProofOps } from '@org/types/crypto'
import {
  BlockSyncMessage,
  ConsensusMessage,
  MempoolMessage,
  SignerMessage,
  StateSyncMessage,
  TimedWalMessage,
} from '@org/types/messages'
import { PexMessage as AddressMessage, AuthSigMessage, DefaultNodeInfo } from '@org/types/p2p'
import { decodeMessage, isBlockResponse } from '../../../../../packages/engine/src/blocksync/block-message.ts'
import { inputFromRecord } from '../../../../../packages/engine/src/consensus/driver/wal-records.ts'
import { messageSizeFault } from '../../../../../packages/engine/src/consensus/gossip/message-size.ts'
import { validateMessage } from '../../../../../packages/engine/src/consensus/gossip/validate-message.ts'
import { openTxsMessage } from '../../../../../packages/engine/src/mempool/txs-message.ts'
import { ics23Operators } from '../../../../../packages/light/src/ics23/index.ts'
import { canonicalIp } from '../../../../../packages/p2p/src/address/net-address.ts'
import { readPacket } from '../../../../../packages/p2p/src/mconn/packet-bytes.ts'
import { nodeInfoFault } from '../../../../../packages/p2p/src/nodeinfo/node-info.ts'
import { type Decoder, isPlainError, RoundTripFault, schemaDecoder } from '../decoder.ts'
import * as seeds from '../seeds.ts'

const { text } = seeds
const MEMPOOL_LIMITS = { maxTxBytes: 1_048_576, maxBatchBytes: 0 }

/** Decodes the bytes as the proof of a key in a store, and as the proof of a store in the tree of stores. */
function readIcs23(bytes: Uint8Array): void {
  for (const decode of Object.values(ics23Operators)) {
    const { run } = decode({ type: '', key: text('key'), data: bytes })
    for (const values of [[text('value')], []]) {
      try {
        run(values)
      } catch (error) {
        if (!isCodedError(error)) throw error
      }
    }
  }
}

const IAVL_PREFIX = Uint8Array.of(0, 2, 14)

function ics23Seeds(): readonly Uint8Array[] {
  const { HashOp, LengthOp, CommitmentProof } = ics23
  const leaf = (prehashKey: ics23.HashOp, prefix: Uint8Array) => ({
    ...{ hash: HashOp.SHA256, prehashKey, prehashValue: HashOp.SHA256, length: LengthOp.VAR_PROTO },
    prefix,
  })
  const inner = {
    ...{ hash: HashOp.SHA256, suffix: new Uint8Array(0) },
    prefix: concatList([Uint8Array.of(2, 4, 14, 32), new Uint8Array(32), Uint8Array.of(32)]),
  }
  const exist = (prefix: Uint8Array) => ({
    ...{ key: text('key'), value: text('value'), path: [inner] },
    leaf: leaf(HashOp.NO_HASH, prefix),
  })
  const [iavl, simple] = [IAVL_PREFIX, Uint8Array.of(0)].map(exist)
  const proofs: readonly ics23.ICommitmentProof[] = [
    { exist: iavl },
    { exist: simple },
    { nonexist: { key: text('kez'), left: iavl } },
    { batch: { entries: [{ exist: iavl }] } },
  ] as readonly ics23.ICommitmentProof[]
  return proofs.map((proof) => CommitmentProof.encode(proof).finish())
}

/** Returns light blocks of the recorded chains. Each block is complete and well formed. */
function lightBlockSeeds(): readonly Uint8Array[] {
  const commits = seeds
    .storedSeeds('blockstore', 'C:')()
    .map((bytes) => Commit.decode(bytes))
  const sets = seeds
    .storedSeeds('state', 'validatorsKey:')()
    .map((bytes) => ValidatorsInfo.decode(bytes).validatorSet)
  const metas = seeds
    .storedSeeds('blockstore', 'H:')()
    .map((bytes) => BlockMeta.decode(bytes))
  return metas.flatMap(({ header, blockId }) => {
    const commit = commits.find((one) => equalBytes(one.blockId.hash, blockId.hash))
    const validatorSet = sets.find((set) => set !== undefined && equalBytes(hashValidators(set), header.validatorsHash))
    return commit === undefined
      ? []
      : [LightBlock.encode(LightBlock.create({ signedHeader: { header, commit }, validatorSet }))]
  })
}

/**
 * Decodes a message twice: with the reader of the node, which does not use the schema, and with the schema. Checks that
 * the reader and the schema find the same transactions.
 */
function readTxs(bytes: Uint8Array): void {
  const { count, txs } = openTxsMessage(bytes, MEMPOOL_LIMITS)
  const decoded = MempoolMessage.decode(bytes).sum?.value.txs ?? []
  const read = [...txs()]
  const isSame = read.length === count && read.length === decoded.length
  if (!isSame || read.some((tx, index) => !equalBytes(tx, decoded[index] as Uint8Array))) {
    throw new RoundTripFault(
      `the fast reader reads ${read.length} transactions, and the schema reads ${decoded.length}`,
    )
  }
}

/** The decoders for input from peers: the messages of each channel, and the messages before the channels are open. */
export const PEER_DECODERS: readonly Decoder[] = [
  ...(['state', 'data', 'vote', 'vote set bits'] as const).map((channel, index) =>
    schemaDecoder(`consensus ${channel}`, ConsensusMessage, {
      seeds: seeds.channelSeeds(0x20 + index),
      before: (bytes) => void messageSizeFault(bytes),
      after: ({ sum }) => {
        if (sum !== undefined) validateMessage(sum)
      },
      isExpected: isPlainError,
    }),
  ),
  { name: 'mempool', isProtobuf: true, seeds: seeds.channelSeeds(0x30), read: readTxs },
  schemaDecoder('evidence', EvidenceList, {
    seeds: seeds.channelSeeds(0x38),
    after: ({ evidence }) => {
      for (const item of evidence) validateEvidenceBasic(item)
      hashEvidence(evidence)
      evidenceListToMisbehavior(evidence)
    },
  }),
  schemaDecoder('block sync', BlockSyncMessage, {
    seeds: seeds.channelSeeds(0x40),
    before: (bytes) => {
      if (isBlockResponse(bytes)) void decodeMessage(bytes, 500_000)
    },
  }),
  schemaDecoder('snapshots', StateSyncMessage, {
    seeds: () =>
      [
        { case: 'snapshotsRequest' as const, value: {} },
        {
          case: 'snapshotsResponse' as const,
          value: { height: 7, format: 1, chunks: 2, hash: new Uint8Array(32), metadata: new Uint8Array(3) },
        },
        { case: 'chunkRequest' as const, value: { height: 7, format: 1, index: 1 } },
        {
          case: 'chunkResponse' as const,
          value: { height: 7, format: 1, index: 1, chunk: new Uint8Array(9), missing: true },
        },
      ].map((sum) => StateSyncMessage.encode({ sum })),
  }),
  schemaDecoder('addresses', AddressMessage, {
    seeds: seeds.channelSeeds(0),
    after: ({ sum }) => {
      if (sum?.case === 'pexAddrs') for (const { ip } of sum.value.addrs) canonicalIp(ip)
    },
  }),
  {
    name: 'packet',
    isProtobuf: true,
    read: (bytes) => void readPacket(bytes),
    seeds: () => [Uint8Array.of(26, 7, 8, 32, 16, 1, 26, 1, 5), Uint8Array.of(10, 0)],
  },
  schemaDecoder('node info', DefaultNodeInfo, {
    seeds: seeds.handshakeSeeds('NodeInfo'),
    after: (info) => void nodeInfoFault(info),
  }),
  schemaDecoder('handshake signature', AuthSigMessage, { seeds: seeds.handshakeSeeds('AuthSigMessage') }),
]

/**
 * The decoders for blocks, for answers of the application and of the signer, and for data that the node reads back
 * from its disk.
 */
export const RECORD_DECODERS: readonly Decoder[] = [
  schemaDecoder('block', Block, {
    seeds: () =>
      seeds
        .channelSeeds(0x40, 'BlockResponse')()
        .map((bytes) => bytes.subarray(6)),
    after: validateBlockBasic,
  }),
  schemaDecoder('block part', Part, { seeds: seeds.storedSeeds('blockstore', 'P:'), after: validatePartBasic }),
  schemaDecoder('block meta', BlockMeta, {
    seeds: seeds.storedSeeds('blockstore', 'H:'),
    after: validateBlockMetaBasic,
  }),
  schemaDecoder('commit', Commit, { seeds: seeds.storedSeeds('blockstore', 'C:'), after: validateCommitBasic }),
  schemaDecoder('extended commit', ExtendedCommit, {
    seeds: seeds.storedSeeds('blockstore', 'EC:'),
    after: validateExtendedCommitBasic,
  }),
  schemaDecoder('light block', LightBlock, {
    seeds: lightBlockSeeds,
    // Each block is checked against the chain id in its own header, so that all further checks run.
    after: (value) => validateLightBlockBasic(value, value.signedHeader?.header?.chainId ?? ''),
  }),
  schemaDecoder('proof operators', ProofOps, {
    seeds: () => [
      ProofOps.encode({
        ops: [
          makeValueOp(text('a'), { total: 1, index: 0, leafHash: new Uint8Array(32), aunts: [new Uint8Array(32)] }),
        ],
      }),
    ],
    after: (proof) => verifyProofOps(proof, { root: new Uint8Array(32), keyPath: '/a/x:00', value: new Uint8Array(1) }),
  }),
  {
    name: 'ICS-23 proof',
    isProtobuf: true,
    read: readIcs23,
    seeds: ics23Seeds,
  },
  schemaDecoder('application request', Request, { seeds: seeds.abciSeeds('request') }),
  schemaDecoder('application answer', Response, { seeds: seeds.abciSeeds('response') }),
  schemaDecoder('signer', SignerMessage, { seeds: seeds.signerSeeds }),
  schemaDecoder('log record', TimedWalMessage, {
    seeds: seeds.walRecordSeeds,
    after: (record) => void inputFromRecord(record),
  }),
  schemaDecoder('state', State, { seeds: seeds.storedSeeds('state', 'stateKey') }),
  schemaDecoder('stored validators', ValidatorsInfo, { seeds: seeds.storedSeeds('state', 'validatorsKey:') }),
  schemaDecoder('stored parameters', ConsensusParamsInfo, { seeds: seeds.storedSeeds('state', 'consensusParamsKey:') }),
  schemaDecoder('stored results', AbciResponsesInfo, { seeds: seeds.storedSeeds('state', 'lastABCIResponseKey') }),
  schemaDecoder('indexed transaction', TxResult, { seeds: seeds.txResultSeeds }),
]
