import { recording, recordingLines, recordingText } from '@org/golden'

/** The maximum length of a recorded input in bytes. Longer recordings make slow inputs and reach no further code. */
const MAX_SEED_BYTES = 2048
const MAX_SEEDS = 60

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
export const text = (value: string): Uint8Array => new TextEncoder().encode(value)

/** Returns at most {@link MAX_SEEDS} different inputs: the first ones that are short enough. */
function chosen(all: Iterable<Uint8Array>): readonly Uint8Array[] {
  const seeds = new Map<string, Uint8Array>()
  for (const seed of all) {
    if (seed.length <= MAX_SEED_BYTES) seeds.set(Buffer.from(seed).toString('latin1'), seed)
    if (seeds.size >= MAX_SEEDS) break
  }
  return [...seeds.values()]
}

/** Returns every n-th item of a list, so that a few items represent the whole list. */
function spread<T>(items: readonly T[], most = 400): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / most))
  return items.filter((_, index) => index % step === 0)
}

interface TraceLine {
  readonly kind?: string
  readonly type?: string
  readonly channel?: number
  readonly hex?: string
}

/** Returns a function that returns recorded messages, which nodes of the reference sent on this channel. */
export const channelSeeds = (channel: number, type?: string) => (): readonly Uint8Array[] => {
  const lines = ['kvstore-four-node0', 'e2e-voteext-node0'].flatMap((name) =>
    recordingLines<TraceLine>(`p2p-trace/${name}.jsonl`),
  )
  const fitting = lines.filter((line) => line.channel === channel && (type === undefined || line.type === type))
  // A few messages of each kind are chosen, because the recording has hundreds of messages of some kinds and only one
  // message of other kinds.
  const kinds = Map.groupBy(fitting, (line) => line.type)
  return chosen([...kinds.values()].flatMap((of) => spread(of, 8)).map((line) => hex(line.hex ?? '')))
}

export const handshakeSeeds = (type: string) => (): readonly Uint8Array[] =>
  chosen(
    recordingLines<TraceLine>('p2p-trace/kvstore-four-node0.jsonl')
      .filter((line) => line.kind === 'handshake' && line.type === type)
      .map((line) => hex(line.hex ?? '')),
  )

interface DumpLine {
  readonly db: string
  readonly key: string
  readonly value: string
}

const DUMPS = ['kvstore-single/db-dump', 'e2e-voteext/db-dump-node0', 'kvstore-four/db-dump-node0']

function dump(db: string): readonly DumpLine[] {
  return DUMPS.flatMap((name) => recordingLines<DumpLine>(`${name}.jsonl`)).filter((line) => line.db === db)
}

/**
 * Returns a function that returns some values of a recorded database of the reference: only values whose keys have this
 * prefix.
 */
export const storedSeeds = (db: string, prefix: string) => (): readonly Uint8Array[] => {
  const start = Buffer.from(prefix, 'utf8').toString('hex')
  return chosen(spread(dump(db).filter(({ key }) => key.startsWith(start))).map(({ value }) => hex(value)))
}

export const storedKeys = (db: string) => (): readonly Uint8Array[] =>
  chosen(spread(dump(db)).map(({ key }) => hex(key)))

/**
 * Returns recorded transactions with their results, as the reference stores them. Their keys are transaction hashes.
 */
export const txResultSeeds = (): readonly Uint8Array[] =>
  chosen(
    spread(dump('tx_index').filter(({ key, value }) => key.length === 64 && value.length > 64)).map(({ value }) =>
      hex(value),
    ),
  )

/**
 * Returns a function that returns messages of a recorded ABCI connection, without the length in front of each
 * message.
 */
export const abciSeeds = (side: 'request' | 'response') => (): readonly Uint8Array[] => {
  const frames: Uint8Array[] = []
  for (const trace of ['batch', '1-first-start', '3-app-lost-its-state']) {
    for (const line of recordingLines<{ conn: number; dir: string; offset: number; prefix: number; length: number }>(
      `abci-trace/${trace}/messages.jsonl`,
    )) {
      if (line.dir !== side) continue
      const start = line.offset + line.prefix
      frames.push(recording(`abci-trace/${trace}/conn${line.conn}.${side}.bin`).slice(start, start + line.length))
    }
  }
  return chosen(spread(frames))
}

export const signerSeeds = (): readonly Uint8Array[] =>
  chosen(
    spread(recordingLines<{ hex: string }>('privval-trace/1-ten-heights/messages.jsonl'), 30).map((line) =>
      hex(line.hex),
    ),
  )

/** Returns records of a recorded write-ahead log, without the checksum and the length in front of each record. */
export const walRecordSeeds = (): readonly Uint8Array[] => {
  const bytes = recording('wal/wal')
  const lines = spread(recordingLines<{ offset: number; length: number }>('wal/wal.jsonl'))
  return chosen(lines.map(({ offset, length }) => bytes.slice(offset + 8, offset + 8 + length)))
}

export const walFileSeeds = (): readonly Uint8Array[] =>
  [0, 200, 900].map((from) => recording('wal/wal').slice(from, from + 1200))

export const genesisSeeds = (): readonly Uint8Array[] =>
  ['kvstore-single', 'e2e-voteext', 'kvstore-four'].map((name) => text(recordingText(`${name}/genesis.json`)))

interface Exchange {
  readonly transport: string
  readonly request: {
    readonly method?: string
    readonly path?: string
    readonly body?: unknown
    readonly frames?: readonly unknown[]
  }
  readonly response: { readonly body?: unknown }
}

const exchanges = (): readonly Exchange[] =>
  ['kvstore-single', 'e2e-voteext'].flatMap((name) => recordingLines<Exchange>(`${name}/answers.jsonl`))

const isText = (value: unknown): value is string => typeof value === 'string'

export const jsonBodySeeds = (): readonly Uint8Array[] =>
  chosen(
    spread(
      exchanges()
        .map(({ request }) => request.body)
        .filter(isText),
      100,
    ).map(text),
  )

export const targetSeeds = (): readonly Uint8Array[] =>
  chosen(
    spread(
      exchanges().filter(({ transport }) => transport === 'uri'),
      100,
    ).map(({ request }) => text(request.path ?? '/')),
  )

export const requestSeeds = (): readonly Uint8Array[] =>
  chosen([
    text(
      'GET /status HTTP/1.1\r\nHost: 127.0.0.1:26657\r\nAccept: application/json;profile=openapi\r\nConnection: close\r\n\r\n',
    ),
    text('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}'),
    text('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n'),
    text(
      'GET http://a/x?b=%20 HTTP/1.0\r\nConnection: keep-alive\r\n folded: y\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n',
    ),
  ])
