import { isCodedError } from '@org/runtime/errors'
import { PublicKey } from '@org/types/crypto'
import { formatTime, parseTime } from '@org/types/time'
import {
  amount,
  anyJson,
  base64,
  coded,
  count,
  flag,
  hex,
  list,
  object,
  omittable,
  resultOf,
  text,
  time,
} from '../call/json-type.ts'
import type { Param } from '../call/params.ts'
import { defineRoute, type ResultType, type RouteDefinition, type TypedRoute } from '../call/route.ts'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { DevnetDelay } from '../ports/index.ts'
import {
  address,
  addresses,
  addressOrNew,
  dumpBytes,
  flag as flagParam,
  type NamedParam,
  NEW_VALIDATOR,
  oneOf,
  optionalAddress,
  optionalNumber,
  power as powerParam,
  textParam,
  txHash,
  wholeNumber,
} from './devnet-params.ts'
import { emptyResult } from './results.ts'

/**
 * The maximum number of blocks that one call makes. With more blocks the caller would wait too long without any sign of
 * progress.
 */
const MAX_BLOCKS = 10_000n
/**
 * The maximum time by which one call may move the clock of the chain, and the maximum time between two blocks, in
 * milliseconds: 100 years.
 */
const MAX_MS = 3_155_760_000_000n

const heightResult = resultOf(object({ height: count }))
const timeResult = resultOf(object({ newTime: time }))

/**
 * Adds the code of a devnet's error to the end of the error's text, so that a script can find the code in the answer.
 */
function withCode(error: unknown): unknown {
  if (!isCodedError(error) || error instanceof RpcError) return error
  return new RpcError(RPC_ERRORS.refused, `${error.message} [${error.code}]`, { cause: error })
}

type Named<A> = { readonly [K in keyof A]: NamedParam<A[K]> }
type ParamsOf<A> = { readonly [K in keyof A]: Param<A[K]> }
type Definition<A extends Readonly<Record<string, unknown>>, R> = Pick<
  RouteDefinition<ParamsOf<A>, R, Readonly<Record<never, never>>, 'devnet'>,
  'summary' | 'required' | 'handler'
> & { readonly params: Named<A>; readonly result: ResultType<R> }

/** An operation that exists only on a node that was started as a devnet. `A` has the types of its arguments. */
function control<A extends Readonly<Record<string, unknown>>, R>(
  name: string,
  { params, ...route }: Definition<A, R>,
): TypedRoute<ParamsOf<A>, R> {
  const named = Object.fromEntries(
    Object.entries<NamedParam<unknown>>(params).map(([each, make]) => [each, make(each)]),
  ) as ParamsOf<A>
  const handler: typeof route.handler = async (context, args) => {
    const fault = context.controlFault()
    if (fault !== undefined) throw new RpcError(RPC_ERRORS.foreignOrigin, fault)
    try {
      return await route.handler(context, args)
    } catch (error) {
      throw withCode(error)
    }
  }
  return defineRoute({ name, category: 'Devnet', own: true, needs: ['devnet'], ...route, params: named, handler })
}

const BLOCKS = [1n, MAX_BLOCKS] as const
const SECONDS = [1n, MAX_MS / 1000n] as const
const inMs = (seconds: bigint): number => Number(seconds) * 1000

/**
 * This operation and the next four have the names, parameters and answers of CometMock, an imitation of CometBFT for
 * tests. The operations whose names begin with `dev_` exist only in this node.
 */
const advanceBlocks = control('advance_blocks', {
  summary: 'Makes blocks immediately.',
  params: { num_blocks: wholeNumber(BLOCKS) },
  required: ['num_blocks'],
  result: emptyResult,
  handler: async ({ ports }, { num_blocks: wanted }) => {
    await ports.devnet.mine(Number(wanted))
    return {}
  },
})

const advanceTime = control('advance_time', {
  summary: 'Moves the clock of the chain ahead. With 0 seconds, only returns the clock.',
  // CometMock too accepts a duration of 0 seconds.
  params: { duration_in_seconds: wholeNumber([0n, SECONDS[1]]) },
  required: ['duration_in_seconds'],
  result: timeResult,
  handler: ({ ports }, { duration_in_seconds: duration }) => ({ newTime: ports.devnet.advanceTime(inMs(duration)) }),
})

const setSigningStatus = control('set_signing_status', {
  summary: 'Lets a validator sign (up), or stops it from signing (down).',
  params: { private_key_address: address, status: oneOf(['up', 'down']) },
  required: ['private_key_address', 'status'],
  result: resultOf(object({ newSigningStatusMap: anyJson })),
  handler: ({ ports }, { private_key_address: validator, status }) => ({
    newSigningStatusMap: { ...ports.devnet.setSigning(validator, status === 'up') },
  }),
})

const causeDoubleSign = control('cause_double_sign', {
  summary: 'Makes a validator sign two conflicting votes. Then makes a block that contains the evidence.',
  params: { private_key_address: address },
  required: ['private_key_address'],
  result: emptyResult,
  handler: async ({ ports }, { private_key_address: validator }) => {
    await ports.devnet.doubleSign(validator)
    return {}
  },
})

/** The attacks on light clients, with CometMock's names as keys. */
const ATTACKS = { Lunatic: 'lunatic', Equivocation: 'equivocation', Amnesia: 'amnesia' } as const
const attackType = oneOf(Object.keys(ATTACKS) as (keyof typeof ATTACKS)[])

const causeLightClientAttack = control('cause_light_client_attack', {
  summary: 'Makes validators sign a forged header. Then makes a block that contains the evidence.',
  params: { private_key_address: address, misbehaviour_type: attackType },
  required: ['private_key_address', 'misbehaviour_type'],
  result: emptyResult,
  handler: async ({ ports }, { private_key_address: validator, misbehaviour_type: type }) => {
    await ports.devnet.attackLightClient(validator, ATTACKS[type])
    return {}
  },
})

const devMine = control('dev_mine', {
  summary: 'Makes blocks immediately. The times of successive blocks are `interval` milliseconds apart.',
  params: { blocks: optionalNumber(BLOCKS), interval: optionalNumber([0n, MAX_MS]) },
  result: heightResult,
  handler: async ({ ports }, { blocks = 1n, interval = 0n }) => ({
    height: await ports.devnet.mine(Number(blocks), Number(interval)),
  }),
})

const devAutomine = control('dev_automine', {
  summary:
    'Switches automatic blocks on (each transaction gets a block at once) or off (transactions wait for a block).',
  params: { enabled: flagParam },
  required: ['enabled'],
  result: emptyResult,
  handler: ({ ports }, { enabled }) => {
    ports.devnet.setAutomine(enabled)
    return {}
  },
})

const devInterval = control('dev_interval', {
  summary: 'Makes a block after each interval of real time. With 0, no timer makes blocks.',
  params: { milliseconds: wholeNumber([0n, 86_400_000n]) },
  required: ['milliseconds'],
  result: emptyResult,
  handler: ({ ports }, { milliseconds }) => {
    ports.devnet.setInterval(Number(milliseconds))
    return {}
  },
})

/** Reads a time in the notation of RFC 3339, or as seconds since 1970; `undefined` for another text. */
function timeOf(wanted: string): bigint | undefined {
  return /^\d{1,11}$/.test(wanted) ? BigInt(wanted) * 1_000_000_000n : parseTime(wanted)
}

const devSetTime = control('dev_setTime', {
  summary: 'Sets the clock of the chain.',
  params: {
    time: textParam(
      `RFC 3339 such as ${formatTime(0n)}, or seconds since 1970`,
      (value) => timeOf(value) !== undefined,
    ),
  },
  required: ['time'],
  result: timeResult,
  handler: ({ ports }, { time: wanted }) => ({ newTime: ports.devnet.setTime(timeOf(wanted) as bigint) }),
})

const devIncreaseTime = control('dev_increaseTime', {
  summary: 'Moves the clock of the chain ahead.',
  params: { seconds: wholeNumber(SECONDS) },
  required: ['seconds'],
  result: timeResult,
  handler: ({ ports }, { seconds }) => ({ newTime: ports.devnet.advanceTime(inMs(seconds)) }),
})

const devValidators = control('dev_validators', {
  summary:
    'Changes the power of a validator; 0 removes it until it gets a power again. If `validator` is `new`, adds a validator with a key of its own, and returns the address and the public key of this validator.',
  params: { validator: addressOrNew, power: powerParam },
  required: ['validator', 'power'],
  result: resultOf(
    object({ height: count, address: omittable(text), pubKey: omittable(coded(PublicKey, 'PublicKey')) }),
  ),
  handler: async ({ ports }, { validator, power }) => {
    if (validator === NEW_VALIDATOR) return ports.devnet.addValidator(power)
    return { height: await ports.devnet.setPower(validator, power), address: undefined, pubKey: undefined }
  },
})

const devDropTx = control('dev_dropTx', {
  summary: 'Removes a transaction that waits for a block. It can be sent again.',
  params: { hash: txHash },
  required: ['hash'],
  result: emptyResult,
  handler: async ({ ports }, { hash }) => {
    await ports.devnet.dropTx(hash)
    return {}
  },
})

const devHoldTx = control('dev_holdTx', {
  summary: 'Holds a pending transaction, so that no block contains it, or releases it again.',
  params: { hash: txHash, held: flagParam },
  required: ['hash', 'held'],
  result: emptyResult,
  handler: async ({ ports }, { hash, held }) => {
    await ports.devnet.holdTx(hash, held)
    return {}
  },
})

const devSnapshot = control('dev_snapshot', {
  summary: 'Saves the chain and its application.',
  params: {},
  result: resultOf(object({ id: text })),
  handler: async ({ ports }) => ({ id: await ports.devnet.snapshot() }),
})

const devRevert = control('dev_revert', {
  summary: 'Goes back to a snapshot. Subscriptions continue with the new blocks.',
  params: { id: textParam('the id of a snapshot, which dev_snapshot returned, as a text') },
  required: ['id'],
  result: heightResult,
  handler: async ({ ports }, { id }) => ({ height: await ports.devnet.revert(id) }),
})

const devReset = control('dev_reset', {
  summary: 'Goes back to the beginning of the chain. Subscriptions continue with the new blocks.',
  params: {},
  result: heightResult,
  handler: async ({ ports }) => ({ height: await ports.devnet.reset() }),
})

const devCrash = control('dev_crash', {
  summary: 'Ends a validator at once, like a process that crashes.',
  params: { validator: address },
  required: ['validator'],
  result: emptyResult,
  handler: ({ ports }, { validator }) => {
    ports.devnet.crash(validator)
    return {}
  },
})

const devRestart = control('dev_restart', {
  summary: 'Starts a validator that was ended.',
  params: { validator: address },
  required: ['validator'],
  result: emptyResult,
  handler: async ({ ports }, { validator }) => {
    await ports.devnet.restart(validator)
    return {}
  },
})

const devPartition = control('dev_partition', {
  summary: 'Cuts the connections between these validators and the others.',
  params: { validators: addresses },
  required: ['validators'],
  result: emptyResult,
  handler: ({ ports }, { validators }) => {
    ports.devnet.partition(validators)
    return {}
  },
})

const devHeal = control('dev_heal', {
  summary: 'Ends all partitions.',
  params: {},
  result: emptyResult,
  handler: ({ ports }) => {
    ports.devnet.heal()
    return {}
  },
})

/**
 * The maximum delay of messages, in milliseconds. With delayed messages, rounds fail until their time-outs have grown
 * above the delay. A call waits only a limited time for its block, and with a longer delay this time would not be
 * enough.
 */
const MAX_DELAY_MS = 2000n

const delays = list(object({ from: text, to: text, milliseconds: count }))
const delaysOf = (ports: readonly DevnetDelay[]) => ports.map(({ ms, ...ends }) => ({ ...ends, milliseconds: ms }))

const devInfo = control('dev_info', {
  summary:
    'Returns the settings of the devnet, its validators, the delays between nodes and their maximum, the snapshots and the held transactions.',
  params: {},
  result: resultOf(
    object({
      automine: flag,
      interval: count,
      time,
      validators: list(object({ address: text, power: amount, signs: flag, runs: flag, apart: flag })),
      delays,
      maxDelay: count,
      snapshots: list(object({ id: text, height: count })),
      heldTxs: list(object({ hash: hex, size: count, head: base64 })),
    }),
  ),
  handler: ({ ports }) => {
    const { intervalMs: interval, validators, delays: all, ...info } = ports.devnet.info()
    const named = validators.map(({ isApart: apart, ...validator }) => ({ ...validator, apart }))
    return { ...info, interval, validators: named, delays: delaysOf(all), maxDelay: Number(MAX_DELAY_MS) }
  },
})

const devDelay = control('dev_delay', {
  summary: 'Delays the messages between validators; 0 ends the delay.',
  params: { milliseconds: wholeNumber([0n, MAX_DELAY_MS]), from: optionalAddress, to: optionalAddress },
  required: ['milliseconds'],
  result: resultOf(object({ delays })),
  handler: ({ ports }, { milliseconds, from, to }) => ({
    delays: delaysOf(ports.devnet.delay(Number(milliseconds), { from, to })),
  }),
})

const devDump = control('dev_dump', {
  summary: 'Returns the whole chain with its keys, for dev_load.',
  params: {},
  result: resultOf(object({ dump: base64 })),
  handler: async ({ ports }) => ({ dump: await ports.devnet.dump() }),
})

const devLoad = control('dev_load', {
  summary: 'Replaces this chain by the chain of a dump. Subscriptions continue with the new blocks.',
  params: { dump: dumpBytes },
  required: ['dump'],
  result: heightResult,
  handler: async ({ ports }, { dump }) => ({ height: await ports.devnet.load(dump) }),
})

/**
 * The maximum number of validators that get other keys in the copy of a chain. Each of them runs in the process of the
 * devnet.
 */
const MAX_FORK_VALIDATORS = 100n

const devFork = control('dev_fork', {
  summary:
    'Replaces this chain by a copy of the chain of a stopped node. The validators of the copy get new keys, which this process has. Subscriptions continue with the new blocks.',
  params: {
    home: textParam('the folder of a stopped node on the machine of this devnet'),
    num_validators: optionalNumber([1n, MAX_FORK_VALIDATORS]),
  },
  required: ['home'],
  result: heightResult,
  handler: async ({ ports }, { home, num_validators: wanted }) => {
    return { height: await ports.devnet.fork(home, wanted === undefined ? undefined : Number(wanted)) }
  },
})

/** The operations that control a devnet: five of CometMock, and ours. */
export const DEVNET_ROUTES = {
  advance_blocks: advanceBlocks,
  advance_time: advanceTime,
  set_signing_status: setSigningStatus,
  cause_double_sign: causeDoubleSign,
  cause_light_client_attack: causeLightClientAttack,
  dev_info: devInfo,
  dev_mine: devMine,
  dev_automine: devAutomine,
  dev_interval: devInterval,
  dev_setTime: devSetTime,
  dev_increaseTime: devIncreaseTime,
  dev_validators: devValidators,
  dev_dropTx: devDropTx,
  dev_holdTx: devHoldTx,
  dev_snapshot: devSnapshot,
  dev_revert: devRevert,
  dev_reset: devReset,
  dev_crash: devCrash,
  dev_restart: devRestart,
  dev_partition: devPartition,
  dev_heal: devHeal,
  dev_delay: devDelay,
  dev_dump: devDump,
  dev_load: devLoad,
  dev_fork: devFork,
} as const
