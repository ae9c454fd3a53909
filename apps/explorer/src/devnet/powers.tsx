import { useState } from 'preact/hooks'
import { numberText } from '../format/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import type { DevnetActionProps } from './devnet-action.ts'
import { info, shortAddress } from './info.ts'
import { NumberField } from './number-field.tsx'
import { ValidatorSelect } from './validator-select.tsx'

const DIGITS = /^\d{1,19}$/

/** Shows the controls that change the power of a validator, remove the validator, and add a new one. */
export function Powers({ act }: DevnetActionProps) {
  const [chosen, choose] = useState('')
  const [text, setText] = useState('20')
  const list = info.value?.validators ?? []
  const validator = list.find(({ address }) => address === chosen) ?? list[0]
  const isValid = DIGITS.test(text.trim())
  const change = (power: bigint, done: string): void => {
    if (validator === undefined) return
    const { address } = validator
    act('Power', async (devnet) => {
      const height = await devnet.setPower(address, power)
      return `${shortAddress(address)} ${done} from height ${numberText(height)} on`
    })
  }
  function add(): void {
    act('New validator', async (devnet) => {
      const { address, height } = await devnet.addValidator(BigInt(text.trim()))
      choose(address)
      return `${shortAddress(address)} has the power ${numberText(BigInt(text.trim()))} from height ${numberText(height)} on`
    })
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (!isValid) return
    const power = BigInt(text.trim())
    change(power, power === 0n ? 'is removed' : `has the power ${numberText(power)}`)
  }
  return (
    <Panel title="Voting power">
      <form class="choices" onSubmit={submit}>
        <ValidatorSelect label="Validator" value={validator?.address ?? ''} onChoose={choose} />
        <NumberField label="Power" text={text} onText={setText} />
        <button type="submit" disabled={!isValid || validator === undefined}>
          Set the power
        </button>
        <button
          type="button"
          class="danger"
          disabled={validator === undefined || validator.power === 0n}
          onClick={() => change(0n, 'is removed')}
        >
          Remove the validator
        </button>
        <button type="button" disabled={!isValid} onClick={add}>
          Add a new validator
        </button>
      </form>
      <p class="dim">
        {validator === undefined
          ? 'Loading …'
          : `The present power of ${shortAddress(validator.address)}: ${numberText(validator.power)}. To change the power, the devnet makes three blocks. After them the new power counts. A new validator gets a key of its own and runs in the process of the devnet.`}
      </p>
    </Panel>
  )
}
