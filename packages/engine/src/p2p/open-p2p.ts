import { type AddressBook, type AddressBookOptions, createAddressBook, type NetAddress } from '@org/p2p'
import type { Random } from '@org/runtime'
import type { Files } from '../files/index.ts'
import { createBookFile } from './book-file.ts'
import { createP2p, type P2p, type P2pModules } from './create-p2p.ts'
import type { P2pOptions } from './options.ts'

/** The settings of the P2P layer and of its address book. */
export interface OpenP2pOptions extends P2pOptions {
  readonly book: AddressBookOptions & {
    /** The path of the file of the address book; `undefined` stores no file. */
    readonly file: string | undefined
    /** The addresses of this node, which it never dials. */
    readonly own: readonly NetAddress[]
  }
}

/** The parts of the node that the P2P layer uses. The address book is not among them: {@link openP2p} opens it. */
export interface OpenP2pModules extends Omit<P2pModules, 'book' | 'saveBook'> {
  /** Chooses the buckets of addresses. Default: `random`. */
  readonly bookRandom?: Random
  /** The file operations. Default: those of this machine. */
  readonly files?: Files
}

/** The P2P layer with the address book that was opened for it. */
export interface OpenedP2p extends P2p {
  readonly book: AddressBook
}

/** Creates the P2P layer of a node with the saved address book, but does not start it. Throws `ADDRESS_BOOK_FILE`. */
export async function openP2p(options: OpenP2pOptions, modules: OpenP2pModules): Promise<OpenedP2p> {
  const { book: bookOptions, ...p2pOptions } = options
  const { bookRandom = modules.random, files, ...p2pModules } = modules
  const file = bookOptions.file === undefined ? undefined : createBookFile(bookOptions.file, files)
  const book = createAddressBook(bookOptions, bookRandom, await file?.load())
  for (const address of bookOptions.own) book.addOwn(address)
  const saveBook = (): Promise<void> => file?.save(book.contents) ?? Promise.resolve()
  return { ...createP2p(p2pOptions, { ...p2pModules, book, saveBook }), book }
}
