import { parseAddress } from '@org/abci'
import { type ByteTransport, ephemeralKeys, listenTcp, listenUnix, nodeIdOf, secure } from '@org/p2p'
import { type Clock, isCodedError, type Logger, messageOf, type Random } from '@org/runtime'
import type { PrivateKey, PublicKey } from '@org/types/crypto'
import { PRIVVAL_ERRORS, PrivvalError } from '../errors.ts'
import { createSignerHandshakes } from './handshakes.ts'
import { DEFAULT_REMOTE_SIGNER_OPTIONS, MAX_SIGNER_HANDSHAKES } from './options.ts'

/** The address at which the node waits for a remote signer, and the id of this signer. */
export interface ListenOptions {
  /**
   * The address at which the node waits for signers: `tcp://host:port` with secret connections, or `unix://path`
   * without them.
   */
  readonly address: string
  /**
   * 40 hex digits: the id of the signer's key, which the secret connection authenticates. Over TCP no signer with
   * another key is accepted.
   */
  readonly signerId?: string
}

/** The node key, and the function that receives the connections of signers. */
export interface ListenModules {
  /** The key that identifies this node to signers over TCP. */
  readonly nodeKey: PrivateKey
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Receives each connection from a signer. */
  readonly offer: (transport: ByteTransport) => void
}

/** A listener to which remote signers connect. */
export interface SignerListener {
  /**
   * Stops listening. Resolves when all connections have ended. So the caller must first close the signer link, because
   * this ends the signer's connections.
   */
  readonly close: () => Promise<void>
}

/** Throws `PRIVVAL_SIGNER_UNKNOWN` if the id of the key is not `signerId`. */
function checkSignerId(key: PublicKey, signerId: string | undefined): void {
  const id = nodeIdOf(key)
  if (signerId === undefined || id === signerId.toLowerCase()) return
  const message =
    `its ID is ${id}, but priv_validator_signer_id names ${signerId}: ` +
    'if this is your signer, set its ID in priv_validator_signer_id; if not, block access to this address'
  throw new PrivvalError(PRIVVAL_ERRORS.signerUnknown, message, { data: { id, signerId } })
}

/** Listens for signers. Throws `PRIVVAL_LISTEN`; its `cause` is the system's error, if there is one. */
export async function listenForSigners(
  { address, signerId }: ListenOptions,
  modules: ListenModules,
): Promise<SignerListener> {
  const { nodeKey, clock, random, logger, offer } = modules
  const { answerTimeoutMs: timeoutMs } = DEFAULT_REMOTE_SIGNER_OPTIONS
  const handshakes = createSignerHandshakes(MAX_SIGNER_HANDSHAKES)

  async function shakeHands(transport: ByteTransport): Promise<void> {
    try {
      handshakes.begin(transport)
      const ephemeral = ephemeralKeys(random.bytes(32))
      const connection = await secure(transport, { privateKey: nodeKey, ephemeral, timeoutMs }, clock)
      checkSignerId(connection.remoteKey, signerId)
      offer(connection)
    } catch (error) {
      const { remoteAddress } = transport
      transport.close()
      const code = isCodedError(error) ? error.code : undefined
      logger.error('Refused a remote signer', { address: remoteAddress, code, err: messageOf(error) })
    } finally {
      handshakes.end(transport)
    }
  }

  try {
    const where = parseAddress(address)
    const listener =
      where.kind === 'unix'
        ? await listenUnix(where.path, offer)
        : await listenTcp(where, (transport) => void shakeHands(transport))
    logger.info('Listening for a remote signer', { address })
    return {
      close: () => {
        handshakes.closeAll()
        return listener.close()
      },
    }
  } catch (error) {
    const message = `cannot listen for a remote signer on ${address}: ${(error as Error).message}`
    throw new PrivvalError(PRIVVAL_ERRORS.listen, message, { data: { address }, cause: (error as Error).cause })
  }
}
