import type { DevnetClient } from '@org/rpc/client/devnet'
import { useState } from 'preact/hooks'
import { refreshChain } from '../live/chain.ts'
import type { Exchange } from '../live/node.ts'
import { messageOf } from '../parts/problem.tsx'
import { refreshInfo } from './info.ts'
import { devnetClient } from './node.ts'

/** The maximum number of results of actions that the screen keeps. */
const MOST = 20

/**
 * The maximum number of characters of a text in a call or answer that the screen keeps. Without this limit, a dump of
 * a chain would fill the memory of the page.
 */
const MAX_TEXT = 2000

/** The result of an action as a sentence, and the calls that the action made. */
export interface Result {
  readonly id: number
  readonly text: string
  readonly isGood: boolean
  readonly exchanges: readonly Exchange[]
}

/**
 * Runs an action of the user. `run` makes the calls of the action, and resolves with a text. The page then shows the
 * name of the action, followed by this text.
 */
export type DevnetAction = (name: string, run: (devnet: DevnetClient) => Promise<string>) => void

export interface DevnetActionProps {
  readonly act: DevnetAction
}

interface DevnetActions extends DevnetActionProps {
  /** The results of the actions, the newest first. */
  readonly results: readonly Result[]
  /** The name of the action that runs now. */
  readonly running: string | undefined
}

/** Returns a copy of a call and its answer, in which long texts are cut. */
function shortened(exchange: Exchange): Exchange {
  const text = JSON.stringify(exchange, (_, value: unknown) =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value,
  )
  return JSON.parse(text) as Exchange
}

/**
 * Returns the message of an error without the text `Internal error` or `Invalid params` of JSON-RPC at its beginning.
 */
const reasonOf = (error: unknown): string =>
  messageOf(error).replace(/^(?:Internal error|Invalid params): (?:error converting json params to arguments: )?/, '')

/** Runs actions of the user, one at a time. Loads the new blocks at the end of each action. */
export function useDevnetActions(): DevnetActions {
  const [results, setResults] = useState<readonly Result[]>([])
  const [running, setRunning] = useState<string | undefined>(undefined)
  const add = (result: Omit<Result, 'id'>): void =>
    setResults((list) => [{ ...result, id: (list[0]?.id ?? 0) + 1 }, ...list].slice(0, MOST))
  const act: DevnetAction = (name, run) => {
    if (running !== undefined) return
    setRunning(name)
    const exchanges: Exchange[] = []
    void run(devnetClient((exchange) => exchanges.push(shortened(exchange))))
      .then(
        (text) => add({ text: `${name}: ${text}`, isGood: true, exchanges }),
        (error: unknown) => add({ text: `Failed: ${reasonOf(error)}`, isGood: false, exchanges }),
      )
      .finally(() => {
        setRunning(undefined)
        refreshChain()
        void refreshInfo()
      })
  }
  return { act, results, running }
}
