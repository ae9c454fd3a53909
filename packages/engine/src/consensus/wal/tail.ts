import { dirname } from 'node:path'
import type { Logger } from '@org/runtime'
import { TimedWalMessage } from '@org/types/consensus'
import { SchemaError } from '@org/types/schema'
import type { Files } from '../../files/index.ts'
import { WAL_ERRORS, WalError } from './errors.ts'
import { indexedPath, listGroup } from './group.ts'
import { type Damage, type Scan, scanFile } from './scan.ts'
import type { WalTail } from './wal.ts'

interface ScannedFile {
  readonly path: string
  readonly scan: Scan
}

export interface TailModules {
  readonly files: Files
  readonly logger: Logger
}

/**
 * The messages behind the last end-height mark. A torn last frame is cut off, with the file as it was kept as
 * `.CORRUPTED`; so is everything from a block on that a loss of power kept from the disk: that block was never forced there, and so
 * nothing behind it was shown to anyone. Throws `WAL_CORRUPTED` if something else that is unreadable stands between messages
 * that would be replayed.
 */
export async function readTail(head: string, modules: TailModules): Promise<WalTail> {
  const files = await scanBackToMark(head, modules.files)
  const first = files.findIndex(({ scan }) => scan.mark !== undefined)
  const mark = files[first]?.scan.mark
  const messages: TimedWalMessage[] = []
  const tail = { endHeight: mark?.height, messages }
  for (const file of files.slice(Math.max(0, first))) {
    const { path, scan } = file
    const from = scan.mark === undefined ? -1 : scan.mark.frame
    const since = scan.mark?.offset ?? -1
    const damage = scan.damages.find(({ offset }) => offset > since)
    for (const { offset, data } of scan.frames.slice(from + 1)) {
      if (damage === undefined || offset < damage.offset) messages.push(decode(path, offset, data))
    }
    if (damage === undefined) continue
    // Before a file becomes an older one, all of it is on disk.
    if (file !== files.at(-1) || !damage.isLostBlock) throw damaged(path, damage)
    await cutOff(path, damage, { ...modules, what: 'a block that never reached the disk' })
    return tail
  }
  await repairHead(files, modules)
  return tail
}

/** The head, and older files in front of it until one has a mark. Oldest first. */
async function scanBackToMark(head: string, disk: Files): Promise<ScannedFile[]> {
  const older = listGroup(head, disk).indexes.map((index) => indexedPath(head, index))
  // After a rotation and before the first message there is no head.
  const isThere = disk.size(head) !== undefined
  const files = isThere ? [{ path: head, scan: withoutZeroMark(scanFile(await disk.load(head)), older) }] : []
  for (let path = older.pop(); path !== undefined && files[0]?.scan.mark === undefined; path = older.pop()) {
    const scan = withoutZeroMark(scanFile(await disk.load(path)), older)
    files.unshift({ path, scan: { ...scan, damages: [...scan.damages, ...tornInside(scan)] } })
  }
  return files
}

/** The reference begins every empty head with a mark of height 0; only that of the first file means something. */
function withoutZeroMark(scan: Scan, older: readonly string[]): Scan {
  return scan.mark?.height === 0 && older.length > 0 ? { ...scan, mark: undefined } : scan
}

/** A torn end of an older file has readable messages behind it: those of the next file. */
function tornInside({ torn }: Scan): readonly Damage[] {
  return torn === undefined ? [] : [{ ...torn, resume: torn.offset, isLostBlock: false }]
}

async function repairHead(files: readonly ScannedFile[], modules: TailModules): Promise<void> {
  const head = files.at(-1)
  // An older file's torn end was counted as damage: only the head's can be cut.
  if (head?.scan.torn === undefined || head.scan.damages.some(({ resume }) => resume === head.scan.torn?.offset)) return
  await cutOff(head.path, head.scan.torn, { ...modules, what: 'a torn message' })
}

async function cutOff(
  path: string,
  { offset, reason }: Pick<Damage, 'offset' | 'reason'>,
  { files: disk, logger, what }: TailModules & { readonly what: string },
): Promise<void> {
  const kept = `${path}.CORRUPTED`
  await disk.copy(path, kept)
  await disk.truncate(path, offset)
  await disk.syncDirectory(dirname(path))
  logger.warn(`the WAL is cut off at ${what}; the file as it was is kept`, { path, offset, reason, kept })
}

function damaged(path: string, { offset, reason, resume }: Damage): WalError {
  const repair = `cp '${path}' '${path}.CORRUPTED' && truncate --size=${offset} '${path}'`
  const message =
    `the WAL is damaged at byte ${offset} of ${path} (${reason}), with readable messages of the current height from ` +
    `byte ${resume} on. They may hold votes that this node has sent. If you know that losing them is safe, run: ${repair}`
  return new WalError(WAL_ERRORS.corrupted, message, { data: { path, offset, reason, resume, repair } })
}

function decode(path: string, offset: number, data: Uint8Array): TimedWalMessage {
  try {
    const message = TimedWalMessage.decode(data)
    if (message.msg?.sum !== undefined) return message
    throw new WalError(WAL_ERRORS.corrupted, `byte ${offset} of ${path} holds no known message`, {
      data: { path, offset },
    })
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause
    const message = `the message at byte ${offset} of ${path} does not decode: ${cause.message}`
    throw new WalError(WAL_ERRORS.corrupted, message, { data: { path, offset }, cause })
  }
}
