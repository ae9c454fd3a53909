import { useEffect } from 'preact/hooks'
import { addDump, type Dump, loadDump, stepText } from '../consensus/dump.ts'
import { followConsensus } from '../consensus/follow.ts'
import { Round } from '../consensus/round.tsx'
import { forgetHeights, heights, type SeenHeight } from '../consensus/round-history.ts'
import { TimelineLegend, VoteTimeline } from '../consensus/vote-timeline.tsx'
import { isDevnet } from '../devnet/node.ts'
import { brief } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import { chainReplacements, headHeight } from '../live/chain.ts'
import { nowMs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { loadValidators, type Validator } from '../live/validator-set.ts'
import { Facts, Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { linkTo } from '../route.ts'

/** The milliseconds between two calls of `dump_consensus_state`, whose answer is large. */
const DUMP_EVERY_MS = 3000
/** The milliseconds between two calls of `dump_consensus_state` while parts of the block are missing. */
const PARTS_EVERY_MS = 1000
/** The number of blocks after which the page loads the validators again. */
const VALIDATORS_EVERY = 10

interface HeightProps {
  readonly seen: SeenHeight
  readonly validators: readonly Validator[]
  readonly title: string
  readonly dump?: Dump | undefined
}

function Height({ seen, validators, title, dump }: HeightProps) {
  const decided = seen.decidedMs === undefined ? 'not decided' : `decided after ${durationText(seen.decidedMs)}`
  const partsOf = (round: number): readonly boolean[] =>
    dump?.place.height === seen.height && dump.place.round === round ? dump.parts : []
  return (
    <Panel title={`${title}: height ${numberText(seen.height)}, ${decided}`} aside={<TimelineLegend />}>
      {seen.rounds.map((round) => (
        <Round key={round.round} round={round} validators={validators} parts={partsOf(round.round)} />
      ))}
      <VoteTimeline seen={seen} validators={validators} />
    </Panel>
  )
}

const roundText = (round: number): string => (round < 0 ? 'none' : `in round ${round}`)

function NodeState({ dump }: { readonly dump: Dump }) {
  const { place, step, proposer, parts, lockedRound, validRound } = dump
  return (
    <Facts
      rows={[
        ['Height', numberText(place.height)],
        ['Round', numberText(place.round)],
        ['Step', stepText(step) || 'not known'],
        ['Proposer', <code key="proposer">{brief(proposer, 40) || '–'}</code>],
        ['Parts of the block', parts.length === 0 ? 'none' : `${parts.filter((is) => is).length} of ${parts.length}`],
        ['Locked block', roundText(lockedRound)],
        ['Valid block', roundText(validRound)],
      ]}
    />
  )
}

function PeerStates({ dump }: { readonly dump: Dump }) {
  if (dump.peers.length === 0) return <p class="dim">This node has no peers.</p>
  return (
    <Scroll label="Peers">
      <table>
        <TableHead columns={['Peer', 'Height, round, step']} />
        <tbody>
          {dump.peers.map(({ address, place }) => (
            <tr key={address}>
              <td>
                <a href={linkTo('peers')} title={brief(address, 100)}>
                  {brief(address.split('@')[1] ?? address, 48)}
                </a>{' '}
                <code class="dim">{brief(address, 10)}</code>
              </td>
              <td>{brief(place, 40)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

// When the node replaces its chain, the recorded heights are removed, even while the page shows another screen.
chainReplacements.subscribe(forgetHeights)

/**
 * Loads the state of consensus again and again, and adds each answer to the recorded heights. Returns the last answer.
 */
function useDump() {
  const current = heights.value[0]
  const isWaiting = current !== undefined && current.rounds.at(-1)?.proposal === undefined
  const tick = Math.floor(nowMs.value / (isWaiting ? PARTS_EVERY_MS : DUMP_EVERY_MS))
  const dump = useAnswer('dump', loadDump, tick)
  useEffect(() => {
    if (dump.value !== undefined) addDump(dump.value)
  }, [dump.value])
  return dump
}

/** Shows rounds, steps and votes as soon as the node reports them. */
export function Consensus() {
  useEffect(() => {
    const stop = new AbortController()
    followConsensus(stop.signal)
    return () => stop.abort()
  }, [])
  const head = headHeight.value
  const [current, before] = heights.value
  const set = useAnswer('validators', (client) => loadValidators(client), Math.floor(head / VALIDATORS_EVERY))
  const dump = useDump()
  const validators = set.value?.list ?? []
  return (
    <>
      <h1>Consensus, live</h1>
      {(dump.error ?? set.error) === undefined ? null : <Problem error={dump.error ?? set.error} />}
      {current === undefined ? (
        <Panel title="Now">
          <p class="dim">
            Waiting for the next step of consensus …
            {isDevnet.value === true ? ' This devnet makes a block when you mine it, or send a transaction.' : ''}
          </p>
        </Panel>
      ) : (
        <Height seen={current} validators={validators} title="Now" dump={dump.value} />
      )}
      {before === undefined ? null : <Height seen={before} validators={validators} title="Before" />}
      <div class="columns">
        <Panel title="The state of this node">
          {dump.value === undefined ? <p class="dim">Loading …</p> : <NodeState dump={dump.value} />}
        </Panel>
        <Panel title="The state of its peers">
          {dump.value === undefined ? <p class="dim">Loading …</p> : <PeerStates dump={dump.value} />}
        </Panel>
      </div>
      <Raw exchanges={[...set.exchanges, ...dump.exchanges]} />
    </>
  )
}
