import { CHANNELS, EVIDENCE_CHANNEL, MEMPOOL_CHANNEL } from '@org/engine/protocols'
import { Evidence, EvidenceList } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { ConsensusMessage, MempoolMessage } from '@org/types/messages'

/**
 * The steps that each kind of work costs; a step represents about a microsecond of a real node. An invalid signature
 * costs more: the fast check cannot accept it, so the exact check verifies it again.
 */
const COSTS = {
  message: 10,
  kibibyte: 20,
  goodSignature: 120,
  badSignature: 2500,
  transaction: 10,
  address: 20,
  item: 5,
} as const

/**
 * The steps that a connection with a hostile peer may cost a node: a fixed number, and a number for each byte from the
 * peer.
 */
const BUDGET = { steps: 50_000, stepsPerByte: 2 } as const
/** The maximum number of transactions of one peer that a node may check in one virtual millisecond. */
const TXS_AT_ONCE = 128
/** The maximum number of addresses that one answer of a peer may add to the address book. */
const ADDRESSES_OF_ANSWER = 250
/** The maximum number of signatures and transactions, of all connections together, that have a recorded sender. */
const REMEMBERED = 20_000

/**
 * The costs of one connection with a hostile peer: the work that the node did because of the messages on this
 * connection. The work is counted in steps, of which one represents about a microsecond of a real node.
 */
interface PeerCosts {
  readonly by: string
  readonly from: string
  bytes: number
  steps: number
  readonly counts: Record<keyof typeof COSTS, number>
  /**
   * The virtual millisecond of the last check of a transaction. `txs` is the number of transactions that were checked
   * in this millisecond.
   */
  txsAt: number
  txs: number
  /** Whether the violation of the budget was reported. */
  isReported: boolean
}

/**
 * Counts the work that each hostile peer causes at each node, and compares the work with a budget. The budget grows
 * with the bytes that the peer sent over the connection. Work after the end of the connection counts too, because a
 * node must not spend work on the messages of a peer that is gone.
 */
export interface ProcessingCostRules {
  /** To be called when a connection with a hostile peer begins. Each connection has its own budget. */
  readonly connected: (by: string, from: string) => void
  /** To be called when a hostile peer's message arrives, before the node handles it. */
  readonly received: (
    by: string,
    from: string,
    message: { readonly channel: number; readonly bytes: Uint8Array },
  ) => void
  /** To be called when the node verified a signature in a message, from any peer. */
  readonly verified: (by: string, signature: Uint8Array, holds: boolean) => void
  /** To be called when the node's application checked a new transaction of any sender. */
  readonly checked: (by: string, tx: Uint8Array) => void
  /** Records the number of addresses that one message of a hostile peer added to the address book. */
  readonly learned: (by: string, from: string, addresses: number) => void
  /** To be called when the node decoded a block that a hostile validator proposed. */
  readonly decoded: (by: string, from: string, items: number) => void
  /** Returns the greatest share of a budget that one connection has used: 1 is the whole budget. */
  readonly greatest: () => number
}

export interface ProcessingCostModules {
  readonly violate: (rule: string, detail: string) => void
  readonly now: () => number
}

const noCounts = (): PeerCosts['counts'] => ({
  message: 0,
  kibibyte: 0,
  goodSignature: 0,
  badSignature: 0,
  transaction: 0,
  address: 0,
  item: 0,
})

const countsText = (counts: PeerCosts['counts']): string =>
  Object.entries(counts)
    .flatMap(([name, times]) => (times > 0 ? `${name} ${times}` : []))
    .join(', ')

/** Records which connection brought a signature, a transaction or evidence to a node first. */
function createSenders() {
  /** The costs of the connection. The key consists of the receiving node's name, and the received bytes in hex. */
  const senders = new Map<string, PeerCosts>()
  const keyOf = (by: string, bytes: Uint8Array): string => `${by} ${bytesToHex(bytes)}`

  return {
    /** Records the sender of the bytes. Returns false if the node has received the same bytes before. */
    remember: (costs: PeerCosts, bytes: Uint8Array): boolean => {
      const key = keyOf(costs.by, bytes)
      if (senders.has(key)) return false
      senders.set(key, costs)
      const [oldest] = senders.keys()
      if (senders.size > REMEMBERED && oldest !== undefined) senders.delete(oldest)
      return true
    },
    /** Returns the costs of the connection over which the bytes arrived first; `undefined` if it is not known. */
    of: (by: string, bytes: Uint8Array): PeerCosts | undefined => senders.get(keyOf(by, bytes)),
    isEmpty: (): boolean => senders.size === 0,
  }
}

export function createProcessingCostRules({ violate, now }: ProcessingCostModules): ProcessingCostRules {
  const allCosts = new Map<string, PeerCosts>()
  const senders = createSenders()
  let greatest = 0

  function open(by: string, from: string): PeerCosts {
    const costs = { by, from, bytes: 0, steps: 0, counts: noCounts(), txsAt: -1, txs: 0, isReported: false }
    allCosts.set(`${by} ${from}`, costs)
    return costs
  }

  const costsOf = (by: string, from: string): PeerCosts => allCosts.get(`${by} ${from}`) ?? open(by, from)

  function charge(costs: PeerCosts, what: keyof typeof COSTS, count: number): void {
    costs.counts[what] += count
    costs.steps += count * COSTS[what]
    const budget = BUDGET.steps + BUDGET.stepsPerByte * costs.bytes
    greatest = Math.max(greatest, costs.steps / budget)
    if (costs.steps <= budget || costs.isReported) return
    costs.isReported = true
    violate(
      'spend',
      `${costs.by} spent more than ${budget.toFixed()} steps on messages of ${costs.from}, which sent ${costs.bytes} bytes: ${countsText(costs.counts)}`,
    )
  }

  /** Records the sender of the signatures and transactions in a message. */
  function note(costs: PeerCosts, channel: number, bytes: Uint8Array): void {
    if (channel === CHANNELS.vote || channel === CHANNELS.data) {
      const { sum } = ConsensusMessage.decode(bytes)
      if (sum?.case === 'proposal') senders.remember(costs, sum.value.proposal.signature)
      if (sum?.case === 'vote' && sum.value.vote !== undefined) senders.remember(costs, sum.value.vote.signature)
    } else if (channel === MEMPOOL_CHANNEL) {
      const { sum } = MempoolMessage.decode(bytes)
      for (const tx of sum?.value.txs ?? []) senders.remember(costs, tx)
    } else if (channel === EVIDENCE_CHANNEL) {
      // A node verifies the evidence in a message item by item, and stops at the first invalid item. It does not verify
      // evidence that it has already. So a message with new evidence adds the cost of one invalid signature.
      const added = EvidenceList.decode(bytes).evidence.filter((item) => senders.remember(costs, Evidence.encode(item)))
      charge(costs, 'badSignature', added.length > 0 ? 1 : 0)
    }
  }

  function countTx(costs: PeerCosts): void {
    const at = Math.floor(now())
    if (costs.txsAt !== at) {
      costs.txsAt = at
      costs.txs = 0
    }
    costs.txs++
    // The violation is reported at most once per millisecond.
    if (costs.txs !== TXS_AT_ONCE + 1) return
    violate('spend', `${costs.by} read more than ${TXS_AT_ONCE} transactions of ${costs.from} within one millisecond`)
  }

  return {
    connected: (by, from) => void open(by, from),
    received: (by, from, { channel, bytes }) => {
      const costs = costsOf(by, from)
      costs.bytes += bytes.length
      charge(costs, 'message', 1)
      charge(costs, 'kibibyte', bytes.length / 1024)
      note(costs, channel, bytes)
    },
    verified: (by, signature, holds) => {
      if (senders.isEmpty()) return
      const costs = senders.of(by, signature)
      if (costs !== undefined) charge(costs, holds ? 'goodSignature' : 'badSignature', 1)
    },
    checked: (by, tx) => {
      if (senders.isEmpty()) return
      const costs = senders.of(by, tx)
      if (costs === undefined) return
      charge(costs, 'transaction', 1)
      countTx(costs)
    },
    learned: (by, from, addresses) => {
      charge(costsOf(by, from), 'address', addresses)
      if (addresses > ADDRESSES_OF_ANSWER)
        violate(
          'spend',
          `${by} added ${addresses} addresses of one answer of ${from}, and at most ${ADDRESSES_OF_ANSWER} are allowed`,
        )
    },
    decoded: (by, from, items) => charge(costsOf(by, from), 'item', items),
    greatest: () => greatest,
  }
}
