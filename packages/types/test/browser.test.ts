import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = new URL('../src/', import.meta.url)

/** Returns the files of the package that contain a text, such as an import of a module. */
const importing = (name: RegExp): readonly string[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => name.test(readFileSync(new URL(file, source), 'utf8')))
    .sort()

test('behavior: only the Node back end imports from Node', () => {
  expect(importing(/from 'node:/)).toEqual([
    'crypto/backend/cofactored.ts',
    'crypto/backend/node.ts',
    'crypto/backend/openssl.ts',
  ])
  expect(importing(/from '.*\/(openssl|ed25519)\.ts'/)).toEqual([
    'crypto/backend/cofactored.ts',
    'crypto/backend/ed25519.ts',
    'crypto/backend/node.ts',
  ])
  expect(importing(/from '.*\/node\.ts'/)).toEqual([])
})

test('default: with the condition "browser" the package hashes, signs and verifies without node:crypto', async () => {
  const script = `
    import { generateEd25519, publicKeyOf, sha256, sign, verifySignatures } from '${source.href}crypto/index.ts'
    import { hashFromByteSlices } from '${source.href}merkle/index.ts'
    import { bytesToHex } from '${source.href}bytes/index.ts'
    const key = generateEd25519(new Uint8Array(32).fill(1))
    const message = new Uint8Array(3)
    const signature = sign(key, message)
    const valid = await verifySignatures([{ publicKey: publicKeyOf(key), message, signature }])
    console.log(JSON.stringify([bytesToHex(sha256(message)), bytesToHex(hashFromByteSlices([message, message])), valid, bytesToHex(signature)]))
  `
  const run = async (...flags: string[]): Promise<string> => {
    const args = [...flags, '--input-type=module', '--eval', script]
    return (await promisify(execFile)(process.execPath, args)).stdout
  }
  expect(await run('--conditions=browser')).toBe(await run())
})
