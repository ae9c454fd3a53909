import { SOFTWARE_VERSION } from '@org/types'
import { type Kind, quote } from '../kinds.ts'

const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/

/**
 * Describes the values of the key `version`. The value is the version of the program that wrote the file. In files of
 * old versions, the value is empty.
 */
export const version: Kind<string> = {
  allowed: `a version such as "${SOFTWARE_VERSION}"`,
  decode: (raw) => (typeof raw === 'string' && (raw === '' || SEMVER.test(raw)) ? raw : undefined),
  toToml: quote,
}
