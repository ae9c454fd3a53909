import type { PlantedBug } from '../planted-bug.ts'
import { driver, ENGINE, P2P } from './paths.ts'

/** Bugs by which a hostile peer makes a node spend or hold more than the number of its bytes justifies. */
export const COST_MUTANTS: readonly PlantedBug[] = [
  {
    name: 'forgeries-free',
    about: 'forged signatures are not counted against the peer that sends them',
    file: `${ENGINE}/consensus/gossip/reactor.ts`,
    find: "if (given.fault === 'forged' && ++entry.invalidSignatures <= options.maxInvalidSignatures) return",
    replace: "if (given.fault === 'forged') return",
  },
  {
    name: 'gone-peer-judged',
    about: 'messages that a peer left in the queue are handled after the peer was found at fault',
    file: `${ENGINE}/consensus/gossip/reactor.ts`,
    find: '    consensus.forget(peerId)\n',
    replace: '',
  },
  {
    name: 'rounds-without-end',
    about: 'a peer may open any number of rounds, with votes that are verified only afterwards',
    file: `${ENGINE}/consensus/machine/votes/height-vote-set.ts`,
    find: 'if (opened.length >= CATCHUP_ROUNDS_PER_PEER) return undefined',
    replace: 'if (opened.length >= 1000 * CATCHUP_ROUNDS_PER_PEER) return undefined',
    also: {
      file: driver('signature-gate.ts'),
      find: "signedItemsOf(item.message, state, 'all')",
      replace: "signedItemsOf(item.message, state, 'open')",
    },
  },
  {
    name: 'long-vote-halts',
    about: 'a vote whose record does not fit into the log stops consensus',
    file: driver('driver.ts'),
    find: 'if (!isCodedError(error, WAL_ERRORS.tooBig)) throw error',
    replace: 'throw error',
    also: {
      file: `${ENGINE}/consensus/gossip/message-size.ts`,
      find: '6: MAX_LOGGED_MESSAGE,',
      replace: '6: 1_048_576,',
    },
  },
  {
    name: 'txs-in-one-turn',
    about: 'all transactions of a message are checked in one turn of the event loop',
    file: `${ENGINE}/mempool/gossip/take-txs.ts`,
    find: '      await turn.take(work)\n',
    replace: '      work.check()\n',
  },
  {
    name: 'turns-not-counted',
    about: 'one turn of the event loop checks any number of transactions of peers',
    file: `${ENGINE}/mempool/gossip/turns.ts`,
    find: 'room > 0 && slice > 0',
    replace: 'room > Number.NEGATIVE_INFINITY && slice > Number.NEGATIVE_INFINITY',
  },
  {
    name: 'inbox-without-end',
    about: 'any number of messages of peers may wait for the machine',
    file: driver('inbox.ts'),
    find: 'const isFull = (): boolean => size() >= capacity || ',
    replace: 'const isFull = (): boolean => ',
  },
  {
    name: 'peers-always-last',
    about: 'an input of a peer waits as long as there are local inputs',
    file: driver('inbox.ts'),
    find: 'size() > 0 && localInARow >= MAX_LOCAL_IN_A_ROW',
    replace: 'size() > 0 && localInARow >= 1000 * MAX_LOCAL_IN_A_ROW',
  },
  {
    name: 'failed-dial-bans',
    about: 'one failed dial bans an address for a day',
    file: `${P2P}/pex/pex.ts`,
    find: '    book.markAttempt(address.id, clock.now())\n',
    replace: '    book.markBad(address.id, clock.now() + BAN_NS)\n',
  },
  {
    name: 'addresses-without-end',
    about: 'all addresses of an answer are kept, no matter how many',
    file: `${P2P}/pex/pex.ts`,
    find: 'of addrs.slice(0, MAX_ADDRESSES)) {',
    replace: 'of addrs) {',
  },
  {
    name: 'false-evidence-free',
    about: 'a peer may send any amount of false evidence',
    file: `${ENGINE}/evidence/gossip/reactor.ts`,
    find: '        if (isCodedError(error, EVIDENCE_ERRORS.invalid)) return reject(message)\n',
    replace: '',
  },
  {
    name: 'claims-without-end',
    about: 'block sync waits without a limit for blocks that peers claim to have',
    file: `${ENGINE}/blocksync/pool/pool.ts`,
    find: ' || (heldUpFor >= options.claimsFor && hasReachedProven())',
    replace: '',
  },
  {
    name: 'claims-beside-blocks',
    about: 'peers that send each new block keep block sync from ending with claims of blocks that do not exist',
    file: `${ENGINE}/blocksync/pool/pool.ts`,
    find: 'isRecent || hasReached(maxHeightOf(isProven))',
    replace: 'hasReached(maxHeightOf(isProven))',
  },
]
