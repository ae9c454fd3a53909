import { readFile } from 'node:fs/promises'

async function megabytes(pid: number, key: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

/** The resident memory of a process, in MB. */
export const residentMegabytes = (pid: number): Promise<number> => megabytes(pid, 'VmRSS')

/** The most resident memory that a process has had, in MB. */
export const peakMegabytes = (pid: number): Promise<number> => megabytes(pid, 'VmHWM')
