// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote expressions of the source

/**
 * A place in the source that the check `costs` accepts. `why` is the reason why no input from outside of the node can
 * make this place slow or make it fail.
 */
export interface AllowedCost {
  readonly file: string
  /** The text of the expression, in one line. */
  readonly text: string
  readonly why: string
}

/**
 * Calls of `BigInt(value)` that the check `costs` accepts, because the value is a number. A number has few digits, so
 * the call takes little time.
 */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  'apps/node/src/config/kinds.ts': ['BigInt(max)', 'BigInt(min)'],
  'packages/node-rpc/src/connection-status.ts': ['BigInt(ms)'],
  'packages/engine/src/consensus/gossip/peer-round-state.ts': ['BigInt(message.secondsSinceStartTime)'],
  'packages/engine/src/consensus/machine/options.ts': ['BigInt(round)'],
  'packages/engine/src/events/query/decimal.ts': [
    'BigInt(Number.MAX_SAFE_INTEGER)',
    'BigInt(exponent)',
    'BigInt(shift)',
    'BigInt(value)',
  ],
  'packages/engine/src/evidence/gossip/reactor.ts': ['BigInt(age)'],
  'packages/engine/src/evidence/verify.ts': ['BigInt(state.lastBlockHeight)'],
  'packages/engine/src/execution/tx-filter.ts': ['BigInt(MAX_BLOCK_SIZE_BYTES)'],
  'packages/engine/src/execution/validate-block.ts': ['BigInt(got)'],
  'packages/engine/src/store/varint.ts': ['BigInt(value)'],
  'packages/rpc/src/json/go-format.ts': ['BigInt(truncated)'],
  'packages/rpc/src/operations/blocks.ts': ['BigInt(ports.blocks.base())', 'BigInt(ports.blocks.height())'],
  'packages/rpc/src/operations/genesis.ts': ['BigInt(total)'],
  'packages/rpc/src/operations/argument-rules.ts': [
    'BigInt(MAX_PER_PAGE)',
    'BigInt(base)',
    'BigInt(latest)',
    'BigInt(pages)',
  ],
  'packages/rpc/src/transports/documents-and-probes.ts': ['BigInt(limit)'],
  'packages/rpc/src/subscriptions/frame-writer.ts': ['BigInt(length)'],
  'packages/runtime/src/clock/system-clock.ts': ['BigInt(Date.now())'],
  'packages/types/src/bits/bit-set.ts': ['BigInt(this.#words[i + 1] ?? 0)'],
  'packages/types/src/parts/size.ts': [
    'BigInt(MAX_OVERHEAD_FOR_BLOCK + MAX_HEADER_BYTES + maxCommitBytes(validators) + evidenceBytes)',
    'BigInt(size)',
  ],
  'packages/types/src/crypto/verify.ts': ['BigInt(byte)'],
  'packages/types/src/evidence/hash.ts': ['BigInt(commonHeight)'],
  'packages/types/src/params/params.ts': ['BigInt(MAX_BLOCK_SIZE_BYTES)'],
  'packages/types/src/schema/cursor.ts': ['BigInt(high)', 'BigInt(low)'],
  'packages/types/src/schema/time-codec.ts': ['BigInt(nanos)'],
}

/** Expressions that receive only texts, numbers or lists of a limited size. */
const BOUNDED: readonly AllowedCost[] = [
  { file: 'apps/kvstore/src/rules/validator-tx.ts', text: 'BigInt(digits)', why: 'The operand has at most 19 digits.' },
  { file: 'apps/node/src/commands/light.ts', text: 'BigInt(numerator)', why: 'The operand has at most 9 digits.' },
  { file: 'apps/node/src/commands/light.ts', text: 'BigInt(denominator)', why: 'The operand has at most 9 digits.' },
  {
    file: 'apps/node/src/config/duration.ts',
    text: '10n ** BigInt(fraction.length)',
    why: "The operator's text has at most 1,000 characters.",
  },
  {
    file: 'apps/node/src/config/duration.ts',
    text: 'BigInt(fraction)',
    why: "The operator's text has at most 1,000 characters.",
  },
  {
    file: 'apps/node/src/config/duration.ts',
    text: "BigInt(whole === '' ? 0 : whole)",
    why: "The operator's text has at most 1,000 characters.",
  },
  {
    file: 'apps/node/src/config/kinds.ts',
    text: 'BigInt(digits)',
    why: "The operator's text has at most 80 characters.",
  },
  { file: 'apps/node/src/home/lock/proc-locks.ts', text: 'BigInt(lock.inode)', why: 'The kernel wrote the number.' },
  {
    file: 'packages/light/src/cosmjs/verified-transport.ts',
    text: 'BigInt(value)',
    why: 'The operand has at most 20 digits.',
  },
  {
    file: 'packages/abci/src/server/grpc-server.ts',
    text: 'definition(rpc, ...schemas)',
    why: 'The list has two schemas.',
  },
  {
    file: 'packages/engine/src/blocksync/reactor.ts',
    text: 'Math.max(0, ...Array.from(protocol.peers.values(), ({ server }) => server.size()))',
    why: 'The list has one number for each connected peer.',
  },
  {
    file: 'packages/engine/src/consensus/driver/driver.ts',
    text: 'gossip?.judgement(...given)',
    why: 'The list is the parameters of a function, passed on to another function.',
  },
  {
    file: 'packages/engine/src/consensus/driver/feeder.ts',
    text: 'evidencePool.reportConflictingVotes(...effect.votes)',
    why: 'The list has two votes.',
  },
  {
    file: 'packages/engine/src/consensus/gossip/reactor.ts',
    text: 'Math.max( 0, ...Array.from(protocol.peers.values(), ({ pendingAnnouncements }) => pendingAnnouncements.size()), )',
    why: 'The list has one number for each connected peer.',
  },
  {
    file: 'packages/engine/src/events/query/date-time.ts',
    text: "BigInt(digits.slice(0, 9).padEnd(9, '0'))",
    why: 'The operand has nine digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: '10n ** BigInt(Math.min(MAX_POWER, Math.abs(decimal)))',
    why: 'The power is at most 20,000.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: '1n << (extra - 1n)',
    why: 'The shift is at most the length of a number of 20,000 and 1,024 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: '1n << BigInt(-exponent)',
    why: 'An exponent is within 100,000, from at most 20,000 powers of ten and of two.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: "BigInt(digits.slice(first) || '0')",
    why: 'The operand has at most 1,024 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'BigInt(isExact ? kept : `${kept}1`)',
    why: 'The operand has at most 1,025 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: "BigInt(kept || '0')",
    why: 'The operand has at most 1,024 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'denominator << BigInt(-shift)',
    why: 'The shift is at most the length of a number of 20,000 and 1,024 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'left.mantissa << BigInt(left.exponent - exponent)',
    why: 'An exponent is within 100,000, from at most 20,000 powers of ten and of two.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'mantissa << BigInt(exponent)',
    why: 'An exponent is within 100,000, from at most 20,000 powers of ten and of two.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'numerator << BigInt(shift)',
    why: 'The shift is at most the length of a number of 20,000 and 1,024 digits.',
  },
  {
    file: 'packages/engine/src/events/query/decimal.ts',
    text: 'right.mantissa << BigInt(right.exponent - exponent)',
    why: 'An exponent is within 100,000, from at most 20,000 powers of ten and of two.',
  },
  {
    file: 'packages/engine/src/indexer/keys.ts',
    text: 'encodeOrdered(...items)',
    why: 'The list is the parameters of a function, passed on to another function.',
  },
  {
    file: 'packages/engine/src/statesync/reactor.ts',
    text: 'Math.max(0, ...Array.from(protocol.peers.values(), ({ queued }) => queued))',
    why: 'The list has one number for each connected peer.',
  },
  { file: 'apps/explorer/src/devnet/powers.tsx', text: 'BigInt(text.trim())', why: 'The pattern allows 19 digits.' },
  { file: 'packages/rpc/src/client/devnet.ts', text: 'BigInt(text)', why: 'The pattern allows 20 digits.' },
  { file: 'packages/rpc/src/client/forms.ts', text: 'BigInt(text)', why: 'The operand has at most 40 digits.' },
  { file: 'packages/rpc/src/json/amino.ts', text: 'BigInt(value)', why: 'The operand has at most 12 digits.' },
  { file: 'packages/rpc/src/json/values.ts', text: 'BigInt(raw)', why: 'The operand has at most 40 characters.' },
  {
    file: 'packages/rpc/src/profiles/openapi.ts',
    text: 'BigInt(json.voting_power)',
    why: 'This node wrote the text, an integer of 64 bits.',
  },
  { file: 'packages/rpc/src/middleware/meter.ts', text: 'sink.write(...parts)', why: 'An event has three parts.' },
  { file: 'packages/rpc/src/call/params.ts', text: 'BigInt(raw)', why: 'The operand has at most 16 digits.' },
  {
    file: 'packages/types/src/crypto/keys.ts',
    text: 'publicKeyFromBytes(...fromTagged(json, PUBLIC_KEY_TAGS))',
    why: 'The list has two items, a type and a key.',
  },
  { file: 'packages/rpc/src/operations/devnet.ts', text: 'BigInt(wanted)', why: 'The pattern allows 11 digits.' },
  { file: 'packages/types/src/schema/codec.ts', text: 'BigInt(json)', why: 'The operand has at most 40 characters.' },
  {
    file: 'packages/types/src/schema/message.ts',
    text: 'Math.max(0, ...writers.map(({ number }) => number))',
    why: 'The list has the fields of a message, which the source names.',
  },
  { file: 'packages/types/src/time/time.ts', text: 'BigInt(seconds)', why: 'The operand is a number, not a text.' },
  { file: 'packages/types/src/time/time.ts', text: 'BigInt(nanos)', why: 'The operand is a number, not a text.' },
  {
    file: 'packages/types/src/crypto/backend/cofactored.ts',
    text: 'Uint8Array.of(1, ...new Uint8Array(31))',
    why: 'The list has 31 items.',
  },
]

const numbersOf = ([file, texts]: readonly [string, readonly string[]]): AllowedCost[] =>
  texts.map((text) => ({ file, text, why: 'The operand is a number, not a text.' }))

export const ALLOWED_COSTS: readonly AllowedCost[] = [...Object.entries(NUMBERS).flatMap(numbersOf), ...BOUNDED]
