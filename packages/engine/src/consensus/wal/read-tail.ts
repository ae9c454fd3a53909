import { dirname } from 'node:path'
import type { Logger } from '@org/runtime'
import { TimedWalMessage } from '@org/types/messages'
import { SchemaError } from '@org/types/schema'
import type { Files } from '../../files/index.ts'
import { WAL_ERRORS, WalError } from './errors.ts'
import { indexedPath, listGroup } from './file-group.ts'
import { type Damage, type Scan, scanFile } from './scan-file.ts'
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
 * Returns the messages after the last end-height mark. Repairs two kinds of damage that a crash can leave in the newest
 * file. The last frame may be incomplete. After a power failure, the file may also contain a sector of zeros, because
 * the disk never wrote this sector. In both cases, copies the file to `.CORRUPTED` and cuts it off where the damage
 * begins. The lost bytes were never synced, so no peer has received anything that follows from them. Throws
 * `WAL_CORRUPTED` if damage of any third kind is between the messages to replay.
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
    // Before the head becomes an older file, all of it is synced. So only the newest file can have a disk block that
    // was never written.
    if (file !== files.at(-1) || !damage.isLostBlock) throw damaged(path, damage)
    await cutOff(path, damage, { ...modules, what: 'a disk block that was never written' })
    return tail
  }
  await repairHead(files, modules)
  return tail
}

/**
 * Scans the newest file of the log, and then older files until one contains an end-height mark. Returns the scanned
 * files, the oldest first.
 */
async function scanBackToMark(head: string, disk: Files): Promise<ScannedFile[]> {
  const older = listGroup(head, disk).indexes.map((index) => indexedPath(head, index))
  // The head is missing if the process stopped after the rename of the old head, before the new head existed. The
  // reference makes the new head only when it writes the next message.
  const isThere = disk.size(head) !== undefined
  const files = isThere ? [{ path: head, scan: withoutZeroMark(scanFile(await disk.load(head)), older) }] : []
  for (let path = older.pop(); path !== undefined && files[0]?.scan.mark === undefined; path = older.pop()) {
    const scan = withoutZeroMark(scanFile(await disk.load(path)), older)
    files.unshift({ path, scan: { ...scan, damages: [...scan.damages, ...tornInside(scan)] } })
  }
  return files
}

/**
 * Removes an end-height mark of height 0, unless the file is the first file of the log. The head is the newest file of
 * the log, and the reference writes this mark at the beginning of every empty head. Only the mark in the first file has
 * a meaning: in a later file, the messages to replay may begin before the mark.
 */
function withoutZeroMark(scan: Scan, older: readonly string[]): Scan {
  return scan.mark?.height === 0 && older.length > 0 ? { ...scan, mark: undefined } : scan
}

/**
 * Returns the incomplete end of an older file as damage. An older file must be complete, because messages in the next
 * file follow it.
 */
function tornInside({ torn }: Scan): readonly Damage[] {
  return torn === undefined ? [] : [{ ...torn, resume: torn.offset, isLostBlock: false }]
}

async function repairHead(files: readonly ScannedFile[], modules: TailModules): Promise<void> {
  const head = files.at(-1)
  // An incomplete message at the end of the head, the newest file, is cut off. If the head is missing, the last element
  // of `files` is an older file. An older file must be complete, so its incomplete end counts as damage (see
  // `tornInside`) and is not cut off.
  if (head?.scan.torn === undefined || head.scan.damages.some(({ resume }) => resume === head.scan.torn?.offset)) return
  await cutOff(head.path, head.scan.torn, { ...modules, what: 'an incomplete message at its end' })
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
  logger.warn(`Cut off the WAL at ${what}; a copy of the original file is kept`, { path, offset, reason, kept })
}

function damaged(path: string, { offset, reason, resume }: Damage): WalError {
  const repair = `cp '${path}' '${path}.CORRUPTED' && truncate --size=${offset} '${path}'`
  const message =
    `the WAL is damaged at byte ${offset} of ${path} (${reason}), but the messages of the current height from ` +
    `byte ${resume} on are readable. They may contain votes that this node has sent. If you know that their loss is safe, run: ${repair}`
  return new WalError(WAL_ERRORS.corrupted, message, { data: { path, offset, reason, resume, repair } })
}

function decode(path: string, offset: number, data: Uint8Array): TimedWalMessage {
  try {
    const message = TimedWalMessage.decode(data)
    if (message.msg?.sum !== undefined) return message
    throw new WalError(
      WAL_ERRORS.corrupted,
      `the record at byte ${offset} of ${path} is not a message of a known kind`,
      {
        data: { path, offset },
      },
    )
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause
    const message = `the message at byte ${offset} of ${path} cannot be decoded: ${cause.message}`
    throw new WalError(WAL_ERRORS.corrupted, message, { data: { path, offset }, cause })
  }
}
