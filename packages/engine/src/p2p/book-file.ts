import { AddressBookError, addressBookText, BOOK_ERRORS, type BookContents, parseAddressBook } from '@org/p2p'
import { createLane } from '@org/runtime'
import { fileErrorMessage } from '@org/runtime/errors'
import { bytesToUtf8 } from '@org/types/bytes'
import { type Files, NODE_FILES, writeFileAtomic } from '../files/index.ts'

/** The permissions of the file: all users may read it, as in the reference. */
const PERMISSIONS = 0o644

/** The file of an address book. */
export interface BookFile {
  /** Loads the saved book; `undefined` if nothing was saved. Throws `ADDRESS_BOOK_FILE`. */
  readonly load: () => Promise<BookContents | undefined>
  /**
   * Saves the book. After a crash the file has the old or the new content. Overlapping calls run one after the other.
   * Throws `ADDRESS_BOOK_FILE`.
   */
  readonly save: (contents: () => BookContents) => Promise<void>
}

export function createBookFile(path: string, files: Files = NODE_FILES): BookFile {
  const lane = createLane()

  async function load(): Promise<BookContents | undefined> {
    try {
      if (files.size(path) === undefined) return undefined
      return parseAddressBook(bytesToUtf8(await files.load(path)))
    } catch (cause) {
      throw fileError(path, cause)
    }
  }

  return {
    load,
    save: (contents) =>
      lane(async () => {
        try {
          await writeFileAtomic(path, addressBookText(contents()), { files, permissions: PERMISSIONS })
        } catch (cause) {
          throw fileError(path, cause)
        }
      }),
  }
}

function fileError(file: string, cause: unknown): AddressBookError {
  return new AddressBookError(BOOK_ERRORS.file, `address book ${file}: ${fileErrorMessage(cause)}`, {
    data: { file },
    cause,
  })
}
