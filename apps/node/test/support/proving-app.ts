import { join } from 'node:path'
import { createAbciServer } from '@org/abci'
import { createKvStore } from '@org/kvstore'
import { utf8ToBytes } from '@org/types/bytes'
import { makeValueOp, type ProofOp, proofsFromByteSlices, valueLeaf } from '@org/types/crypto'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './process.ts'

/** A key of the application, and its value. The application proves that the key has this value. */
export const [KEY, VALUE] = ['alice', '17']

interface Proven {
  readonly root: Uint8Array
  readonly ops: readonly ProofOp[]
}

/** Proves the entry `name` of a map with two entries. The second entry has the key `bob` and the same value. */
function proveEntry(name: string, value: Uint8Array): Proven {
  const key = utf8ToBytes(name)
  const { root, proofs } = proofsFromByteSlices([valueLeaf(key, value), valueLeaf(utf8ToBytes('bob'), value)])
  const [proof] = proofs
  if (proof === undefined) throw new Error('the tree has a proof for each leaf')
  return { root, ops: [makeValueOp(key, proof)] }
}

/**
 * Proves the value of {@link KEY} in a map. If `store` is given, the proof has a second step: a second map has the key
 * `store`, whose value is the root of the first map.
 */
function proveValue(store: string | undefined): Proven {
  const inner = proveEntry(KEY, utf8ToBytes(VALUE))
  if (store === undefined) return inner
  const outer = proveEntry(store, inner.root)
  return { root: outer.root, ops: [...inner.ops, ...outer.ops] }
}

/**
 * Serves an application that answers each query with the value of {@link KEY} and a proof of this value. The app hash
 * is the root of the proof. Returns the application's address, for `proxy_app`.
 *
 * If the parameter `store` is given, the proof has two steps, as in the Cosmos SDK. The first step proves that a first
 * map has {@link KEY} with its value. The second step proves that a second map has the key `store`, with the root of
 * the first map as its value.
 */
export async function serveProvingApp(store?: string): Promise<string> {
  const { root, ops } = proveValue(store)
  const kvstore = createKvStore({ rules: 'document' })
  const app = {
    ...kvstore,
    finalizeBlock: async (request: Parameters<typeof kvstore.finalizeBlock>[0]) => ({
      ...(await kvstore.finalizeBlock(request)),
      appHash: root,
    }),
    query: async (request: Parameters<typeof kvstore.query>[0]) => {
      const { height: latest, ...response } = await kvstore.query(request)
      const height = request.height || latest || 0
      return { ...response, height, key: utf8ToBytes(KEY), value: utf8ToBytes(VALUE), proofOps: { ops: [...ops] } }
    },
  }
  const address = `unix://${join(temporaryFolder(), 'app.sock')}`
  const server = createAbciServer({ address, kind: 'socket' }, { app })
  await server.start()
  onTestFinished(() => server.stop())
  return address
}
