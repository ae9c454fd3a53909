import {
  createLightClient,
  createMemoryLightStore,
  hashOf,
  isLightFailure,
  LIGHT_ERRORS,
  type LightBlock,
} from '@org/light'
import { hashEvidenceItem, type LightClientAttackEvidence } from '@org/types'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import type { Violation } from '../invariants/index.ts'
import { createNetwork, type SimNetwork } from '../network/index.ts'
import { createSimStateServer } from '../servers/index.ts'
import { createLife, type Life, WORLD_ERRORS, WorldError, watch } from '../world/index.ts'
import { forgeLightBlock, type LightAttack } from './forge-light-block.ts'

/** An attack on a light client of a simulated network. */
export interface LightClientScenario {
  readonly seed: number
  /** The power of each validator. */
  readonly powers: readonly bigint[]
  readonly attack: LightAttack
  /**
   * The indices of the validators that sign the forged header. The node with the first of these indices is the client's
   * primary.
   */
  readonly liars: readonly number[]
  /** The indices of the client's witnesses. A liar among the witnesses sends the forged header, too. */
  readonly witnesses: readonly number[]
}

/** The result of an attack on a light client. */
export interface LightClientResult {
  /**
   * `refused`: the client trusts the true header of another node, or no header. `detected`: the client received two
   * different headers of one height, and reported the attack.
   */
  readonly outcome: 'refused' | 'detected'
  /** The height of the block that has the evidence. */
  readonly evidenceHeight: number | undefined
  readonly violations: readonly Violation[]
}

const TRUSTED_HEIGHT = 2
const FORGED_HEIGHT = 7
const TRUST_PERIOD = 3_600_000_000_000n
/**
 * The virtual milliseconds within which a call of the client must end, and within which a block must have the evidence.
 */
const WITHIN_MS = 60_000

function nodeOf(network: SimNetwork, index: number) {
  const node = network.nodes[index]
  if (node === undefined) throw new WorldError(WORLD_ERRORS.badOption, `there is no node ${index}`)
  return node
}

/** Makes a client whose providers are nodes of the network. Liars replace the block of {@link FORGED_HEIGHT}. */
async function makeClient(network: SimNetwork, life: Life, { attack, liars, witnesses }: LightClientScenario) {
  const { chainId } = network.genesis
  const keys = liars.map((index) => nodeOf(network, index).options.key)
  const forge = (block: LightBlock): LightBlock =>
    block.header.height === FORGED_HEIGHT ? forgeLightBlock(block, { attack, keys, chainId }) : block
  const serverOf = (index: number) => {
    const node = nodeOf(network, index)
    const change = liars.includes(index) ? forge : undefined
    return createSimStateServer(
      {
        chainId,
        node,
        lie: undefined,
        trustHeight: TRUSTED_HEIGHT,
        change,
        answerMs: () => 5,
        onSilence: () => undefined,
      },
      life,
    )
  }
  const hash = hexToBytes(network.monitor.record.at(TRUSTED_HEIGHT)?.hash ?? '') ?? new Uint8Array(0)
  return createLightClient(
    { chainId, trust: { height: TRUSTED_HEIGHT, hash }, trustingPeriod: TRUST_PERIOD },
    {
      primary: serverOf(liars[0] ?? 0),
      witnesses: witnesses.map(serverOf),
      store: createMemoryLightStore(),
      clock: life.clock,
    },
  )
}

/**
 * Returns the evidence if the client reported an attack. Returns `undefined` if the client trusts a header, or trusts
 * none because too few validators signed. Records a violation if the trusted header is not in the chain. Throws all
 * other errors of the client.
 */
async function verified(
  network: SimNetwork,
  work: Promise<LightBlock>,
): Promise<LightClientAttackEvidence | undefined> {
  try {
    const trusted = bytesToHex(hashOf(await work))
    const real = network.monitor.record.at(FORGED_HEIGHT)?.hash
    if (trusted !== real) network.monitor.violate('light', `a client trusts ${trusted}, and the chain has ${real}`)
    return undefined
  } catch (error) {
    if (!isLightFailure(error)) throw error
    // The client refused the forged header, because too few validators had signed it. If the other providers are liars
    // too, the client may find no header to trust.
    if (error.code === LIGHT_ERRORS.verificationFailed) return undefined
    if (error.code !== LIGHT_ERRORS.attack) throw error
    return error.data.againstPrimary
  }
}

/**
 * Runs a network and a light client that liars attack. There are two rules. The client never trusts a header that is
 * not in the chain. If the client detects an attack, a block of the chain soon contains the evidence.
 */
export async function attackLightClient(scenario: LightClientScenario): Promise<LightClientResult> {
  const { seed, powers } = scenario
  const network = createNetwork({ seed, validators: powers.length, powers, txEveryMs: 100 })
  const { scheduler, monitor } = network
  network.start()
  await network.reach(FORGED_HEIGHT + 2, WITHIN_MS)
  const life = createLife({ genesis: nodeOf(network, 0).options.start, clockFault: { skewMs: 0, drift: 0 } }, scheduler)

  async function inTime<T>(work: Promise<T>, name: string): Promise<T> {
    const { isOver, ended } = watch(work)
    await scheduler.run(isOver, scheduler.now() + WITHIN_MS)
    if (isOver()) return ended
    throw new WorldError(WORLD_ERRORS.badState, `${name} takes longer than ${WITHIN_MS} ms`)
  }

  const client = await inTime(makeClient(network, life, scenario), 'the start of the client')
  const evidence = await inTime(verified(network, client.verifyAtHeight(FORGED_HEIGHT)), 'the verification')
  const hash = evidence && bytesToHex(hashEvidenceItem({ sum: { case: 'lightClientAttackEvidence', value: evidence } }))
  const heightOf = (): number | undefined => (hash === undefined ? undefined : monitor.record.heightOfEvidence(hash))
  if (hash !== undefined) await scheduler.run(() => heightOf() !== undefined, scheduler.now() + WITHIN_MS)
  if (hash !== undefined && heightOf() === undefined) monitor.violate('light', 'no block has the evidence of an attack')
  life.end()
  await network.conclude()
  return {
    outcome: evidence === undefined ? 'refused' : 'detected',
    evidenceHeight: heightOf(),
    violations: monitor.violations(),
  }
}
