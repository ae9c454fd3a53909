import { type App, type AppOptions, createApp, createTable, message, query, refuse } from '@org/app'
import { z } from 'zod'

/*
 * Polls: anybody may ask a question. Each account votes once, until the time of the poll is over.
 */

export interface Poll {
  readonly id: string
  readonly question: string
  readonly answers: readonly string[]
  readonly owner: string
  /** The end of the poll in milliseconds since 1970. It is compared with the time of the blocks. */
  readonly endsAt: number
  /** The number of votes for each answer. */
  readonly votes: readonly number[]
}

export const polls = createTable<Poll>('poll')
/** The answer that each account chose in each poll. The key is `<poll>/<voter>`. */
export const ballots = createTable<number>('ballot')
const counters = createTable<number>('counter')

const text = z.string().trim().min(1).max(200)
const newPoll = z.object({
  question: text,
  answers: z.array(text).min(2).max(10),
  minutes: z.int().min(1).max(525_600),
})

const ask = message(newPoll, ({ state, signer, time, emit }, { question, answers, minutes }) => {
  if (new Set(answers).size < answers.length) refuse('two answers are the same', 1)
  const number = (counters.get(state, 'polls') ?? 0) + 1
  counters.set(state, 'polls', number)
  // The newest poll has the largest key.
  const id = String(number).padStart(8, '0')
  const votes = answers.map(() => 0)
  polls.set(state, id, { id, question, answers, owner: signer, endsAt: time + minutes * 60_000, votes })
  emit('ask', { poll: id })
  return { id }
})

const vote = message(z.object({ poll: z.string(), answer: z.int().min(0) }), ({ state, signer, time, emit }, value) => {
  const { poll: id, answer } = value
  const poll = polls.get(state, id) ?? refuse(`no poll ${id}`, 2)
  if (time >= poll.endsAt) refuse('the poll is over', 3)
  if (answer >= poll.answers.length)
    refuse(`there is no answer ${answer}: the answers are 0 to ${poll.answers.length - 1}`, 4)
  const ballot = `${id}/${signer}`
  if (ballots.get(state, ballot) !== undefined) refuse('each account votes once', 5)
  ballots.set(state, ballot, answer)
  polls.set(state, id, { ...poll, votes: poll.votes.map((count, i) => (i === answer ? count + 1 : count)) })
  emit('vote', { poll: id, answer })
})

export const app = (options: Partial<AppOptions> = {}): App =>
  createApp({
    name: 'poll',
    messages: { ask, vote },
    queries: {
      polls: query(z.undefined(), ({ state }) => {
        const newest: Poll[] = []
        for (const [, poll] of polls.entries(state, { reverse: true })) if (newest.push(poll) === 20) break
        return newest
      }),
      ballot: query(z.object({ poll: z.string(), voter: z.string() }), ({ state }, { poll, voter }) => {
        return ballots.get(state, `${poll}/${voter}`) ?? null
      }),
    },
    ...options,
  })
