import type { Clock, Logger } from '@org/runtime'
import type { LightBlock } from '../block/light-block.ts'
import type { LightError } from '../errors.ts'
import type { LightStore } from '../store/port.ts'
import type { VerificationRules } from '../verifier/rules.ts'
import type { LightProgress, Settings } from './options.ts'
import type { Providers } from './providers.ts'

/** The settings, the state and the services, such as the store and the clock, that the parts of a client share. */
export interface Context {
  readonly settings: Settings
  readonly providers: Providers
  readonly store: LightStore
  readonly clock: Clock
  readonly logger: Logger
  /** Returns the conditions of a verification, with the present time as `now`. */
  readonly rules: () => VerificationRules
  readonly report: (progress: LightProgress) => void
  /** Saves a verified block, and prunes the store. */
  readonly save: (block: LightBlock) => Promise<void>
  /** The attack that a call detected. The client then verifies no further block, so evidence is sent only once. */
  attack?: LightError
}
