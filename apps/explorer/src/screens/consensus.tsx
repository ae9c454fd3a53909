import type { RpcMethods } from '@org/rpc/client'
import { useEffect } from 'preact/hooks'
import { hexOf, visible } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import { headHeight } from '../live/chain.ts'
import { nowMs } from '../live/clock.ts'
import { followConsensus, heights, type SeenHeight, type SeenRound } from '../live/consensus.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Facts, Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { VoteCells, type Voter } from '../parts/vote-cells.tsx'
import { TimelineLegend, VoteTimeline } from '../parts/vote-timeline.tsx'
import { linkTo } from '../route.ts'

const STEPS: readonly (readonly [step: string, name: string])[] = [
  ['RoundStepNewRound', 'New round'],
  ['RoundStepPropose', 'Propose'],
  ['RoundStepPrevote', 'Prevote'],
  ['RoundStepPrevoteWait', 'Prevote wait'],
  ['RoundStepPrecommit', 'Precommit'],
  ['RoundStepPrecommitWait', 'Precommit wait'],
  ['RoundStepCommit', 'Commit'],
]
/** The dump is large, so it is asked for less often. */
const DUMP_EVERY_MS = 3000
const MAX_PEERS = 50

interface DumpedPeer {
  readonly round_state?: { readonly height?: string; readonly round?: number; readonly step?: number }
}

interface DumpedState {
  readonly 'height/round/step'?: string
  readonly height?: string
  readonly round?: number
  readonly step?: number
  readonly proposal_block_parts?: { readonly 'count/total'?: string } | null
  readonly locked_round?: number
  readonly valid_round?: number
  readonly proposer?: { readonly address?: string }
  readonly validators?: { readonly proposer?: { readonly address?: string } }
}

async function loadDump(client: RpcMethods) {
  const { roundState, peers } = await client.dumpConsensusState()
  const own = (roundState ?? {}) as DumpedState
  const rows = peers.slice(0, MAX_PEERS).map(({ nodeAddress, peerState }) => {
    const { height = '?', round = 0, step = 0 } = (peerState as DumpedPeer | null)?.round_state ?? {}
    return { address: nodeAddress, place: `${height}/${round}/${step}` }
  })
  return { own, rows }
}

async function loadVoters(client: RpcMethods): Promise<readonly Voter[]> {
  const { validators } = await client.validators({ perPage: 100 })
  return validators.map(({ address, votingPower }) => ({ address: hexOf(address), power: votingPower }))
}

function Rail({ round }: { readonly round: SeenRound }) {
  const at = STEPS.findIndex(([step]) => step === round.step)
  return (
    <ol class="rail" aria-label={`Steps of round ${round.round}`}>
      {STEPS.map(([step, name], i) => (
        <li key={step} class={i < at ? 'past' : undefined} aria-current={i === at ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  )
}

function Round({ round, voters }: { readonly round: SeenRound; readonly voters: readonly Voter[] }) {
  const { proposal, lockMs, votes } = round
  return (
    <section class="round" aria-label={`Round ${round.round}`}>
      <h3>Round {round.round}</h3>
      <Rail round={round} />
      <p>
        {proposal === undefined ? (
          <span class="dim">No complete block yet.</span>
        ) : (
          <>
            Block <code>{visible(proposal.hash).slice(0, 12)}</code>, {proposal.parts}{' '}
            {proposal.parts === 1 ? 'part' : 'parts'}, complete after {durationText(proposal.atMs)}.
          </>
        )}{' '}
        {lockMs === undefined ? null : <strong class="lock-mark">locked after {durationText(lockMs)}</strong>}
      </p>
      <VoteCells kind="prevote" votes={votes} voters={voters} />
      <VoteCells kind="precommit" votes={votes} voters={voters} />
    </section>
  )
}

function Height({
  seen,
  voters,
  title,
}: {
  readonly seen: SeenHeight
  readonly voters: readonly Voter[]
  readonly title: string
}) {
  const decided = seen.decidedMs === undefined ? 'not decided' : `decided after ${durationText(seen.decidedMs)}`
  return (
    <Panel title={`${title}: height ${numberText(seen.height)}, ${decided}`} aside={<TimelineLegend />}>
      {seen.rounds.map((round) => (
        <Round key={round.round} round={round} voters={voters} />
      ))}
      <VoteTimeline seen={seen} voters={voters} />
    </Panel>
  )
}

function OwnState({ own }: { readonly own: DumpedState }) {
  const roundText = (round: number | undefined): string =>
    round === undefined || round < 0 ? 'none' : `round ${round}`
  return (
    <Facts
      rows={[
        ['Height/round/step', visible(`${own.height}/${own.round}/${own.step}`)],
        ['Proposer', <code key="proposer">{visible(String(own.validators?.proposer?.address ?? '–'))}</code>],
        ['Parts of the block', visible(String(own.proposal_block_parts?.['count/total'] ?? 'none'))],
        ['Locked block', roundText(own.locked_round)],
        ['Valid block', roundText(own.valid_round)],
      ]}
    />
  )
}

/** Rounds, steps and votes as they arrive at the node. */
export function Consensus() {
  useEffect(() => {
    const stop = new AbortController()
    followConsensus(stop.signal)
    return () => stop.abort()
  }, [])
  const voters = useAnswer(`voters-${Math.floor(headHeight.value / 10)}`, loadVoters)
  const dump = useAnswer(`dump-${Math.floor(nowMs.value / DUMP_EVERY_MS)}`, loadDump)
  const [current, ...earlier] = heights.value
  const list = voters.value ?? []
  return (
    <>
      <h1>Consensus, live</h1>
      {current === undefined ? (
        <p class="dim">Waiting for the next step of consensus …</p>
      ) : (
        <Height seen={current} voters={list} title="Now" />
      )}
      {earlier[0] === undefined ? null : <Height seen={earlier[0]} voters={list} title="Before" />}
      <div class="columns">
        <Panel title="The state of this node">
          {dump.error === undefined ? null : <Problem error={dump.error} />}
          {dump.value === undefined ? <p class="dim">Loading …</p> : <OwnState own={dump.value.own} />}
        </Panel>
        <Panel title="The state of its peers">
          {dump.value === undefined || dump.value.rows.length === 0 ? (
            <p class="dim">No peers.</p>
          ) : (
            <Scroll label="Peers">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Peer</th>
                    <th scope="col">Height/round/step</th>
                  </tr>
                </thead>
                <tbody>
                  {dump.value.rows.map(({ address, place }) => (
                    <tr key={address}>
                      <td>
                        <a href={linkTo('peers')}>{visible(address).slice(0, 64)}</a>
                      </td>
                      <td>{visible(place).slice(0, 40)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
        </Panel>
      </div>
      <Raw exchanges={[...voters.exchanges, ...dump.exchanges]} />
    </>
  )
}
