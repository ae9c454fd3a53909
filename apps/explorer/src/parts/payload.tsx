import { useMemo, useState } from 'preact/hooks'
import { base64Of, hexOf, jsonOf, textOf } from '../format/bytes.ts'
import { sizeText } from '../format/numbers.ts'
import { CopyButton } from './copy-button.tsx'
import { LongText } from './long-text.tsx'

const FORMS = {
  JSON: jsonOf,
  Text: textOf,
  Hex: hexOf,
  Base64: base64Of,
} as const

type Form = keyof typeof FORMS

/** Returns the forms in which the bytes can be shown, the most readable first. */
const formsOf = (bytes: Uint8Array): readonly Form[] =>
  (Object.keys(FORMS) as Form[]).filter(
    (form) => form === 'Hex' || form === 'Base64' || FORMS[form](bytes) !== undefined,
  )

/** Shows bytes of the chain as hex or base64. If the bytes are JSON or text, also shows them as JSON or text. */
export function Payload({ bytes, name }: { readonly bytes: Uint8Array; readonly name: string }) {
  const [chosen, choose] = useState<Form | undefined>(undefined)
  const possible = useMemo(() => formsOf(bytes), [bytes])
  const form = chosen !== undefined && possible.includes(chosen) ? chosen : (possible[0] ?? 'Hex')
  const text = useMemo(() => FORMS[form](bytes) ?? '', [bytes, form])
  if (bytes.length === 0) return <span class="dim">empty</span>
  return (
    <div class="payload">
      <div class="choices">
        {possible.map((each) => (
          <button type="button" key={each} aria-pressed={each === form} onClick={() => choose(each)}>
            {each}
          </button>
        ))}
        <span class="dim">{sizeText(bytes.length)}</span>
        <CopyButton text={text} label={`Copy ${name} as ${form}`} />
      </div>
      <LongText key={form} text={text} label={`${name} as ${form}`} />
    </div>
  )
}
