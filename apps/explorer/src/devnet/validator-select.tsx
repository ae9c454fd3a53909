import { info, shortAddress } from './info.ts'

/** The maximum number of validators in the list. */
const MOST = 100

interface ValidatorSelectProps {
  readonly label: string
  /** The address of the chosen validator; empty for all validators. */
  readonly value: string
  /** The label of the choice for all validators. If the label is missing, the list does not offer this choice. */
  readonly all?: string
  readonly onChoose: (address: string) => void
}

/** A field in which the user chooses a validator of the devnet. */
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
