import { readFileSync } from 'node:fs'
import { type Application, createConnections } from '@org/abci'
import { CodedError } from '@org/runtime'
import { Block, BlockId, BlockMeta, hashBlock } from '@org/types'
import { RequestInfo } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { generateEd25519, publicKeyOf, sign, verifySignature } from '@org/types/crypto'
import { serveAndAsk } from './serve.js'

const answer = JSON.parse(readFileSync(process.argv[2] ?? 'block.json', 'utf8')).result
const fromJson = Block.fromJson(answer.block)
const block = Block.decode(Block.encode(fromJson))
const hash = bytesToHex(hashBlock(block)).toUpperCase()

const key = generateEd25519()
const message = Uint8Array.of(1, 2, 3)

const app: Application = { info: () => ({ data: 'ten lines', lastBlockHeight: 3 }) }
const connections = createConnections({ kind: 'local', app })
const info = await connections.query.info(RequestInfo.create({}))

const meta = BlockMeta.create({ blockId: BlockId.fromJson(answer.block_id), header: block.header })
console.log(
  JSON.stringify({
    hash,
    announced: answer.block_id.hash,
    signature: verifySignature(publicKeyOf(key), message, sign(key, message)),
    info: info.data,
    coded: new CodedError('MINE', 'text').code,
    ...(await serveAndAsk(block, meta)),
  }),
)
