import { useState } from 'preact/hooks'
import { numberText } from '../format/numbers.ts'
import { timeText } from '../format/times.ts'
import { blocks } from '../live/chain.ts'
import { Panel } from '../parts/panel.tsx'
import type { DevnetActionProps } from './devnet-action.ts'
import { info } from './info.ts'
import { NumberField } from './number-field.tsx'

/** The maximum number of blocks that one call to the node makes. */
const MAX_BLOCKS = 10_000

interface SwitchProps {
  readonly label: string
  /** Whether the setting that the two buttons control is on; `undefined` until the node has answered. */
  readonly isOn: boolean | undefined
  readonly onSwitch: (isOn: boolean) => void
}

/** Shows the buttons On and Off of a setting. */
function Switch({ label, isOn, onSwitch }: SwitchProps) {
  return (
    <fieldset class="switch">
      <legend>{label}</legend>
      <button type="button" aria-pressed={isOn === true} onClick={() => onSwitch(true)}>
        On
      </button>
      <button type="button" aria-pressed={isOn === false} onClick={() => onSwitch(false)}>
        Off
      </button>
    </fieldset>
  )
}

/** Shows the controls that make blocks. */
export function Mining({ act }: DevnetActionProps) {
  const [text, setText] = useState('10')
  const count = Math.min(MAX_BLOCKS, Math.max(1, Number.parseInt(text, 10) || 1))
  const mine = (wanted: number): void =>
    act('Mined', async (devnet) => `height ${numberText(await devnet.mine(wanted))}`)
  return (
    <Panel title="Blocks">
      <div class="choices">
        <button type="button" class="main" onClick={() => mine(1)}>
          Mine a block
        </button>
        <NumberField label="Number of blocks" isLabelHidden text={text} onText={setText} />
        <button type="button" onClick={() => mine(count)}>
          Mine {numberText(count)}
        </button>
      </div>
      <div class="choices">
        <Switch
          label="A block for each transaction"
          isOn={info.value?.automine}
          onSwitch={(isOn) =>
            act('Automine', async (devnet) => {
              await devnet.automine(isOn)
              return isOn ? 'a transaction makes a block' : 'transactions wait for a block'
            })
          }
        />
        <Switch
          label="A block each second"
          isOn={info.value === undefined ? undefined : info.value.interval === 1000}
          onSwitch={(isOn) =>
            act('A block each second', async (devnet) => {
              await devnet.interval(isOn ? 1000 : 0)
              return isOn ? 'on' : 'off'
            })
          }
        />
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

/** Shows the controls that move the clock of the chain. */
export function Travel({ act }: DevnetActionProps) {
  const [text, setText] = useState('')
  const last = blocks.value[0]?.header.time
  return (
    <Panel title="Time">
      <p class="dim">
        The clock of the chain: {info.value === undefined ? '–' : timeText(info.value.time)}. The time of the last
        block: {last === undefined ? '–' : timeText(last)}.
      </p>
      <div class="choices">
        {TRAVELS.map(([name, seconds]) => (
          <button
            key={name}
            type="button"
            onClick={() => act('The clock of the chain', async (devnet) => timeText(await devnet.advanceTime(seconds)))}
          >
            + {name}
          </button>
        ))}
      </div>
      <form
        class="choices"
        onSubmit={(event) => {
          event.preventDefault()
          act('The clock of the chain', async (devnet) => timeText(await devnet.setTime(text.trim())))
        }}
      >
        <label class="inline">
          <span>Set to</span>
          <input
            value={text}
            placeholder="2030-01-01T00:00:00Z"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={text.trim() === ''}>
          Set the clock
        </button>
      </form>
    </Panel>
  )
}
