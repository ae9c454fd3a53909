import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs'
import { copyFile, open, readFile, rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import { makeFolders } from '@org/runtime/folders'
import type { Files, OpenFile } from './port.ts'

const fsyncAsync = promisify(fsync)
const fdatasyncAsync = promisify(fdatasync)

function openFile(path: string, mode: 'append' | 'create', permissions = 0o600): OpenFile {
  // An existing file of this name is removed first. Otherwise the file would keep its old permissions, and a symbolic
  // link of this name would make this process write another file.
  if (mode === 'create') rmSync(path, { force: true })
  const file = openSync(path, mode === 'append' ? 'a' : 'wx', permissions)
  return {
    size: fstatSync(file).size,
    write: (parts) => writevSync(file, parts),
    // After appending, fdatasync is enough, because it also makes the new length durable. A new file needs fsync, which
    // covers its other metadata too.
    sync: () => (mode === 'append' ? fdatasyncAsync(file) : fsyncAsync(file)),
    close: () => closeSync(file),
  }
}

/**
 * The file operations on the disks of this computer, by `node:fs`. Calls that wait for the disk run in another thread.
 */
export const NODE_FILES: Files = {
  size: (path) => statSync(path, { throwIfNoEntry: false })?.size,
  list: (directory) => readdirSync(directory),
  read: (path) => readFileSync(path),
  load: (path) => readFile(path),
  makeDirectory: (path) => makeFolders(path, 0o700),
  removeDirectory: (path) => {
    try {
      rmdirSync(path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error
    }
  },
  open: openFile,
  truncate: async (path, size) => {
    const file = await open(path, 'r+')
    try {
      await file.truncate(size)
      await file.sync()
    } finally {
      await file.close()
    }
  },
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE),
  rename,
  renameNow: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncDirectory: async (path) => {
    const directory = openSync(path, 'r')
    try {
      await fsyncAsync(directory)
    } finally {
      closeSync(directory)
    }
  },
}
