import { createListeners } from '@org/runtime'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'
import type { Applications } from './applications.ts'
import type { RememberedState } from './remembered-state.ts'
import {
  createRemoteApplication,
  type RemoteApplication,
  type RemoteApplicationModules,
  type RemoteApplicationOptions,
} from './remote-application.ts'

export interface RemoteApplicationsOptions extends Omit<RemoteApplicationOptions, 'address'> {
  /** One address for each validator. */
  readonly addresses: readonly string[]
}

/** Connects to applications in other processes. Waits until all of them answer, or until the signal aborts. */
export async function connectApplications(
  { addresses, ...options }: RemoteApplicationsOptions,
  modules: Omit<RemoteApplicationModules, 'onReturn'>,
  signal?: AbortSignal,
): Promise<Applications> {
  const returned = createListeners()
  const remotes = addresses.map(
    (address): RemoteApplication =>
      createRemoteApplication({ ...options, address }, { ...modules, onReturn: () => returned.call() }),
  )
  let last: readonly (RememberedState | undefined)[] = []
  const close = async (): Promise<void> => {
    await Promise.all(remotes.map((remote) => remote.close()))
  }
  const onAbort = (): void => void close()
  signal?.addEventListener('abort', onAbort, { once: true })
  for (const remote of remotes) await remote.connect()
  signal?.removeEventListener('abort', onAbort)
  return {
    isRemote: true,
    make: (validator) => {
      const remote = remotes[validator]
      if (remote !== undefined) return remote.application
      const message = `validator ${validator} has no application: give one address for each of the validators`
      throw new DevnetError(DEVNET_ERRORS.tooFewApps, message)
    },
    remember: async (appHashOf) => {
      last = await Promise.all(
        remotes.map((remote, i) =>
          remote.remember(appHashOf, last[i]).catch((err: unknown) => {
            modules.logger.warn('The snapshots of the application cannot be read', { err })
            return undefined
          }),
        ),
      )
      // Either all applications have a snapshot, or the list is empty.
      return last.every((each) => each !== undefined) ? (last as readonly RememberedState[]) : []
    },
    wayTo: async (target) => {
      const ways = await Promise.all(remotes.map((remote, i) => remote.wayTo(target, target.remembered[i])))
      return async () => {
        for (const go of ways) await go()
      }
    },
    onReturn: (listener) => {
      returned.add(listener)
    },
    close,
  }
}
