import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findManifestFaults } from '../src/manifests.ts'

test('a wrong folder of the repository, a missing entry and a missing change log are found', () => {
  const faults = findManifestFaults(fileURLToPath(new URL('../canaries/manifests', import.meta.url)))
  expect(faults).toEqual([
    'packages/one/package.json: "repository" must be {"type":"git","url":"git+https://example.org","directory":"packages/one"}',
    'apps/two/package.json: "publishConfig.exports" must have the built files of "exports"',
    'apps/two/package.json: "files" must contain "CHANGELOG.md"',
  ])
})
