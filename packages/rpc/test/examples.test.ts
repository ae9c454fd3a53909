import { expect, test } from 'vitest'
import { examplesSource } from './examples-source.ts'
import { formatted } from './formatted.ts'

test('default: the examples of the documents equal the recordings', async () => {
  await expect(formatted(examplesSource(), 'examples.ts')).toMatchFileSnapshot('../src/openapi/examples.ts')
})
