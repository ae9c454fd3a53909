import { expect, test } from 'vitest'
import { findLines } from '../src/lines.ts'

const textsIn = (source: string): string[] => findLines(source).map(({ text }) => text)

test('the message of a log call is a line, and its fields are not', () => {
  expect(textsIn("logger.info('Added peer', { reason: 'dialled' })")).toEqual(['Added peer'])
  expect(
    textsIn("for (const log of [logger]) log.warn('Slow disk'); logger.error('Lost'); logger.debug('Read')"),
  ).toEqual(['Slow disk', 'Lost', 'Read'])
})

test('the texts of a new error are lines, whichever argument they are', () => {
  expect(textsIn("throw new ChainError(CODES.stuck, 'the application does not answer')")).toEqual([
    '…',
    'the application does not answer',
  ])
  expect(textsIn("new PeerFault('too many parts'); new SignRefusal('an older step')")).toEqual([
    'too many parts',
    'an older step',
  ])
})

test('the texts of help, summary and description are lines', () => {
  const source =
    "const command = { name: 'start', summary: 'Starts a node', help: 'Reads the home', description: 'A node' }"
  expect(textsIn(source)).toEqual(['Starts a node', 'Reads the home', 'A node'])
})

test('templates and sums are one line, in which another expression is replaced by an ellipsis', () => {
  expect(textsIn('new PeerError(`the height ${height} is above ${last}`)')).toEqual(['the height … is above …'])
  expect(textsIn("new PeerError('the peer ' + id + ' is banned')")).toEqual(['the peer … is banned'])
})

test('a text that continues another line is left out', () => {
  expect(textsIn("new PeerError(', which is too large'); new PeerError(': try again')")).toEqual([])
})

test('texts in other places are left out', () => {
  expect(
    textsIn("const name = 'a name'; refuse('the height is missing'); new Map([['a', 'b']]); list.join('and')"),
  ).toEqual([])
})

test('each line has the number of the line in the source at which its text begins', () => {
  const source =
    "const a = 1\n\nlogger.info('First')\nthrow new NodeError(\n  CODES.stopped,\n  `the node ${a} has stopped`,\n)\n"
  expect(findLines(source)).toEqual([
    { line: 3, text: 'First' },
    { line: 5, text: '…' },
    { line: 6, text: 'the node … has stopped' },
  ])
})
