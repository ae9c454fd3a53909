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

/** The options of {@link connectApplications}. */
export interface RemoteApplicationsOptions extends Omit<RemoteApplicationOptions, 'address'> {
  /** One address for each validator. Further addresses are for validators that are added later. */
  readonly addresses: readonly string[]
}

/** Connects to applications in other processes. Waits until all of them answer, or until the signal aborts. */
export async function connectApplications(
  { addresses, ...options }: RemoteApplicationsOptions,
  modules: Omit<RemoteApplicationModules, 'onReturn'>,
  signal?: AbortSignal,
): Promise<Applications> {
  signal?.throwIfAborted()
  const returned = createListeners()
  const remotes = addresses.map(
    (address): RemoteApplication =>
      createRemoteApplication({ ...options, address }, { ...modules, onReturn: () => returned.call() }),
  )
  let last: readonly (RememberedState | undefined)[] = []
  function applicationOf(validator: number): RemoteApplication {
    const remote = remotes[validator]
    if (remote !== undefined) return remote
    const message = `the validator with the number ${validator + 1} has no application. The number of addresses of applications at the start of the devnet was ${remotes.length}: give one address for each validator, also for those that are added later`
    throw new DevnetError(DEVNET_ERRORS.tooFewApps, message)
  }
  const close = async (): Promise<void> => {
    await Promise.all(remotes.map((remote) => remote.close()))
  }
  const onAbort = (): void => void close()
  signal?.addEventListener('abort', onAbort, { once: true })
  for (const remote of remotes) await remote.connect()
  signal?.removeEventListener('abort', onAbort)
  return {
    isRemote: true,
    make: (validator) => applicationOf(validator).application,
    join: async (validator, canBeginFrom) => {
      const height = await applicationOf(validator).height()
      if (height !== undefined && canBeginFrom(height)) return
      const state = height === undefined ? 'does not answer' : `has height ${height}`
      const message = `the application at ${addresses[validator]}, which is for the new validator, ${state}, so it cannot execute the blocks of this chain from the beginning: start it with no data`
      throw new DevnetError(DEVNET_ERRORS.appCannotJoin, message)
    },
    remember: async (validators, appHashOf) => {
      last = await Promise.all(
        remotes.slice(0, validators).map((remote, i) =>
          remote.remember(appHashOf, last[i]).catch((err: unknown) => {
            modules.logger.warn('The snapshots of the application cannot be read', { err })
            return undefined
          }),
        ),
      )
      // If one of the applications has no snapshot, the result is an empty list.
      return last.every((each) => each !== undefined) ? (last as readonly RememberedState[]) : []
    },
    wayTo: async (target) => {
      const used = remotes.slice(0, target.validators)
      const ways = await Promise.all(used.map((remote, i) => remote.wayTo(target, target.remembered[i])))
      return async () => {
        for (const go of ways) await go()
      }
    },
    onReturn: returned.add,
    close,
  }
}
