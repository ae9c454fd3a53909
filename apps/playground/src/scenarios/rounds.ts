import { DEFAULT_SETUP } from '../session/setup.ts'
import { decidedIn, eventOccurs, eventsOfKind, votesNil } from './claims.ts'
import type { Scenario } from './scenario.ts'

const SECOND = 1_000_000

/** The scenarios that show how rounds work, and what happens when a proposal or votes are late. */
export const ROUND_SCENARIOS: readonly Scenario[] = [
  {
    id: 'lost-proposal',
    title: 'A lost proposal',
    story: [
      'In each round one validator proposes a block. Here the proposer of height 4, n3, is cut off just before its turn.',
      'The others cannot wait forever: after a timeout they vote for no block, and the next proposer has its turn.',
    ],
    lookFor: 'the rings: votes for no block. Then round 1, with another proposer.',
    setup: DEFAULT_SETUP,
    actions: [
      { at: 3.4 * SECOND, action: { kind: 'split', group: [3] } },
      { at: 5.6 * SECOND, action: { kind: 'join' } },
    ],
    lastsMs: 8000,
    speed: 0.3,
    claims: [
      votesNil('n0 waits for a proposal, and prevotes no block', 'prevote', [0, 4]),
      eventOccurs('Round 1 of height 4 begins', 'round', ({ height, round }) => height === 4 && round === 1),
      decidedIn('Height 4 is decided in round 1', 4, 1),
    ],
    question: 'What does the network lose when a proposal is lost?',
    choices: [
      { text: 'The height: it stays empty for ever', isRight: false },
      { text: 'Some time: the next proposer proposes for the same height', isRight: true },
      { text: 'The proposer: it is removed from the validators', isRight: false },
    ],
    answer: 'A round costs only time. Rounds go on until one of them decides, and heights have no gaps.',
  },
  {
    id: 'split-vote',
    title: 'A split vote',
    story: [
      'Two of four validators have the proposal of height 3, and two do not, because the network is separated in the middle.',
      'Two of four is not more than two thirds. Neither the block nor “no block” has enough votes.',
    ],
    lookFor: 'the tick on each ring of votes. The arc does not reach it while the network is separated.',
    setup: DEFAULT_SETUP,
    actions: [
      { at: 2.5 * SECOND, action: { kind: 'split', group: [2, 3] } },
      { at: 4.5 * SECOND, action: { kind: 'join' } },
    ],
    lastsMs: 7500,
    speed: 0.3,
    claims: [
      eventOccurs(
        'n2 prevotes its block',
        'prevote',
        ({ node, height, block }) => node === 2 && height === 3 && block !== '',
      ),
      votesNil('n0 never saw the block, and prevotes no block', 'prevote', [0, 3]),
      decidedIn('No block has two thirds in round 0: round 1 decides height 3', 3, 1),
    ],
    question: 'Why is a simple majority, three of five for example, not enough?',
    choices: [
      { text: 'With a third of liars, two different blocks could each get a majority', isRight: true },
      { text: 'It would be slower', isRight: false },
      { text: 'Because the proposer does not vote', isRight: false },
    ],
    answer:
      'Two groups with more than two thirds have more than a third in common. At least one honest validator is in both, and it votes once.',
  },
  {
    id: 'growing-timeouts',
    title: 'Slow links, longer timeouts',
    story: [
      'Each message takes 0.9 to 1.4 seconds here, and validators wait only one second for the first proposal. So round 0 often fails, although nothing is broken.',
      'Each round waits longer than the round before it. In the end the timeouts are longer than the messages take.',
    ],
    lookFor: 'the time between the rounds in the time line: it grows.',
    setup: { ...DEFAULT_SETUP, seed: 5, latencyMs: [900, 1400] },
    actions: [],
    lastsMs: 40_000,
    speed: 2,
    claims: [
      eventOccurs(
        'Some validator votes for no block, although no validator is faulty',
        'prevote',
        ({ block }) => block === '',
      ),
      eventOccurs('A round after the first begins', 'round', ({ round }) => round > 0),
      eventOccurs('A later round decides a block', 'block', ({ round }) => round > 0),
    ],
    question: 'Why do timeouts grow with rounds?',
    choices: [
      { text: 'So that the network can save energy', isRight: false },
      { text: 'So that liars get tired', isRight: false },
      { text: 'So that some round is long enough, no matter how slow the network is', isRight: true },
    ],
    answer:
      'No validator knows how slow the network is. A timeout that grows is long enough in the end. Safety never depends on it: only progress does.',
  },
  {
    id: 'lock-and-unlock',
    title: 'A lock, and how it opens',
    story: [
      'In height 3 only n1 sees more than two thirds of the prevotes for a block. It locks on the block, because that block may have been decided by others. Then it is cut off.',
      'The others saw too few votes. In round 1 they propose and prevote another block. n1 is back in time to vote.',
    ],
    lookFor: 'the padlock of n1 and its colour. In round 1 n1 prevotes its own block, against all others.',
    setup: { ...DEFAULT_SETUP, seed: 7 },
    actions: [
      { at: 2_141_467, action: { kind: 'split', group: [0, 1] } },
      { at: 2_141_467, action: { kind: 'cut', link: [0, 1] } },
      { at: 3_018_518, action: { kind: 'mend', link: [1, 2] } },
      { at: 3_018_518, action: { kind: 'mend', link: [1, 3] } },
      { at: 3_065_057, action: { kind: 'split', group: [1] } },
      { at: 3_896_505, action: { kind: 'mend', link: [0, 2] } },
      { at: 3_896_505, action: { kind: 'mend', link: [0, 3] } },
      { at: 5_053_623, action: { kind: 'slow', node: 0, ms: 700 } },
      { at: 5_053_623, action: { kind: 'join' } },
      { at: 7_653_623, action: { kind: 'slow', node: 0, ms: 0 } },
    ],
    lastsMs: 8500,
    speed: 0.25,
    claims: [
      eventOccurs(
        'n1 locks in round 0',
        'lock',
        ({ node, height, round }) => node === 1 && height === 3 && round === 0,
      ),
      {
        text: 'In round 1 n1 prevotes the block of its lock, and n2 another one',
        holds: (networkEvents) => {
          const votes = eventsOfKind(networkEvents, 'prevote').filter(
            ({ height, round }) => height === 3 && round === 1,
          )
          const own = eventsOfKind(networkEvents, 'lock').find(({ node, height }) => node === 1 && height === 3)
          const [vote, other] = [1, 2].map((node) => votes.find((each) => each.node === node)?.block)
          return own !== undefined && vote === own.block && other !== undefined && other !== '' && other !== vote
        },
      },
      eventOccurs(
        'The lock of n1 moves to the block of round 1',
        'lock',
        ({ node, height, round }) => node === 1 && height === 3 && round === 1,
      ),
      decidedIn('Height 3 is decided in round 1', 3, 1),
    ],
    question: 'What may open the lock of an honest validator?',
    choices: [
      { text: 'A timeout', isRight: false },
      { text: 'More than two thirds of the prevotes of a later round for another block', isRight: true },
      { text: 'A proposal of another block', isRight: false },
    ],
    answer:
      'Those votes prove that no block was decided before: more than a third would have been locked on it, and would not have voted otherwise.',
  },
]
