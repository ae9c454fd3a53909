import type { Page } from 'playwright-core'
import { heightOf, type LightBlock, LightError, type LightErrorCode, type LightStore } from '../src/index.ts'
import { decodeStored, encodeStored } from '../src/store/stored-block.ts'
import type * as entry from './page-entry.ts'

/** Calls a function that a test page in a browser exports. The page has loaded the compiled module `page-entry.ts`. */
export function callPage<Name extends keyof typeof entry>(
  page: Page,
  name: Name,
  ...args: Parameters<(typeof entry)[Name]>
): Promise<Awaited<ReturnType<(typeof entry)[Name]>>> {
  return page.evaluate(
    ([called, given]) => {
      const { bundle } = globalThis as unknown as {
        readonly bundle: Readonly<Record<string, (...all: unknown[]) => unknown>>
      }
      return bundle[called as string]?.(...(given as unknown[]))
    },
    [name, args] as const,
  ) as Promise<Awaited<ReturnType<(typeof entry)[Name]>>>
}

/** Makes a store in this process whose methods run in a page. */
export async function openStoreInPage(
  page: Page,
  options: { readonly chainId: string; readonly name: string },
): Promise<LightStore> {
  const store = await callPage(page, 'open', options)
  async function ask(method: entry.Method, argument: entry.Wire = null): Promise<entry.Wire> {
    const outcome = await callPage(page, 'call', store, method, argument)
    if ('value' in outcome) return outcome.value
    const { code, data } = outcome.failure
    throw new LightError(code as LightErrorCode, `in the page: ${code}`, { data: { ...data } })
  }
  const numberOf = async (method: entry.Method): Promise<number | undefined> =>
    ((await ask(method)) as number | null) ?? undefined
  const blockOf = async (method: entry.Method, height: number): Promise<LightBlock | undefined> => {
    const found = await ask(method, height)
    if (found === null || typeof found === 'number') return undefined
    return decodeStored(found.height, Uint8Array.from(found.bytes), (reason) => new Error(reason))
  }
  return {
    save: async (block) => void (await ask('save', { height: heightOf(block), bytes: [...encodeStored(block)] })),
    remove: async (height) => void (await ask('remove', height)),
    at: (height) => blockOf('at', height),
    before: (height) => blockOf('before', height),
    after: (height) => blockOf('after', height),
    firstHeight: () => numberOf('firstHeight'),
    lastHeight: () => numberOf('lastHeight'),
    prune: async (size) => void (await ask('prune', size)),
    size: async () => (await numberOf('size')) ?? 0,
    close: async () => void (await ask('close')),
  }
}
