import { readFile } from 'node:fs/promises'

/** Returns the processor seconds that a process has used until now, in user mode and in the kernel. */
export async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // The file `/proc/PID/stat` has times in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}
