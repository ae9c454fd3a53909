import type { DevnetClient } from '@org/rpc/client/devnet'
import { useState } from 'preact/hooks'
import { refreshChain } from '../live/chain.ts'
import type { Exchange } from '../live/node.ts'
import { messageOf } from '../parts/problem.tsx'
import { refreshInfo } from './info.ts'
import { devnetClient } from './node.ts'

/** Results that the screen keeps. */
const MOST = 20

/** Characters of a text of a call that are kept: a dump of a chain would fill the memory of the page. */
const MAX_TEXT = 2000

/** The result of an action as a sentence, with the calls of the action. */
export interface Result {
  readonly id: number
  readonly text: string
  readonly isGood: boolean
  readonly exchanges: readonly Exchange[]
}

/** Runs an action of the user. `run` resolves with the words of the result. */
export type Act = (name: string, run: (devnet: DevnetClient) => Promise<string>) => void

export interface ActProps {
  readonly act: Act
}

interface Acts extends ActProps {
  /** The newest first. */
  readonly results: readonly Result[]
  /** The action that runs now. */
  readonly running: string | undefined
}

/** The call and its answer with shorter texts. */
function shortened(exchange: Exchange): Exchange {
  const text = JSON.stringify(exchange, (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  )
  return JSON.parse(text) as Exchange
}

/** Actions of the user. One runs at a time; the blocks that it made are shown at once. */
export function useActs(): Acts {
  const [results, setResults] = useState<readonly Result[]>([])
  const [running, setRunning] = useState<string | undefined>(undefined)
  const add = (result: Omit<Result, 'id'>): void =>
    setResults((list) => [{ ...result, id: (list[0]?.id ?? 0) + 1 }, ...list].slice(0, MOST))
  const act: Act = (name, run) => {
    if (running !== undefined) return
    setRunning(name)
    const exchanges: Exchange[] = []
    void run(devnetClient((exchange) => exchanges.push(shortened(exchange))))
      .then(
        (text) => add({ text: `${name}: ${text}`, isGood: true, exchanges }),
        (error: unknown) => add({ text: `${name}: ${messageOf(error)}`, isGood: false, exchanges }),
      )
      .finally(() => {
        setRunning(undefined)
        refreshChain()
        void refreshInfo()
      })
  }
  return { act, results, running }
}
