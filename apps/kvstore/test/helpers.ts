import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { METHOD_NAMES } from '@org/abci'
import { RequestFinalizeBlock, type ResponseFinalizeBlock } from '@org/types/abci'
import { expect } from 'vitest'
import type { KvStore } from '../src/index.ts'

export const text = (value: string): Uint8Array => new TextEncoder().encode(value)

export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'halley-kvstore-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Executes and commits a block; returns the response of FinalizeBlock. */
export async function commitBlock(
  app: KvStore,
  height: number,
  txs: readonly (string | Uint8Array)[],
): Promise<Partial<ResponseFinalizeBlock>> {
  const bytes = txs.map((tx) => (typeof tx === 'string' ? text(tx) : tx))
  const response = await app.finalizeBlock(RequestFinalizeBlock.create({ height, txs: bytes }))
  await app.commit({})
  return response
}

export async function storedUnder(app: KvStore, key: string | Uint8Array): Promise<string | undefined> {
  const data = typeof key === 'string' ? text(key) : key
  const { log, value = new Uint8Array(0) } = await app.query({ data, path: '/store', height: 0, prove: false })
  return log === 'exists' ? new TextDecoder().decode(value) : undefined
}

/** Returns the application with wrapped methods: the test fails if a method changes its request. */
export function expectUnchangedRequests(app: KvStore): KvStore {
  const checked: Record<string, unknown> = { ...app }
  for (const name of METHOD_NAMES) {
    const method = app[name] as ((request: object) => unknown) | undefined
    if (method === undefined) continue
    checked[name] = async (request: object) => {
      const before = structuredClone(request)
      const answer = await method.call(app, request)
      expect(request, `the request of ${name}`).toEqual(before)
      return answer
    }
  }
  return checked as unknown as KvStore
}
