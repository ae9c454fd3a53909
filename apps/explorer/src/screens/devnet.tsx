import type { RpcMethods } from '@org/rpc/client'
import { useState } from 'preact/hooks'
import { hexOf } from '../format/bytes.ts'
import { numberText } from '../format/numbers.ts'
import { timeText } from '../format/times.ts'
import { blocks, headHeight } from '../live/chain.ts'
import { devnet, isDevnet } from '../live/devnet.ts'
import { useAnswer } from '../live/use-answer.ts'
import { BlocksTable } from '../parts/blocks-table.tsx'
import { Panel, Scroll } from '../parts/panel.tsx'
import { messageOf } from '../parts/problem.tsx'
import { linkTo } from '../route.ts'

/** Messages and snapshots that the screen keeps. */
const MOST = 20

interface Message {
  readonly id: number
  readonly text: string
  readonly isGood: boolean
}

type Act = (name: string, run: () => Promise<string>) => void

interface ActProps {
  readonly act: Act
}

function Mining({ act }: ActProps) {
  const [count, setCount] = useState('10')
  const [isAutomine, setAutomine] = useState(true)
  const blocksWanted = Math.max(1, Number.parseInt(count, 10) || 1)
  return (
    <Panel title="Blocks">
      <div class="choices">
        <button
          type="button"
          class="main"
          onClick={() => act('Mined', async () => `height ${numberText(await devnet.mine(1))}`)}
        >
          Mine a block
        </button>
        <label class="inline">
          <span>Blocks</span>
          <input
            class="short"
            inputMode="numeric"
            value={count}
            onInput={(event) => setCount(event.currentTarget.value)}
          />
        </label>
        <button
          type="button"
          onClick={() => act('Mined', async () => `height ${numberText(await devnet.mine(blocksWanted))}`)}
        >
          Mine {numberText(blocksWanted)}
        </button>
        <button
          type="button"
          aria-pressed={isAutomine}
          onClick={() =>
            act('Automine', async () => {
              await devnet.automine(!isAutomine)
              setAutomine(!isAutomine)
              return isAutomine ? 'off: transactions wait for a block' : 'on: a transaction makes a block'
            })
          }
        >
          Automine
        </button>
        <button
          type="button"
          onClick={() => act('A block each second', async () => devnet.interval(1000).then(() => 'on'))}
        >
          A block each second
        </button>
        <button
          type="button"
          onClick={() => act('A block each second', async () => devnet.interval(0).then(() => 'off'))}
        >
          Stop
        </button>
      </div>
    </Panel>
  )
}

const TRAVELS: readonly (readonly [name: string, seconds: number])[] = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
]

function Travel({ act }: ActProps) {
  return (
    <Panel title="Time">
      <div class="choices">
        {TRAVELS.map(([name, seconds]) => (
          <button
            key={name}
            type="button"
            onClick={() => act('The clock of the chain', async () => timeText(await devnet.advanceTime(seconds)))}
          >
            + {name}
          </button>
        ))}
      </div>
    </Panel>
  )
}

function Snapshots({ act }: ActProps) {
  const [list, setList] = useState<readonly { readonly id: string; readonly height: number }[]>([])
  return (
    <Panel title="Snapshots">
      <div class="choices">
        <button
          type="button"
          onClick={() =>
            act('Snapshot', async () => {
              const id = await devnet.snapshot()
              setList([{ id, height: headHeight.value }, ...list].slice(0, MOST))
              return `${id} at height ${numberText(headHeight.value)}`
            })
          }
        >
          Take a snapshot
        </button>
        {list.map(({ id, height }) => (
          <button
            key={id}
            type="button"
            onClick={() => act('Reverted', async () => `height ${numberText(await devnet.revert(id))}`)}
          >
            Revert to {id} (height {numberText(height)})
          </button>
        ))}
        <button
          type="button"
          class="danger"
          onClick={() => act('Reset', async () => `height ${numberText(await devnet.reset())}`)}
        >
          Reset the chain
        </button>
      </div>
    </Panel>
  )
}

async function loadAddresses(client: RpcMethods): Promise<readonly string[]> {
  return (await client.validators({ perPage: 100 })).validators.map(({ address }) => hexOf(address))
}

const ATTACKS = ['Lunatic', 'Equivocation', 'Amnesia'] as const

function Faults({ act }: ActProps) {
  const { value } = useAnswer('devnet-validators', loadAddresses)
  const done = (run: Promise<void>, text: string): Promise<string> => run.then(() => text)
  return (
    <Panel
      title="Faults"
      aside={
        <button type="button" onClick={() => act('Network', () => done(devnet.heal(), 'all partitions ended'))}>
          Heal the network
        </button>
      }
    >
      <Scroll label="Faults of validators">
        <table>
          <tbody>
            {(value ?? []).map((address) => (
              <tr key={address}>
                <td>
                  <a href={linkTo('validators', address)}>
                    <code>{address.slice(0, 12)}…</code>
                  </a>
                </td>
                <td>
                  <div class="choices tight">
                    <button
                      type="button"
                      onClick={() =>
                        act('Signing', () =>
                          done(
                            devnet.setSigningStatus(address, 'down').then(() => undefined),
                            `${address.slice(0, 8)} does not sign`,
                          ),
                        )
                      }
                    >
                      Silence
                    </button>
                    <button
                      type="button"
                      onClick={() =>
                        act('Signing', () =>
                          done(
                            devnet.setSigningStatus(address, 'up').then(() => undefined),
                            `${address.slice(0, 8)} signs`,
                          ),
                        )
                      }
                    >
                      Let sign
                    </button>
                    <button
                      type="button"
                      onClick={() => act('Crashed', () => done(devnet.crash(address), address.slice(0, 8)))}
                    >
                      Crash
                    </button>
                    <button
                      type="button"
                      onClick={() => act('Restarted', () => done(devnet.restart(address), address.slice(0, 8)))}
                    >
                      Restart
                    </button>
                    <button
                      type="button"
                      onClick={() => act('Cut off', () => done(devnet.partition([address]), address.slice(0, 8)))}
                    >
                      Cut off
                    </button>
                    <button
                      type="button"
                      onClick={() =>
                        act('Double sign', () => done(devnet.causeDoubleSign(address), `the evidence is in a block`))
                      }
                    >
                      Double-sign
                    </button>
                    {ATTACKS.map((attack) => (
                      <button
                        key={attack}
                        type="button"
                        onClick={() =>
                          act(`${attack} attack`, () =>
                            done(devnet.causeLightClientAttack(address, attack), 'the evidence is in a block'),
                          )
                        }
                      >
                        {attack}
                      </button>
                    ))}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}

/** Buttons that control the chain of `halley devnet --control`. */
export function Devnet() {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const add = (text: string, isGood: boolean): void =>
    setMessages((list) => [{ id: (list[0]?.id ?? 0) + 1, text, isGood }, ...list].slice(0, MOST))
  const act: Act = (name, run) =>
    void run().then(
      (result) => add(`${name}: ${result}`, true),
      (error: unknown) => add(`${name}: ${messageOf(error)}`, false),
    )
  if (isDevnet.value !== true)
    return (
      <>
        <h1>Devnet</h1>
        <p>
          This node does not let the page control its chain. Start one with{' '}
          <code>halley devnet --control --validators 4</code>.
        </p>
      </>
    )
  return (
    <>
      <h1>Devnet</h1>
      <div class="columns">
        <Mining act={act} />
        <Travel act={act} />
      </div>
      <Snapshots act={act} />
      <Faults act={act} />
      <div class="columns">
        <Panel title="Done">
          <div role="log" aria-label="Done">
            <ol class="messages">
              {messages.length === 0 ? <li class="dim">Nothing yet.</li> : null}
              {messages.map(({ id, text, isGood }) => (
                <li key={id} class={isGood ? undefined : 'bad'}>
                  {text}
                </li>
              ))}
            </ol>
          </div>
        </Panel>
        <Panel title="Latest blocks">
          <BlocksTable metas={blocks.value.slice(0, 6)} />
        </Panel>
      </div>
    </>
  )
}
