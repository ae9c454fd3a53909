import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FOLDERS } from '../src/folders.ts'

const architecture = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')

/** The folders and files that contain only exports. The tables of ARCHITECTURE.md do not contain them. */
const EXPORTING = ['entries', 'index.ts']

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Returns the folders in the table below a paragraph of ARCHITECTURE.md, each with the folders that it may import. */
function foldersBelow(paragraph: string): Record<string, string[]> {
  const [, table = ''] = architecture.slice(architecture.indexOf(paragraph)).split('\n\n')
  const rows = table.split('\n').slice(2)
  return Object.fromEntries(
    rows.map((row) => {
      const [, folder, , uses] = row.split('|')
      return [namesIn(folder)[0] ?? row, namesIn(uses)]
    }),
  )
}

test.each(['p2p', 'simnet'])('ARCHITECTURE.md has the folders of %s and their imports', (name) => {
  const folders = Object.entries(FOLDERS[`@org/${name}`] ?? {}).filter(([folder]) => !EXPORTING.includes(folder))
  const wanted = Object.fromEntries(folders.map(([folder, { uses }]) => [folder, [...uses]]))
  expect(Object.keys(wanted).length).toBeGreaterThan(5)
  expect(foldersBelow(`The folders of \`packages/${name}\``)).toEqual(wanted)
})
