import fc from 'fast-check'
import { recordingLines } from '../recordings.ts'
import type { Exchange } from '../replay/sender.ts'
import { posted } from './generated.ts'

/** JSON values for a member of evidence, some valid and some invalid. */
const VALUES = [
  ...['null', '5', '"5"', '""', '"a"', '[]', '{}', 'true', '1.5', '-1', '99999999999', '[1,2]', '[300]'],
  ...['"AB"', '"zz"', '"AAA="', '"2026-11-21T00:23:47Z"', '"2026-11-21T00:23:47+01:00"'],
] as const

const MEMBER = /"(\w+)":("(?:[^"\\]|\\.)*"|-?\d+|null)/g

/**
 * Makes calls of `broadcast_evidence` from recorded calls. In each call, the value or the name of one member of the
 * evidence is changed.
 */
export function anyEvidence(): fc.Arbitrary<Exchange> {
  const recorded = recordingLines<Exchange>('kvstore-single/answers.jsonl')
    .filter(({ id }) => /post\/broadcast_evidence\/(fake|swapped|beyond|nosig|other-height)$/.test(id))
    .map(({ request }) => request.body as string)

  return fc
    .record({
      body: fc.constantFrom(...recorded),
      at: fc.nat(),
      value: fc.constantFrom(...VALUES),
      rename: fc.boolean(),
    })
    .map(({ body, at, value, rename }) => {
      const start = body.indexOf('"evidence":')
      const members = [...body.matchAll(MEMBER)].filter(({ index }) => index > start)
      const member = members[at % members.length] as RegExpExecArray
      const text = `"${rename ? 'zz' : member[1]}":${value}`
      return posted(body.slice(0, member.index) + text + body.slice(member.index + member[0].length))
    })
}
