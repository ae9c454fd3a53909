import { base64ToBytes, bytesToBase64 } from '@org/types/bytes'
import type { PublicKey } from '@org/types/crypto'
import { parseTime, type Time } from '@org/types/time'
import { RPC_CLIENT_ERRORS, RpcClientError, refusal } from './errors.ts'
import type { RpcTransport } from './transport.ts'

/** The present settings of a devnet. Times are nanoseconds since 1970. */
export interface DevnetStatus {
  readonly automine: boolean
  /** The interval at which the devnet makes blocks without a request, in real milliseconds; 0 if it makes none. */
  readonly interval: number
  /** The present time on the clock of the chain. */
  readonly time: Time
  readonly validators: readonly {
    readonly address: string
    /** The power of the validator in the next block; 0 for a removed validator. */
    readonly power: bigint
    readonly signs: boolean
    /** Whether the validator runs: false after a crash. */
    readonly runs: boolean
    /** True while a partition separates this validator from the first one, whose node answers the calls of the RPC. */
    readonly apart: boolean
  }[]
  readonly delays: readonly DelayedMessages[]
  /** The maximum delay, in milliseconds, that a call of `delay` may set. */
  readonly maxDelay: number
  /** The snapshots. The first snapshot is the beginning of the chain. */
  readonly snapshots: readonly { readonly id: string; readonly height: number }[]
  /** Transactions that are kept out of blocks. `hash` is hex; `head` is the first 64 bytes of a transaction, or all. */
  readonly heldTxs: readonly { readonly hash: string; readonly size: number; readonly head: Uint8Array }[]
}

/** The calls that control a devnet. Addresses of validators are hex; times are nanoseconds since 1970. */
export interface DevnetClient {
  /** Resolves with the present settings. This call changes nothing. */
  readonly info: () => Promise<DevnetStatus>
  /** Makes blocks immediately. */
  readonly advanceBlocks: (blocks: number) => Promise<void>
  /** Moves the clock of the chain ahead by whole seconds. Resolves with its new time. */
  readonly advanceTime: (seconds: number) => Promise<Time>
  /** Makes a validator sign, or stop signing. Resolves with a flag for each validator: true if it signs. */
  readonly setSigningStatus: (address: string, status: 'up' | 'down') => Promise<Readonly<Record<string, boolean>>>
  /** Makes blocks until a block has the evidence that the validator signed two votes. */
  readonly causeDoubleSign: (address: string) => Promise<void>
  /**
   * Makes blocks until a block has the evidence that the validator attacked a light client. Other validators take part
   * in the attack, but only as many as the attack needs.
   */
  readonly causeLightClientAttack: (address: string, type: 'Lunatic' | 'Equivocation' | 'Amnesia') => Promise<void>
  /**
   * Makes blocks, `interval` milliseconds apart in the time of the chain. Resolves with the height of the last of these
   * blocks.
   */
  readonly mine: (blocks?: number, interval?: number) => Promise<number>
  /**
   * True: the devnet puts each transaction into a block at once. False: transactions wait until a block is requested.
   */
  readonly automine: (enabled: boolean) => Promise<void>
  /**
   * Makes a block every `milliseconds` ms of real time. With 0, the devnet makes no more blocks at an interval, but
   * still makes the blocks that calls or `automine` require.
   */
  readonly interval: (milliseconds: number) => Promise<void>
  readonly setTime: (time: Date | string) => Promise<Time>
  /**
   * Changes the power of a validator; with the power 0, the validator is removed until it gets a power again. Resolves
   * with the height from which the new power counts.
   */
  readonly setPower: (address: string, power: bigint | number) => Promise<number>
  /**
   * Adds a validator with a new key. The validator's node runs in the process of the devnet. Makes the blocks after
   * which the validator's power counts, and then resolves. With the power 0, the node only follows the chain until the
   * validator gets a power, from `setPower` or from the application.
   */
  readonly addValidator: (power: bigint | number) => Promise<NewValidator>
  /** Removes a transaction that waits for a block, by its hash in hex. */
  readonly dropTx: (hash: string) => Promise<void>
  /**
   * Holds a transaction of the mempool, so that no block contains it (`held` is true, the default), or releases it
   * again (`held` is false).
   */
  readonly holdTx: (hash: string, held?: boolean) => Promise<void>
  /** Saves the chain with its application. Resolves with the id of the snapshot. */
  readonly snapshot: () => Promise<string>
  /** Goes back to a snapshot. Resolves with the height of the snapshot. */
  readonly revert: (id: string) => Promise<number>
  readonly reset: () => Promise<number>
  readonly crash: (address: string) => Promise<void>
  readonly restart: (address: string) => Promise<void>
  readonly partition: (addresses: readonly string[]) => Promise<void>
  readonly heal: () => Promise<void>
  /**
   * Delays the messages from the validator `from` to the validator `to` by a number of milliseconds on the clock of the
   * chain; 0 ends the delay. Without `from`, the messages of all validators are delayed; without `to`, the messages to
   * all validators. Resolves with all delays that are now set.
   */
  readonly delay: (milliseconds: number, way?: DelayedWay) => Promise<readonly DelayedMessages[]>
  /** Resolves with the whole chain and its keys, for `load`. */
  readonly dump: () => Promise<Uint8Array>
  /** Replaces the present chain by the chain in `dump`. Resolves with the height of the loaded chain. */
  readonly load: (dump: Uint8Array) => Promise<number>
  /**
   * Copies the chain from the home of a stopped node on the devnet's machine. The copy replaces the present chain. The
   * devnet has no keys of the copied validators, so it replaces the keys of some validators by keys of its own.
   * `validators` is the number of replaced keys; by default, it is the number of validators of the devnet. Resolves
   * with the height of the copy.
   */
  readonly fork: (home: string, validators?: number) => Promise<number>
}

/** A validator that was added to a devnet. */
export interface NewValidator {
  readonly address: string
  readonly pubKey: PublicKey
  /** The height from which the power of the validator counts. */
  readonly height: number
}

/**
 * The direction of a delay: the address of the validator that sends the messages, and the address of the validator that
 * receives them.
 */
export interface DelayedWay {
  readonly from?: string
  readonly to?: string
}

/** A delay of the messages from one validator to another. */
export interface DelayedMessages {
  readonly from: string
  readonly to: string
  readonly milliseconds: number
}

type Params = Readonly<Record<string, string | boolean | readonly string[]>>
interface Answers {
  readonly height: string
  readonly address: string
  readonly pub_key: { readonly type: string; readonly value: string }
  readonly id: string
  readonly dump: string
  readonly new_time: string
  readonly new_signing_status_map: Readonly<Record<string, boolean>>
  readonly delays: readonly DelayJson[]
}

interface DelayJson {
  readonly from: string
  readonly to: string
  readonly milliseconds: string
}

interface InfoJson {
  readonly automine: boolean
  readonly interval: string
  readonly time: string
  readonly validators: readonly (Omit<DevnetStatus['validators'][number], 'power'> & { readonly power: string })[]
  readonly delays: readonly DelayJson[]
  readonly max_delay: string
  readonly snapshots: readonly { readonly id: string; readonly height: string }[]
  readonly held_txs: readonly { readonly hash: string; readonly size: string; readonly head: string }[]
}

const delaysOf = (list: readonly DelayJson[]): readonly DelayedMessages[] =>
  list.map((each) => ({ ...each, milliseconds: Number(each.milliseconds) }))

function timeOf(method: string, text: string): Time {
  const read = parseTime(text)
  if (read === undefined) throw shapeError(method, `its time is not RFC 3339: ${JSON.stringify(text)}`)
  return read
}

function textOf(date: Date): string {
  if (Number.isFinite(date.getTime())) return date.toISOString()
  throw new RpcClientError(
    RPC_CLIENT_ERRORS.argument,
    'dev_setTime: the argument time is an invalid Date: give a valid Date',
    {
      data: { method: 'dev_setTime', argument: 'time' },
    },
  )
}

function bytesOf(method: string, text: string): Uint8Array {
  const bytes = base64ToBytes(text)
  if (bytes === undefined) throw shapeError(method, `bytes are not base64: ${JSON.stringify(text.slice(0, 40))}`)
  return bytes
}

/** The type of all keys that a devnet makes. */
const KEY_TYPE = 'tendermint/PubKeyEd25519'

function keyOf({ type, value }: Answers['pub_key']): PublicKey {
  if (type !== KEY_TYPE) throw shapeError('dev_validators', `a key has the type ${JSON.stringify(type.slice(0, 40))}`)
  return { type: 'ed25519', bytes: bytesOf('dev_validators', value) }
}

function powerOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text))
    throw shapeError('dev_info', `a power is not a whole number: ${JSON.stringify(text.slice(0, 40))}`)
  return BigInt(text)
}

function statusOf(info: InfoJson): DevnetStatus {
  return {
    automine: info.automine,
    interval: Number(info.interval),
    time: timeOf('dev_info', info.time),
    validators: info.validators.map((each) => ({ ...each, power: powerOf(each.power) })),
    delays: delaysOf(info.delays),
    maxDelay: Number(info.max_delay),
    snapshots: info.snapshots.map(({ id, height }) => ({ id, height: Number(height) })),
    heldTxs: info.held_txs.map(({ hash, size, head }) => ({
      hash,
      size: Number(size),
      head: bytesOf('dev_info', head),
    })),
  }
}

/**
 * The typed client for the calls that control a devnet, over a transport of this package. Its calls reject with the
 * same errors as the calls of `createRpcClient`.
 */
export function createDevnetClient(transport: Pick<RpcTransport, 'send'>): DevnetClient {
  async function call<T = Answers>(method: string, params: Params = {}): Promise<T> {
    const [answer] = await transport.send([{ method, params }], undefined)
    if (answer === undefined) throw shapeError(method, 'there is no answer')
    if ('error' in answer) throw refusal(method, answer.error)
    return answer.result as T
  }

  async function run(method: string, params?: Params): Promise<void> {
    await call(method, params)
  }

  async function height(method: string, params?: Params): Promise<number> {
    return Number((await call(method, params)).height)
  }

  async function time(method: string, params: Params): Promise<Time> {
    return timeOf(method, (await call(method, params)).new_time)
  }

  return {
    info: async () => statusOf(await call<InfoJson>('dev_info')),
    advanceBlocks: (blocks) => run('advance_blocks', { num_blocks: String(blocks) }),
    advanceTime: (seconds) => time('advance_time', { duration_in_seconds: String(seconds) }),
    setSigningStatus: async (address, status) =>
      (await call('set_signing_status', { private_key_address: address, status })).new_signing_status_map,
    causeDoubleSign: (address) => run('cause_double_sign', { private_key_address: address }),
    causeLightClientAttack: (address, type) =>
      run('cause_light_client_attack', { private_key_address: address, misbehaviour_type: type }),
    mine: (blocks = 1, interval = 0) => height('dev_mine', { blocks: String(blocks), interval: String(interval) }),
    automine: (enabled) => run('dev_automine', { enabled }),
    interval: (milliseconds) => run('dev_interval', { milliseconds: String(milliseconds) }),
    setTime: async (wanted) => time('dev_setTime', { time: typeof wanted === 'string' ? wanted : textOf(wanted) }),
    setPower: (validator, power) => height('dev_validators', { validator, power: String(power) }),
    addValidator: async (power) => {
      const {
        height: from,
        address,
        pub_key: pubKey,
      } = await call('dev_validators', {
        validator: 'new',
        power: String(power),
      })
      return { address, pubKey: keyOf(pubKey), height: Number(from) }
    },
    dropTx: (hash) => run('dev_dropTx', { hash }),
    holdTx: (hash, held = true) => run('dev_holdTx', { hash, held }),
    snapshot: async () => (await call('dev_snapshot')).id,
    revert: (id) => height('dev_revert', { id }),
    reset: () => height('dev_reset'),
    crash: (validator) => run('dev_crash', { validator }),
    restart: (validator) => run('dev_restart', { validator }),
    partition: (validators) => run('dev_partition', { validators }),
    heal: () => run('dev_heal'),
    dump: async () => bytesOf('dev_dump', (await call('dev_dump')).dump),
    load: (dump) => height('dev_load', { dump: bytesToBase64(dump) }),
    fork: (home, validators) =>
      height('dev_fork', { home, ...(validators === undefined ? {} : { num_validators: String(validators) }) }),
    delay: async (milliseconds, way = {}) => {
      const { delays } = await call('dev_delay', { milliseconds: String(milliseconds), ...way })
      return delaysOf(delays)
    },
  }
}

function shapeError(method: string, what: string): RpcClientError {
  const message = `the answer to ${method} has an unexpected form: ${what}`
  return new RpcClientError(RPC_CLIENT_ERRORS.shape, message, { data: { method } })
}
