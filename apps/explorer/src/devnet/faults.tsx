import type { DevnetClient } from '@org/rpc/client/devnet'
import { useEffect, useState } from 'preact/hooks'
import { numberText } from '../format/numbers.ts'
import { blocks } from '../live/chain.ts'
import { columnsOf, loadCommits, markOf } from '../live/signing.ts'
import { Panel, Scroll } from '../parts/panel.tsx'
import { SigningStrip, StripLegend } from '../parts/signing-strip.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { linkTo } from '../route.ts'
import type { DevnetAction, DevnetActionProps } from './devnet-action.ts'
import { type DevnetValidator, info, shortAddress, stateOf } from './info.ts'

const ATTACKS = ['Lunatic', 'Equivocation', 'Amnesia'] as const
type Attack = (typeof ATTACKS)[number]

/** The maximum number of validators that are shown. */
const MOST = 100

interface Fault {
  readonly button: string
  readonly title: string
  /**
   * The end of the sentence that the page shows after a successful action, such as `does not sign`. The sentence begins
   * with the name of the validator.
   */
  readonly done: string
  readonly run: (devnet: DevnetClient, address: string) => Promise<unknown>
}

const GROUPS: readonly (readonly Fault[])[] = [
  [
    {
      button: 'Silence',
      title: 'Stops the validator from signing',
      done: 'does not sign',
      run: (devnet, address) => devnet.setSigningStatus(address, 'down'),
    },
    {
      button: 'Let sign',
      title: 'Lets the validator sign again',
      done: 'signs',
      run: (devnet, address) => devnet.setSigningStatus(address, 'up'),
    },
  ],
  [
    {
      button: 'Crash',
      title: 'Ends the node of the validator. The node that answers this page cannot end',
      done: 'crashed',
      run: (devnet, address) => devnet.crash(address),
    },
    {
      button: 'Restart',
      title: 'Starts the node of the validator again',
      done: 'started again',
      run: (devnet, address) => devnet.restart(address),
    },
  ],
  [
    {
      button: 'Cut off',
      title: 'Ends the connections of the validator with all others, until the network is healed',
      done: 'has no connection',
      run: (devnet, address) => devnet.partition([address]),
    },
  ],
  [
    {
      button: 'Double-sign',
      title: 'Makes the validator sign two different votes. A block contains the evidence',
      done: 'signed two votes: the evidence is in a block',
      run: (devnet, address) => devnet.causeDoubleSign(address),
    },
  ],
]

function FaultButtons({ act, address }: DevnetActionProps & { readonly address: string }) {
  return (
    <>
      {GROUPS.map((group) => (
        <td key={group[0]?.button}>
          <div class="choices tight">
            {group.map(({ button, title, done, run }) => (
              <button
                key={button}
                type="button"
                title={title}
                onClick={() =>
                  act(button, async (devnet) => run(devnet, address).then(() => `${shortAddress(address)} ${done}`))
                }
              >
                {button}
              </button>
            ))}
          </div>
        </td>
      ))}
    </>
  )
}

interface RowProps extends DevnetActionProps {
  readonly validator: DevnetValidator
  readonly attack: Attack
}

function attackBy(act: DevnetAction, address: string, attack: Attack): void {
  act(`${attack} attack`, async (devnet) => {
    await devnet.causeLightClientAttack(address, attack)
    return 'the evidence is in a block'
  })
}

function Row({ act, validator, attack }: RowProps) {
  const { address, power } = validator
  const state = stateOf(validator)
  const marks = columnsOf(blocks.value).map((column) => markOf(address, column))
  return (
    <tr>
      <td>
        <a href={linkTo('validators', address)}>
          <code>{shortAddress(address)}</code>
        </a>
      </td>
      <td>
        <SigningStrip marks={marks} isShort />
      </td>
      <td class="num" data-name="Power">
        {numberText(power)}
      </td>
      <td class={state === 'signs' ? undefined : 'warn'}>{state}</td>
      <FaultButtons act={act} address={address} />
      <td data-name="Light clients">
        <button type="button" onClick={() => attackBy(act, address, attack)}>
          Attack
        </button>
      </td>
    </tr>
  )
}

const COLUMNS = [
  'Validator',
  'Signed blocks',
  'Power',
  'State',
  'Signing',
  'Node',
  'Network',
  'Two votes',
  'Light clients',
]

/** Shows the buttons that make validators fail, and the blocks that each validator signed. */
export function Faults({ act }: DevnetActionProps) {
  const [attack, setAttack] = useState<Attack>('Lunatic')
  useEffect(() => void loadCommits(), [blocks.value])
  return (
    <Panel
      title="Validators"
      aside={
        <div class="choices tight">
          <label class="inline">
            <span>Attack of light clients</span>
            <select value={attack} onChange={(event) => setAttack(event.currentTarget.value as Attack)}>
              {ATTACKS.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <button
            type="button"
            onClick={() => act('Network', (devnet) => devnet.heal().then(() => 'healed: all are connected'))}
          >
            Heal the network
          </button>
        </div>
      }
    >
      <Scroll label="Faults of validators">
        <table class="stacked">
          <TableHead columns={COLUMNS} numbers={['Power']} />
          <tbody>
            {(info.value?.validators ?? []).slice(0, MOST).map((validator) => (
              <Row key={validator.address} act={act} validator={validator} attack={attack} />
            ))}
          </tbody>
        </table>
      </Scroll>
      <StripLegend />
    </Panel>
  )
}
