import { concatBytes, utf8ToBytes } from '@org/types/bytes'
import type { HttpRequest } from '../../../../../packages/rpc/src/http/index.ts'
import { parseForm } from '../../../../../packages/rpc/src/transports/form-body.ts'
import type { Door, Shape } from '../door.ts'
import { listOf, runOf } from '../shapes.ts'

const LIMIT = 1_000_000
const NAMES = ['height', 'query', 'tx']

/** Returns the function `open` of a door. The door reads request bodies with the content type `type`. */
const reading = (type: string, strict: boolean): Door['open'] => {
  const headers = new Map([['content-type', type]])
  return () => ({
    read: (body) => parseForm({ method: 'POST', headers, body } as unknown as HttpRequest, NAMES, strict),
  })
}

const form: Door = {
  name: 'form',
  where: 'rpc/src/transports/form-body.ts',
  limit: LIMIT,
  costs: { nsPerByte: 300, heldPerByte: 60 },
  open: reading('application/x-www-form-urlencoded', false),
  shapes: {
    fields: listOf((i) => `a${i}=1&`),
    'one field many times': runOf('height=1&'),
    'fields without a name': runOf('=&'),
    'fields without a value': runOf('a&'),
    escapes: runOf('%41', 'query='),
    'broken escapes': runOf('%', 'query='),
    'plus signs': runOf('+', 'query='),
    'bad UTF-8': runOf([0xff], 'query='),
  },
}

const FIELD = 'Content-Disposition: form-data; name="a"'
const PART = `--b\r\n${FIELD}\r\n\r\n1\r\n`

/**
 * Returns a function that makes inputs. Each input has many parts, but fewer than the node allows. All parts have the
 * same length, and each contains `unit` again and again.
 */
const partsOf =
  (unit: string): Shape =>
  (size) => {
    const count = Math.max(1, Math.min(900, Math.floor(size / 100)))
    const part = runOf(unit, `--b\r\n${FIELD}\r\n\r\n`, '\r\n')(Math.floor(size / count))
    return concatBytes(...Array.from({ length: count }, () => part), utf8ToBytes('--b--'))
  }

/** Multipart forms. Their boundary is the letter `b`. */
const MULTIPART: Door['shapes'] = {
  parts: runOf(PART, '', '--b--'),
  'long parts': partsOf('x'),
  'parts of line ends': partsOf('\r\n'),
  'parts of hyphens': partsOf('\r\n--'),
  'parts of bad UTF-8': partsOf('\xff'),
  boundaries: runOf('--b\r\n'),
  'incomplete boundaries': runOf('\r\n-', `--b\r\n${FIELD}\r\n\r\n`, '\r\n--b--'),
  'headers of a part': runOf('a: b\r\n', `--b\r\n${FIELD}\r\n`, '\r\n1\r\n--b--'),
  'a long header': runOf('a', `--b\r\n${FIELD}\r\nx: `, '\r\n\r\n1\r\n--b--'),
  'blanks in a header': runOf(' ', `--b\r\n${FIELD}\r\nx:`, 'a\r\n\r\n1\r\n--b--'),
  'a long name': runOf('a', '--b\r\nContent-Disposition: form-data; name="', '"\r\n\r\n1\r\n--b--'),
  'escapes in a name': runOf('%22', '--b\r\nContent-Disposition: form-data; name="', '"\r\n\r\n1\r\n--b--'),
  'parameters of a part': runOf('; a=b', `--b\r\n${FIELD}`, '\r\n\r\n1\r\n--b--'),
  'a long file name': runOf('a', `--b\r\n${FIELD}; filename="`, '"\r\n\r\n1\r\n--b--'),
  'a part without an end': runOf('a', `--b\r\n${FIELD}\r\n\r\n`),
  'text before the first part': runOf('a', '', `\r\n${PART}--b--`),
  'line ends before the first part': runOf('\r\n', '', `${PART}--b--`),
  'text after the last part': runOf('a', `${PART}--b--`),
}

const multipart = (name: string, strict: boolean): Door => ({
  name,
  where: 'rpc/src/transports/form-body.ts',
  limit: LIMIT,
  costs: { nsPerByte: 400, heldPerByte: 60 },
  open: reading('multipart/form-data; boundary=b', strict),
  shapes: MULTIPART,
})

export const FORM_DOORS: readonly Door[] = [
  form,
  multipart('multipart form', false),
  multipart('strict multipart form', true),
]
