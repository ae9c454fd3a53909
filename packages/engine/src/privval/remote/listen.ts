import { parseAddress } from '@org/abci'
import { type ByteTransport, ephemeralKeys, listenTcp, listenUnix, secure } from '@org/p2p'
import type { Clock, Logger, Random } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import { PRIVVAL_ERRORS, PrivvalError } from '../errors.ts'
import { DEFAULT_REMOTE_SIGNER_OPTIONS, MAX_SIGNER_HANDSHAKES } from './options.ts'

export interface ListenModules {
  /** Names this node to signers that dial over TCP, so that they can know whom they talk to. */
  readonly nodeKey: PrivateKey
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Takes each connection that a signer made. */
  readonly offer: (transport: ByteTransport) => void
}

export interface SignerListener {
  /** Resolves when all connections have ended: the link is to be closed first. */
  readonly close: () => Promise<void>
}

/**
 * Listens for signers at `tcp://host:port`, where they come over a secret connection, or at `unix://path`, where they come as they
 * are. Throws `PRIVVAL_LISTEN`; its `cause` is the system's error, if it is one.
 */
export async function listenForSigners(address: string, modules: ListenModules): Promise<SignerListener> {
  const { nodeKey, clock, random, logger, offer } = modules
  const { answerTimeoutMs: timeoutMs } = DEFAULT_REMOTE_SIGNER_OPTIONS
  const shaking = new Set<ByteTransport>()

  async function shakeHands(transport: ByteTransport): Promise<void> {
    if (shaking.size >= MAX_SIGNER_HANDSHAKES) {
      transport.close()
      return
    }
    shaking.add(transport)
    try {
      const ephemeral = ephemeralKeys(random.bytes(32))
      offer(await secure(transport, { privateKey: nodeKey, ephemeral, timeoutMs }, clock))
    } catch (error) {
      const { remoteAddress } = transport
      logger.error('A remote signer was not let in', { address: remoteAddress, err: (error as Error).message })
    } finally {
      shaking.delete(transport)
    }
  }

  try {
    const where = parseAddress(address)
    const listener =
      where.kind === 'unix'
        ? await listenUnix(where.path, offer)
        : await listenTcp(where, (transport) => void shakeHands(transport))
    logger.info('Listens for a remote signer', { address })
    return {
      close: () => {
        for (const transport of shaking) transport.close()
        return listener.close()
      },
    }
  } catch (error) {
    const message = `cannot listen for a remote signer on ${address}: ${(error as Error).message}`
    throw new PrivvalError(PRIVVAL_ERRORS.listen, message, { data: { address }, cause: (error as Error).cause })
  }
}
