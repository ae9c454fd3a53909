import { InputError } from '../format/errors.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { headHeight, status } from '../live/chain.ts'
import type { DevnetActionProps } from './devnet-action.ts'

/** The maximum size in bytes of a dump of a chain that a node accepts. */
const MAX_DUMP_BYTES = 64 << 20

/** Lets the browser save the bytes as a file. */
function download(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Returns a name for the file of a dump. The chain id comes from the node, so it may have any characters. */
function nameOf(chain: string, height: number): string {
  return `${chain.replace(/[^\w.-]/g, '-').slice(0, 50) || 'chain'}-${height}.dump`
}

/** Shows the controls that save the chain to a file, and that load a chain from a file. */
export function ChainFile({ act }: DevnetActionProps) {
  const save = (): void =>
    act('Saved', async (devnet) => {
      const bytes = await devnet.dump()
      const name = nameOf(status.value?.nodeInfo.network ?? '', headHeight.value)
      download(bytes, name)
      return `${name}, ${sizeText(bytes.length)}`
    })
  const load = (file: File): void =>
    act('Loaded', async (devnet) => {
      if (file.size > MAX_DUMP_BYTES)
        throw new InputError(
          `${file.name} is too large: it has ${sizeText(file.size)}, and a dump has at most ${sizeText(MAX_DUMP_BYTES)}. Choose a file that a devnet wrote`,
        )
      return `height ${numberText(await devnet.load(new Uint8Array(await file.arrayBuffer())))}`
    })
  return (
    <div class="choices">
      <button type="button" onClick={save}>
        Save the chain to a file
      </button>
      <label class="inline">
        <span>Load a chain from a file</span>
        <input
          type="file"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) load(file)
            // Empties the field. Otherwise the browser would report no change if the user chose the same file again.
            event.currentTarget.value = ''
          }}
        />
      </label>
    </div>
  )
}
