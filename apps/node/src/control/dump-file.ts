import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@org/runtime'
import { type DevnetOrigin, MAX_DUMP_BYTES, readDump } from '@org/simnet/devnet'
import { CONTROL_ERRORS, ControlError } from './errors.ts'

/** The maximum number of bytes of the header of a dump. */
const HEADER_ROOM = 4096
/** The permissions of the file: only its owner may read it, because a dump contains the keys of the validators. */
const MODE = 0o600

/**
 * The codes of errors that say that a file cannot be replaced, although the file itself may be writable: this process
 * may not change the folder, the file is a mount point (as in a container), or the name of the temporary file would be
 * too long.
 */
const IRREPLACEABLE: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'ENAMETOOLONG', 'EPERM', 'EROFS'])

/** Reads a chain from a file that `--dump` wrote. Rejects with `DEVNET_DUMP_FILE` or another `DEVNET_DUMP_…`. */
export async function loadDumpFile(given: string, folder: string): Promise<DevnetOrigin> {
  const file = resolve(folder, given)
  const fault = (why: string, cause?: unknown): ControlError =>
    new ControlError(CONTROL_ERRORS.dumpFile, `--load: ${file} cannot be read: ${why}`, { cause })
  const bytes = ((): Uint8Array | undefined => {
    try {
      return statSync(file).size > MAX_DUMP_BYTES + HEADER_ROOM ? undefined : readFileSync(file)
    } catch (cause) {
      throw fault(messageOf(cause), cause)
    }
  })()
  if (bytes === undefined) throw fault(`it is larger than ${MAX_DUMP_BYTES >> 20} MiB, so it is not a dump`)
  return readDump(bytes)
}

/**
 * Replaces a file, or makes it. The bytes are first written under a temporary name. So if the disk is full, the old
 * file stays. The permissions of the old file may let other users read the dump, so the new file always gets the
 * permissions `MODE`.
 */
function replaceFile(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.unfinished-dump`
  rmSync(temporary, { force: true })
  try {
    writeFileSync(temporary, bytes, { mode: MODE, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Replaces a file. If a replacement is not possible, writes into the file itself. */
function writeFile(file: string, bytes: Uint8Array): void {
  try {
    replaceFile(file, bytes)
  } catch (error) {
    if (!IRREPLACEABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    writeFileSync(file, bytes, { mode: MODE })
  }
}

/** Writes a dump to a file. Throws `DEVNET_DUMP_FILE` if the file cannot be written. */
export function saveDumpFile(given: string, folder: string, dump: Uint8Array): void {
  const file = resolve(folder, given)
  try {
    const before = statSync(file, { throwIfNoEntry: false })
    // A device or a pipe, such as /dev/stdout, must not be replaced by a file.
    if (before !== undefined && !before.isFile()) writeFileSync(file, dump)
    else writeFile(before === undefined ? file : realpathSync(file), dump)
  } catch (cause) {
    throw new ControlError(CONTROL_ERRORS.dumpFile, `--dump: ${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
}
