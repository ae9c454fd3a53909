import { FORMS, type GivenForm } from '../format/user-input.ts'

interface BytesFieldProps {
  readonly label: string
  readonly text: string
  readonly form: GivenForm
  readonly onText: (text: string) => void
  readonly onForm: (form: GivenForm) => void
}

/** An input field for bytes, which the user writes as text, hex or base64. */
export function BytesField({ label, text, form, onText, onForm }: BytesFieldProps) {
  return (
    <div class="bytes-field">
      <label>
        <span>{label}</span>
        <textarea rows={3} spellcheck={false} value={text} onInput={(event) => onText(event.currentTarget.value)} />
      </label>
      <label>
        <span>Form of {label.toLowerCase()}</span>
        <select value={form} onChange={(event) => onForm(event.currentTarget.value as GivenForm)}>
          {FORMS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
