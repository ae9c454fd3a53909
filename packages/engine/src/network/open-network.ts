import { type AddressBook, type AddressBookOptions, createAddressBook, type NetAddress } from '@org/p2p'
import type { Random } from '@org/runtime'
import type { Files } from '../files/index.ts'
import { createBookFile } from './book-file.ts'
import { createNetwork, type Network, type NetworkModules } from './create-network.ts'
import type { NetworkOptions } from './options.ts'

export interface OpenNetworkOptions extends NetworkOptions {
  readonly book: AddressBookOptions & {
    /** The path of the file; `undefined` stores no file. */
    readonly file: string | undefined
    /** The addresses of this node, which it never dials. */
    readonly own: readonly NetAddress[]
  }
}

export interface OpenNetworkModules extends Omit<NetworkModules, 'book' | 'saveBook'> {
  /** Chooses the buckets of addresses. Default: `random`. */
  readonly bookRandom?: Random
  /** Default: the network of this machine. */
  readonly files?: Files
}

export interface OpenedNetwork extends Network {
  readonly book: AddressBook
}

/** Opens the peers of a node with its saved addresses, not started. Throws `ADDRESS_BOOK_FILE`. */
export async function openNetwork(options: OpenNetworkOptions, modules: OpenNetworkModules): Promise<OpenedNetwork> {
  const { book: bookOptions, ...networkOptions } = options
  const { bookRandom = modules.random, files, ...networkModules } = modules
  const file = bookOptions.file === undefined ? undefined : createBookFile(bookOptions.file, files)
  const book = createAddressBook(bookOptions, bookRandom, await file?.load())
  for (const address of bookOptions.own) book.addOwn(address)
  const saveBook = (): Promise<void> => file?.save(book.contents) ?? Promise.resolve()
  return { ...createNetwork(networkOptions, { ...networkModules, book, saveBook }), book }
}
