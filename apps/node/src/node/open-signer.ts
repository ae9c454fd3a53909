import { statSync } from 'node:fs'
import { loadOrGenerateFilePrivval, type PrivValidator } from '@org/engine/privval'
import type { ListenOptions } from '@org/engine/privval/remote'
import type { Clock, Logger, Random } from '@org/runtime'
import { isCodedError } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import { CLI_ERRORS, CliError } from '../errors.ts'
import type { OpenedHome } from '../home/open-home.ts'

export interface SignerParts {
  readonly nodeKey: PrivateKey
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

export interface OpenedSigner {
  /** Waits for the signer until `signal` aborts. */
  readonly connect: (chainId: string, signal: AbortSignal) => Promise<PrivValidator>
  readonly close: () => Promise<void>
}

/**
 * Opens the signer of this node: the key file of the home, or the remote signer that dials in at the configured
 * address. With a remote signer, the key file is neither read nor made, because a key in two places could sign two
 * different blocks.
 */
export function openSigner({ config, paths }: OpenedHome, parts: SignerParts): Promise<OpenedSigner> {
  const { privValidatorLaddr: address, privValidatorSignerId: signerId } = config.base
  if (address !== '') return openRemoteSigner({ address, ...(signerId === '' ? {} : { signerId }) }, parts)
  return openFileSigner({ keyFile: paths.privValidatorKey, stateFile: paths.privValidatorState }, parts)
}

async function openFileSigner(
  files: Parameters<typeof loadOrGenerateFilePrivval>[0],
  { logger }: Pick<SignerParts, 'logger'>,
): Promise<OpenedSigner> {
  const privval = await loadOrGenerateFilePrivval(files)
  warnOfReadableKey(files.keyFile, logger)
  return { connect: () => Promise.resolve(privval), close: () => Promise.resolve() }
}

/**
 * Warns if other users can read the key, because they could sign as this validator. On Windows, files have no such
 * permissions.
 */
function warnOfReadableKey(file: string, logger: Logger): void {
  const mode = statSync(file).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  const permissions = mode.toString(8).padStart(4, '0')
  logger.warn('Other users have access to the file of the validator key', {
    file,
    permissions,
    hint: `chmod 600 ${file}`,
  })
}

async function openRemoteSigner(where: ListenOptions, { logger: base, ...parts }: SignerParts): Promise<OpenedSigner> {
  const { createRemoteSigner, createSignerLink, DEFAULT_REMOTE_SIGNER_OPTIONS, listenForSigners } = await import(
    '@org/engine/privval/remote'
  )
  const logger = base.child('privval')
  const options = DEFAULT_REMOTE_SIGNER_OPTIONS
  const { clock } = parts
  const link = createSignerLink(options, { clock, logger })
  const listener = await listenForSigners(where, { ...parts, logger, offer: link.offer }).catch((error: unknown) =>
    Promise.reject(explained(error, where.address)),
  )
  return {
    connect: async (chainId, signal) => {
      // A stop of the node closes the link to the signer. This also ends a wait for the signer.
      signal.addEventListener('abort', link.close, { once: true })
      const privval = await createRemoteSigner({ ...options, chainId }, { link, clock, logger })
      signal.removeEventListener('abort', link.close)
      return privval
    },
    close: () => {
      link.close()
      return listener.close()
    },
  }
}

/** Adds advice to the error for an address in use. */
function explained(error: unknown, address: string): unknown {
  if (!isCodedError(error) || (error.cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') return error
  return new CliError(
    CLI_ERRORS.addressInUse,
    `another program listens on ${address}: stop it (is a node running already?), or choose another address, such as --priv_validator_laddr=tcp://127.0.0.1:26669`,
    { data: { address }, cause: error },
  )
}
