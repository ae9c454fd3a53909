import { DEFAULT_SETUP } from '../session/setup.ts'
import { eventOccurs, eventsOfKind } from './claims.ts'
import type { Scenario } from './scenario.ts'

const SECOND = 1_000_000

/** The scenarios with validators that crash, and with networks that are separated. */
export const FAULT_SCENARIOS: readonly Scenario[] = [
  {
    id: 'third-away',
    title: 'A third of the voting power is missing',
    story: [
      'Two of six validators crash at the same moment. All have the same voting power, so exactly one third of it is missing, and two thirds remain.',
      'Later one of the two starts again.',
    ],
    lookFor: 'the arcs of votes: they end at the tick, and must go beyond it.',
    setup: { ...DEFAULT_SETUP, validators: 6 },
    actions: [
      { at: 2 * SECOND, action: { kind: 'crash', node: 0 } },
      { at: 2 * SECOND, action: { kind: 'crash', node: 1 } },
      { at: 8 * SECOND, action: { kind: 'start', node: 0 } },
    ],
    lastsMs: 12_000,
    speed: 0.5,
    claims: [
      eventOccurs('Two validators crash', 'crash', ({ node }) => node === 1),
      {
        text: 'No block is decided for six seconds',
        holds: (networkEvents) =>
          networkEvents.some(({ at }) => at > 8000) &&
          !eventsOfKind(networkEvents, 'block').some(({ at }) => at > 2500 && at < 8000),
      },
      eventOccurs(
        'One of them is back, and height 2 is decided',
        'block',
        ({ height, at }) => height === 2 && at > 8000,
      ),
    ],
    question: 'Validators with two thirds of the voting power are running. Why is that not enough?',
    choices: [
      { text: 'Because n0 was the proposer', isRight: false },
      { text: 'A decision needs more than two thirds', isRight: true },
      { text: 'Because six is an even number', isRight: false },
    ],
    answer:
      'More than two thirds must vote for a block. If exactly a third is missing, the network waits. It decides nothing wrong, and it continues by itself later.',
  },
  {
    id: 'partition',
    title: 'A partition that heals',
    story: [
      'Five of seven validators can send messages to each other, and so can the other two. No message passes between the two groups.',
      'After some time the links are mended.',
    ],
    lookFor: 'the messages that wait at n5 and n6, and what these two do when the links are mended.',
    setup: { ...DEFAULT_SETUP, validators: 7 },
    actions: [
      { at: 2.4 * SECOND, action: { kind: 'split', group: [5, 6] } },
      { at: 8 * SECOND, action: { kind: 'join' } },
    ],
    lastsMs: 13_000,
    speed: 0.5,
    claims: [
      eventOccurs(
        'The five decide blocks while the two are away',
        'decide',
        ({ node, at }) => node < 5 && at > 3500 && at < 8000,
      ),
      {
        text: 'The two decide nothing in that time',
        holds: (networkEvents) =>
          networkEvents.some(({ at }) => at > 8000) &&
          !eventsOfKind(networkEvents, 'decide').some(({ node, at }) => node >= 5 && at > 2900 && at < 8000),
      },
      {
        text: 'Afterwards the two have the blocks of the others, and vote again',
        holds: (networkEvents) => {
          const last = eventsOfKind(networkEvents, 'block').at(-1)?.height ?? 0
          return eventsOfKind(networkEvents, 'prevote').some(
            ({ node, height, at }) => node === 6 && at > 8000 && height >= last,
          )
        },
      },
    ],
    question: 'Could the two have decided another block of their own?',
    choices: [
      { text: 'Yes, and the chain would have had two ends', isRight: false },
      { text: 'Only an empty block', isRight: false },
      { text: 'No: they do not have more than two thirds of the power', isRight: true },
    ],
    answer:
      'At most one side of a partition can have more than two thirds. The other side waits, and gets the blocks later.',
  },
  {
    id: 'write-ahead-log',
    title: 'A crash, and the write-ahead log',
    story: [
      'n0 is away, so the three others must all vote. n1 crashes after it has prevoted in height 3, and before the height is decided.',
      'A validator that forgets its vote could vote differently. n1 writes each message to its log and forces it to the disk before anyone sees it. After the crash it replays the log.',
    ],
    lookFor: 'the height of n1 after its start: the same one, with its old vote.',
    setup: DEFAULT_SETUP,
    actions: [
      { at: 1.5 * SECOND, action: { kind: 'crash', node: 0 } },
      { at: 2_930_000, action: { kind: 'crash', node: 1 } },
      { at: 3.6 * SECOND, action: { kind: 'start', node: 1 } },
    ],
    lastsMs: 9000,
    speed: 0.25,
    claims: [
      eventOccurs('n1 prevotes in height 3', 'prevote', ({ node, height }) => node === 1 && height === 3),
      eventOccurs('n1 loses power', 'crash', ({ node }) => node === 1),
      eventOccurs('n1 runs again', 'start', ({ node, again }) => node === 1 && again),
      eventOccurs(
        'n1 helps to decide the same height',
        'decide',
        ({ node, height, at }) => node === 1 && height === 3 && at > 3600,
      ),
      {
        text: 'No validator signed twice: no rule is broken',
        holds: (networkEvents) =>
          eventsOfKind(networkEvents, 'decide').some(({ node, height }) => node === 1 && height === 3) &&
          eventsOfKind(networkEvents, 'violation').length === 0,
      },
    ],
    question: 'What would be the danger without the log?',
    choices: [
      { text: 'n1 could sign a second, different vote for the same round', isRight: true },
      { text: 'n1 would have to download all blocks again', isRight: false },
      { text: 'The others would ban n1', isRight: false },
    ],
    answer:
      'Two different votes for one round are a double sign. Most networks would take a part of its stake for that, although it only crashed.',
  },
  {
    id: 'far-behind',
    title: 'Far behind, and catching up',
    story: [
      'n3 is away for a long time. The other three continue: they have three quarters of the voting power.',
      'When n3 starts again, it asks its peers for the blocks that it lacks. It checks the votes for each of them.',
    ],
    lookFor: 'the squares with the colour of block sync, and the height of n3.',
    setup: DEFAULT_SETUP,
    actions: [
      { at: 2.5 * SECOND, action: { kind: 'crash', node: 3 } },
      { at: 14 * SECOND, action: { kind: 'start', node: 3 } },
    ],
    lastsMs: 22_000,
    speed: 1,
    claims: [
      eventOccurs('n3 crashes', 'crash', ({ node }) => node === 3),
      eventOccurs('The others decide height 8 without it', 'block', ({ height, at }) => height === 8 && at < 14_000),
      eventOccurs('n3 has caught up', 'caught-up', ({ node, from, height }) => node === 3 && height - from >= 5),
      eventOccurs('n3 votes again', 'precommit', ({ node, at, block }) => node === 3 && at > 14_000 && block !== ''),
    ],
    question: 'How does n3 know that the blocks of its peers are the right ones?',
    choices: [
      { text: 'It asks all peers, and takes the answer of most of them', isRight: false },
      { text: 'Each block comes with the signatures of more than two thirds of the power', isRight: true },
      { text: 'It executes them, and compares the result with its own', isRight: false },
    ],
    answer:
      'The commit of a block proves it, no matter who sends it. That is why one honest peer is enough to catch up.',
  },
]
