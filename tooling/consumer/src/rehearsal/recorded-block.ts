import { recordingLines } from '@org/golden'

interface Exchange {
  readonly id: string
  readonly response: { readonly body: string }
}

/** The recorded answer of the reference to `/block?height=1`. */
export function recordedBlock(): string {
  const exchanges = recordingLines('kvstore-single/answers.jsonl') as Exchange[]
  return exchanges.find(({ id }) => id === 'main/uri/block/height-first')?.response.body ?? ''
}
