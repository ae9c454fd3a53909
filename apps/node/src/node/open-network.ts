import { createNetwork, type Network } from '@org/engine/network'
import type { Engine } from '@org/engine/node'
import {
  type AddressBook,
  createAddressBook,
  loadAddressBook,
  parseNetAddress,
  saveAddressBook,
  TRANSPORT_ERRORS,
  tcpNetwork,
} from '@org/p2p'
import { type Clock, isCodedError, type Logger, type Random } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'
import { type Config, pathsOf } from '../config/index.ts'
import { networkOptions, privateIds } from './network-options.ts'

export interface NetworkParts {
  readonly engine: Engine
  readonly nodeKey: PrivateKey
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** What a node is told to be known as is never dialled. */
async function noteOwnAddresses(book: AddressBook, { p2p }: Config, nodeId: string): Promise<void> {
  for (const address of [p2p.externalAddress, p2p.laddr]) {
    if (address === '') continue
    const parsed = await parseNetAddress(`${nodeId}@${address.replace(/^[a-z]+:\/\//, '')}`).catch(() => undefined)
    if (parsed !== undefined) book.addOwn(parsed)
  }
}

/** Calls that overlap run one after the other: they write the same file. */
function oneByOne(save: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.catch(() => undefined).then(save)
    return last
  }
}

export interface OpenedNetwork extends Network {
  readonly book: AddressBook
}

/** The peers of a node, not started. Throws a `CliError` or an `AddressBookError` for what the home has that is none. */
export async function openNetwork(config: Config, parts: NetworkParts): Promise<OpenedNetwork> {
  const { engine, nodeKey, clock, random, logger } = parts
  const file = pathsOf(config).addressBook
  const options = await networkOptions(config, { nodeKey, logger: logger.child('p2p') })
  const contents = await loadAddressBook(file)
  const book = createAddressBook(
    { strict: config.p2p.addrBookStrict, privateIds: privateIds(config) },
    random,
    contents,
  )
  const network = createNetwork(options, {
    engine,
    streams: tcpNetwork,
    book,
    saveBook: oneByOne(() => saveAddressBook(file, book.contents())),
    clock,
    random,
    logger,
  })
  await noteOwnAddresses(book, config, network.nodeInfo().defaultNodeId)
  return {
    ...network,
    book,
    start: () => network.start().catch((error: unknown) => Promise.reject(explained(error, config))),
  }
}

/** Of an address that is taken, the error says what can be done. */
function explained(error: unknown, { p2p }: Config): unknown {
  if (!isCodedError(error, TRANSPORT_ERRORS.listen)) return error
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') return error
  return new CliError(
    CLI_ERRORS.addressInUse,
    `another program listens on ${p2p.laddr}: stop it (is a node running already?), or choose another address, such as --p2p.laddr=tcp://0.0.0.0:26666`,
    { data: { address: p2p.laddr }, cause: error },
  )
}
