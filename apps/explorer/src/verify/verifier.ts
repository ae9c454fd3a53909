import {
  createLightClient,
  createMemoryLightStore,
  createRpcProvider,
  LIGHT_ERRORS,
  LightError,
  type LightStore,
  type Provider,
} from '@org/light'
import { openIndexedDbLightStore } from '@org/light/indexeddb'
import { createVerifiedMethods, type VerifiedClient } from '@org/light/verified'
import {
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  type RpcClient,
  type RpcMethods,
} from '@org/rpc/client'
import { equalBytes } from '@org/types/bytes'
import { bytesOfHex } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { client, RPC_URL } from '../live/node.ts'
import type { Validator } from '../live/validator-set.ts'
import type { Trust } from './trust.ts'

type Answer<M extends keyof RpcMethods> = Awaited<ReturnType<RpcMethods[M]>>

/**
 * Checks answers that the page has received. Each check rejects with the reason if the light client cannot prove the
 * answer.
 */
export interface Verifier {
  /**
   * Checks the header, the transactions, the evidence and the last commit of the block that the page requested. Refuses
   * a valid block of another height.
   */
  readonly checkBlock: (height: number, answer: Answer<'block'>) => Promise<void>
  /**
   * Checks the bytes, the height and the index of the transaction that the page requested. Refuses a valid transaction
   * with another hash. Does not check the result.
   */
  readonly checkTx: (hash: Uint8Array, answer: Answer<'tx'>) => Promise<void>
  /** Checks the keys and powers of the validators of a height. */
  readonly checkValidators: (height: number, list: readonly Validator[]) => Promise<void>
  /** Checks the answer of the application to a query: the key and its value, with the proof in the answer. */
  readonly checkQuery: (
    args: { readonly path: string; readonly data: Uint8Array },
    answer: Answer<'abciQuery'>,
  ) => Promise<void>
  /** Verifies the newest header of the node. Resolves with its height. */
  readonly update: () => Promise<number>
  /** The lowest and the highest verified height. */
  readonly range: () => Promise<readonly [first: number, last: number]>
  readonly close: () => void
  /** Closes the verifier, and removes the verified headers from the browser. */
  readonly forget: () => Promise<void>
}

const DAY_NS = 86_400_000_000_000n
/** The maximum number of verified headers that are kept. */
const KEPT_HEADERS = 1000
/**
 * The maximum number of headers that the light client verifies in one call. The limit is high, because an older block
 * may be far below the trusted header.
 */
const MAX_STEPS = 5000

/**
 * Opens the store of verified headers in the browser. If the browser refuses storage, as in a private window, the
 * headers are in memory and are lost when the page is closed.
 */
const openStore = (chainId: string): Promise<LightStore> =>
  openIndexedDbLightStore({ chainId, name: 'halley-explorer' }).catch(() => createMemoryLightStore())

/** Removes the verified headers of a chain from the browser. */
export async function forgetHeaders(chainId: string): Promise<void> {
  const store = await openStore(chainId)
  await store.prune(0)
  await store.close()
}

function clientOf(address: string): RpcClient {
  const url = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`
  const socket = `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/websocket`
  return createRpcClient(createReconnectingTransport(() => createWebSocketTransport(socket), { attempts: 3 }))
}

/**
 * Returns the witness that the user gave. If the user gave no witness, returns the node of the page as its own witness.
 * Then an attack by the validators is not detected, because no other node is asked.
 */
function witnessOf(
  { chainId, witness }: Trust,
  primary: Provider,
): { readonly provider: Provider; readonly close: () => void } {
  if (witness === '') return { provider: { ...primary, name: `${primary.name} again` }, close: () => undefined }
  const other = clientOf(witness)
  return { provider: createRpcProvider({ chainId, name: witness, attempts: 2 }, { client: other }), close: other.close }
}

/**
 * Returns a client that answers the calls in `answers` with the answers that the page already has. Sends all other
 * calls to the node.
 */
const answering = (answers: Partial<{ readonly [M in keyof RpcMethods]: unknown }>): RpcClient =>
  ({
    ...client,
    ...Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, async () => answer])),
  }) as RpcClient

const isSame = (
  a: Validator | undefined,
  b: { readonly address: Uint8Array; readonly votingPower: bigint } | undefined,
): boolean => a !== undefined && b !== undefined && a.votingPower === b.votingPower && equalBytes(a.address, b.address)

/** Starts a light client whose verified headers are kept in the browser. */
export async function createVerifier(trust: Trust, onProgress: (text: string) => void): Promise<Verifier> {
  const { chainId, height, hash, days } = trust
  const store = await openStore(chainId)
  const primary = createRpcProvider({ chainId, name: RPC_URL, attempts: 2 }, { client })
  const witness = witnessOf(trust, primary)
  const light = await createLightClient(
    {
      chainId,
      ...((await store.lastHeight()) === undefined
        ? { trust: { height, hash: bytesOfHex(hash) ?? new Uint8Array() } }
        : {}),
      trustingPeriod: BigInt(Math.round(days * 86_400)) * (DAY_NS / 86_400n),
      pruningSize: KEPT_HEADERS,
      maxSteps: MAX_STEPS,
    },
    {
      primary,
      witnesses: [witness.provider],
      store,
      onProgress: ({ at, to }) => onProgress(`header ${numberText(at)} of ${numberText(to)}`),
    },
  )
  await light.update()
  const clientWith = (answers: Parameters<typeof answering>[0]): VerifiedClient =>
    createVerifiedMethods({}, { client: answering(answers), light })
  const close = (): void => {
    witness.close()
    void store.close()
  }
  return {
    checkBlock: async (height, answer) => {
      await clientWith({ block: answer }).block({ height })
    },
    checkTx: async (hash, answer) => {
      await clientWith({ tx: answer }).tx({ hash })
    },
    checkValidators: async (at, list) => {
      const { validators } = (await light.verifyAtHeight(at)).validators
      const isWhole = list.length === validators.length && list.every((each, i) => isSame(each, validators[i]))
      if (isWhole) return
      const reason = `the validators of height ${at} differ from the validators of the verified header`
      throw new LightError(LIGHT_ERRORS.wrongAnswer, reason, { data: { method: 'validators', reason } })
    },
    checkQuery: async ({ path, data }, answer) => {
      await clientWith({ abciQuery: answer }).abciQuery({ path, data })
    },
    update: async () => {
      await light.update()
      return (await light.lastTrustedHeight()) ?? 0
    },
    range: async () => [(await light.firstTrustedHeight()) ?? 0, (await light.lastTrustedHeight()) ?? 0],
    close,
    forget: async () => {
      await light.cleanup()
      close()
    },
  }
}
