import { type AddressBook, type AddressBookOptions, createAddressBook, type NetAddress } from '@org/p2p'
import type { Random } from '@org/runtime'
import type { Files } from '../files/index.ts'
import { createBookFile } from './book-file.ts'
import { createNetwork, type Network, type NetworkModules } from './create-network.ts'
import type { NetworkOptions } from './options.ts'

export interface OpenNetworkOptions extends NetworkOptions {
  readonly book: AddressBookOptions & {
    /** Where it is kept; `undefined`: nowhere. */
    readonly file: string | undefined
    /** What this node is told to be known as: never dialled. */
    readonly own: readonly NetAddress[]
  }
}

export interface OpenNetworkModules extends Omit<NetworkModules, 'book' | 'saveBook'> {
  /** Where addresses fall in the book. Default: `random`. */
  readonly bookRandom?: Random
  /** Default: this machine's. */
  readonly files?: Files
}

export interface OpenedNetwork extends Network {
  readonly book: AddressBook
}

/** The peers of a node with the addresses that it kept, not started. Throws `ADDRESS_BOOK_FILE`. */
export async function openNetwork(options: OpenNetworkOptions, modules: OpenNetworkModules): Promise<OpenedNetwork> {
  const { book: bookOptions, ...networkOptions } = options
  const { bookRandom = modules.random, files, ...networkModules } = modules
  const file = bookOptions.file === undefined ? undefined : createBookFile(bookOptions.file, files)
  const book = createAddressBook(bookOptions, bookRandom, await file?.load())
  for (const address of bookOptions.own) book.addOwn(address)
  const saveBook = (): Promise<void> => file?.save(book.contents) ?? Promise.resolve()
  return { ...createNetwork(networkOptions, { ...networkModules, book, saveBook }), book }
}
