import { info, shortAddress } from './info.ts'

/** Validators that a list offers. */
const MOST = 100

interface ValidatorSelectProps {
  readonly label: string
  /** The address, or an empty text for all validators. */
  readonly value: string
  /** The name of the choice of all validators, if there is one. */
  readonly all?: string
  readonly onChoose: (address: string) => void
}

/** A list of the validators of the devnet. */
export function ValidatorSelect({ label, value, all, onChoose }: ValidatorSelectProps) {
  const list = (info.value?.validators ?? []).slice(0, MOST)
  return (
    <label class="inline">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {all === undefined ? null : <option value="">{all}</option>}
        {list.map(({ address }) => (
          <option key={address} value={address}>
            {shortAddress(address)}
          </option>
        ))}
      </select>
    </label>
  )
}
