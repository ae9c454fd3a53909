import { expect, test } from 'vitest'
import { clientTableSource } from './client-table.ts'
import { formatted } from './formatted.ts'

test('default: the table of the client equals the routes', async () => {
  await expect(formatted(clientTableSource(), 'table.ts')).toMatchFileSnapshot('../src/client/table.ts')
})
