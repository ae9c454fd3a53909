import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOMS } from '../src/rooms.ts'

const architecture = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')

/** The rooms that contain only exports. The tables do not show them. */
const EXPORTING = ['entries', 'index.ts']

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Returns the rooms of the table below a paragraph of ARCHITECTURE.md, each with the rooms that it uses. */
function roomsBelow(paragraph: string): Record<string, string[]> {
  const [, table = ''] = architecture.slice(architecture.indexOf(paragraph)).split('\n\n')
  const rows = table.split('\n').slice(2)
  return Object.fromEntries(
    rows.map((row) => {
      const [, room, , uses] = row.split('|')
      return [namesIn(room)[0] ?? row, namesIn(uses)]
    }),
  )
}

test.each(['p2p', 'simnet'])('ARCHITECTURE.md has the rooms of %s and their imports', (name) => {
  const rooms = Object.entries(ROOMS[`@org/${name}`] ?? {}).filter(([room]) => !EXPORTING.includes(room))
  const wanted = Object.fromEntries(rooms.map(([room, { uses }]) => [room, [...uses]]))
  expect(Object.keys(wanted).length).toBeGreaterThan(5)
  expect(roomsBelow(`The rooms of \`packages/${name}\``)).toEqual(wanted)
})
