import { RequestCheckTx, RequestQuery } from '@org/types/abci'
import { concatBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import { createApp, message, query } from '../../../../../packages/app/src/index.ts'
import { CHUNK_BYTES, createBuilder, decodeMetadata } from '../../../../../packages/app/src/snapshots/format.ts'
import { DEFAULT_COSTS, type Door } from '../door.ts'
import { listOf, nest, runOf } from '../shapes.ts'

const MIB = 1024 * 1024

/** A schema that accepts every value, so that the measured costs are those of `@org/app` alone. */
const anything = {
  '~standard': { version: 1, vendor: 'halley', validate: (value: unknown) => ({ value }) },
} as const

const createEchoApp = () =>
  createApp({
    signatures: false,
    messages: { note: message(anything, () => undefined) },
    queries: { echo: query(anything, (_context, value) => value) },
    onError: () => undefined,
  })

/** The forms of JSON that are expensive for a reader: deep, long, or with many members. */
const jsonShapes = (before = '', after = '') => ({
  'nested lists': nest(['[', ']'], before, after),
  'nested objects': nest(['{"a":', '}'], before, `0${after}`),
  'many members': listOf((i) => `"${i}":0,`, `${before}{`, `"last":0}${after}`),
  'the same member': runOf('"a":0,', `${before}{`, `"b":0}${after}`),
  'a list of numbers': runOf('0,', `${before}[`, `0]${after}`),
  'a long text': runOf('a', `${before}"`, `"${after}`),
  'a text of escapes': runOf('\\u0061', `${before}"`, `"${after}`),
  'a long number': runOf('9', before, after),
})

const transaction: Door = {
  name: 'transactions of @org/app',
  where: 'app/src/transaction/transaction.ts',
  limit: MIB,
  costs: DEFAULT_COSTS,
  open: async () => {
    const app = createEchoApp()
    return { read: (tx) => app.checkTx(RequestCheckTx.create({ tx })), close: () => app.close() }
  },
  shapes: jsonShapes('{"type":"note","value":', '}'),
}

const argument: Door = {
  name: 'queries of @org/app',
  where: 'app/src/application/queries.ts',
  limit: MIB,
  costs: DEFAULT_COSTS,
  open: async () => {
    const app = createEchoApp()
    return { read: (data) => app.query(RequestQuery.create({ path: '/echo', data })), close: () => app.close() }
  },
  shapes: jsonShapes(),
}

const leaf = (key: readonly number[]): readonly number[] => [0, 1, key.length, ...key, 1, 1]

const chunks: Door = {
  name: 'snapshots of @org/app',
  where: 'app/src/snapshots/format.ts',
  limit: CHUNK_BYTES,
  costs: { nsPerByte: 1500, heldPerByte: 120 },
  open: () => ({ read: (chunk) => [...createBuilder(1).add(chunk)] }),
  shapes: {
    'leaves with keys in order': (size) => {
      const items: number[] = []
      for (let i = 1; items.length < size; i++) {
        items.push(...leaf([(i >> 24) & 255, (i >> 16) & 255, (i >> 8) & 255, i & 255]))
        if (i > 1) items.push(1, 1)
      }
      return Uint8Array.from(items)
    },
    'leaves without inner nodes': runOf(leaf([1])),
    'inner nodes without children': runOf([1, 1]),
    'padded numbers': runOf([0x80]),
    'a long key': (size) => concatBytes(Uint8Array.of(0, 1, 0x80, 0x80, 0x20), new Uint8Array(size)),
  },
}

const metadata: Door = {
  name: 'metadata of snapshots of @org/app',
  where: 'app/src/snapshots/format.ts',
  limit: 4_000_000,
  costs: DEFAULT_COSTS,
  open: () => ({ read: (input) => decodeMetadata(input, sha256(input)) }),
  shapes: {
    'hashes without bytes': runOf([0x0a, 0]),
    'hashes of chunks': runOf([0x0a, 32, ...new Uint8Array(32)]),
    'unknown fields': runOf([0xf8, 7, 0]),
  },
}

/** The places where bytes from outside enter an application that uses `@org/app`. */
export const APPLICATION_DOORS: readonly Door[] = [transaction, argument, chunks, metadata]
