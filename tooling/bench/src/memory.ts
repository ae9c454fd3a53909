import { readFile } from 'node:fs/promises'

const megabytes = async (pid: number, pattern: RegExp): Promise<number> =>
  Number(pattern.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Returns the resident memory of a process, in MB. */
export const residentMegabytes = (pid: number): Promise<number> => megabytes(pid, /VmRSS:\s+(\d+)/)

/** Returns the maximum resident memory that a process has had, in MB. */
export const peakMegabytes = (pid: number): Promise<number> => megabytes(pid, /VmHWM:\s+(\d+)/)
