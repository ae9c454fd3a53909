import { DEFAULT_SETUP } from '../session/setup.ts'
import { eventOccurs, eventsOfKind } from './claims.ts'
import type { Scenario } from './scenario.ts'

const SECOND = 1_000_000

/** The scenarios with Byzantine validators, and with bugs that are planted in the nodes. */
export const BYZANTINE_SCENARIOS: readonly Scenario[] = [
  {
    id: 'two-proposals',
    title: 'A proposer with two blocks',
    story: [
      'n2 is Byzantine. When it is the proposer, in height 4, it makes two different blocks. It sends the first block to half of the other validators, and the second block to the rest.',
      'Each of the two blocks is valid by itself.',
    ],
    lookFor: 'the colours of the two votes below each node: in height 4 the prevotes have two colours.',
    setup: { ...DEFAULT_SETUP, seed: 2 },
    actions: [{ at: 0.5 * SECOND, action: { kind: 'lie', node: 2, lies: ['doublePropose'] } }],
    lastsMs: 8000,
    speed: 0.25,
    claims: [
      eventOccurs(
        'n2 proposes two blocks in one round',
        'lie',
        ({ node, lie }) => node === 2 && lie === 'doublePropose',
      ),
      {
        text: 'Honest validators prevote two different blocks',
        holds: (networkEvents) => {
          const votes = eventsOfKind(networkEvents, 'prevote').filter(
            ({ node, height, round }) => node !== 2 && height === 4 && round === 0,
          )
          return new Set(votes.map(({ block }) => block).filter((block) => block !== '')).size === 2
        },
      },
      eventOccurs(
        'Round 0 fails, and another proposer’s block is decided',
        'block',
        ({ height, round, proposer }) => height === 4 && round > 0 && proposer !== 2,
      ),
    ],
    question: 'What has n2 achieved?',
    choices: [
      { text: 'Two nodes have different chains', isRight: false },
      { text: 'It has delayed one height by one round', isRight: true },
      { text: 'It has stopped the network', isRight: false },
    ],
    answer:
      'Neither block gets more than two thirds, so the round fails. A proposer can waste its own turn, and no more.',
  },
  {
    id: 'double-sign',
    title: 'A double sign, and its evidence',
    story: [
      'n2 signs two different votes for the same round. It sends the first vote to some peers, and the second vote to the rest. For some moments it lies, then it keeps the rules again.',
      'Honest nodes pass votes on. A node that receives both of them has a proof: two signatures of n2 that contradict each other.',
    ],
    lookFor: 'messages with the colour of evidence, and a red block in the chain.',
    setup: { ...DEFAULT_SETUP, seed: 2 },
    actions: [
      { at: 2.3 * SECOND, action: { kind: 'lie', node: 2, lies: ['equivocate'] } },
      { at: 3.4 * SECOND, action: { kind: 'obey', node: 2 } },
    ],
    lastsMs: 7000,
    speed: 0.25,
    claims: [
      eventOccurs('n2 signs two votes for one round', 'lie', ({ node, lie }) => node === 2 && lie === 'equivocate'),
      eventOccurs('A block contains the evidence against n2', 'block', ({ offenders }) => offenders.includes(2)),
      {
        text: 'All decide the same blocks all the time: no rule is broken',
        holds: (networkEvents) =>
          eventsOfKind(networkEvents, 'block').some(({ offenders }) => offenders.includes(2)) &&
          eventsOfKind(networkEvents, 'violation').length === 0,
      },
    ],
    question: 'Why does the evidence go into a block?',
    choices: [
      { text: 'So that the application can punish n2, everywhere in the same way', isRight: true },
      { text: 'So that the block has one more signature', isRight: false },
      { text: 'So that n2 can defend itself', isRight: false },
    ],
    answer:
      'Everything that the application does must follow from blocks. A Cosmos chain takes a part of the stake of n2, and removes it from the validators.',
  },
  {
    id: 'bug-half',
    title: 'A planted bug: half is enough',
    bug: 'power-half',
    story: [
      'These nodes have a bug: they believe that more than half of the power is enough for a decision. Crashes and partitions would never show it.',
      'But n4 is Byzantine: it proposes two blocks, and signs votes for both of them. One liar of five is less than a third, so nothing bad may happen.',
    ],
    lookFor:
      'two colours below the nodes. Each half of the honest nodes counts three votes of five, its own two and the vote of n4, and believes that its block is decided.',
    setup: { ...DEFAULT_SETUP, seed: 14, validators: 5 },
    actions: [{ at: 0.5 * SECOND, action: { kind: 'lie', node: 4, lies: ['equivocate', 'doublePropose'] } }],
    lastsMs: 4500,
    speed: 0.2,
    claims: [
      eventOccurs('n4 signs two votes for one round', 'lie', ({ node, lie }) => node === 4 && lie === 'equivocate'),
      {
        text: 'Honest nodes decide different blocks at one height',
        holds: (networkEvents) => {
          const byHeight = new Map<number, string>()
          return eventsOfKind(networkEvents, 'decide').some(({ node, height, block }) => {
            if (node === 4) return false
            const known = byHeight.get(height) ?? block
            byHeight.set(height, known)
            return known !== block
          })
        },
      },
      eventOccurs('The rules of the simulator report the fork', 'violation', ({ rule }) => rule === 'agreement'),
    ],
    question: 'How much of the power makes this impossible?',
    choices: [
      { text: 'More than a half', isRight: false },
      { text: 'More than two thirds', isRight: true },
      { text: 'All of it', isRight: false },
    ],
    answer:
      'Two groups with more than two thirds have more than a third in common. Less than a third are liars, so an honest validator is in both groups, and it votes once. With all of the power, one crash would stop the network.',
  },
  {
    id: 'bug-unchecked',
    title: 'A planted bug: an unchecked block',
    bug: 'block-not-validated',
    story: [
      'These nodes have a bug: they prevote each block without a check of its header.',
      'n2 is Byzantine. When it is its turn, it proposes a block with a wrong hash of the application’s state.',
    ],
    lookFor: 'the proposal of n2, and the prevotes for it. The red box says which rule is broken.',
    setup: { ...DEFAULT_SETUP, seed: 2 },
    actions: [{ at: 0.5 * SECOND, action: { kind: 'lie', node: 2, lies: ['invalidBlock'] } }],
    lastsMs: 6000,
    speed: 0.25,
    claims: [
      eventOccurs('n2 proposes an invalid block', 'lie', ({ node, lie }) => node === 2 && lie === 'invalidBlock'),
      eventOccurs(
        'The rules of the simulator report a vote for an invalid block',
        'violation',
        ({ rule }) => rule === 'validity',
      ),
    ],
    question: 'What do the real nodes do with such a block?',
    choices: [
      { text: 'They prevote it, and the application refuses it later', isRight: false },
      { text: 'They prevote no block, and the next proposer has its turn', isRight: true },
      { text: 'They remove n2 from the validators', isRight: false },
    ],
    answer:
      'Each validator checks the whole header before it votes: height, time, hashes, and the signatures of the last commit. An invalid block costs its proposer the round.',
  },
]
