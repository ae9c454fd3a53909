import { recording, recordingLines } from '@org/golden'
import { Request, Response } from '@org/types/abci'

interface Listed {
  readonly conn: number
  readonly dir: 'request' | 'response'
  readonly offset: number
  readonly prefix: number
  readonly length: number
  readonly type: string
}

type Kinds = { readonly request: NonNullable<Request['value']>; readonly response: NonNullable<Response['value']> }

/** The recorded ABCI messages of one direction and kind, in order. */
export function recordedMessages<D extends keyof Kinds, C extends Kinds[D]['case']>(
  folder: string,
  direction: D,
  wanted: C,
): Extract<Kinds[D], { case: C }>['value'][] {
  const files = new Map<number, Uint8Array>()
  const type = wanted.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const schema = direction === 'request' ? Request : Response
  return recordingLines<Listed>(`${folder}/messages.jsonl`)
    .filter((line) => line.dir === direction && line.type === type)
    .map(({ conn, offset, prefix, length }) => {
      const bytes = files.get(conn) ?? recording(`${folder}/conn${conn}.${direction}.bin`)
      files.set(conn, bytes)
      const start = offset + prefix
      return schema.decode(bytes.subarray(start, start + length)).value?.value as never
    })
}
