import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NewBlock } from '@org/engine/events'
import { escapeControlsInLines, messageOf } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { hashTx } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { counted } from '../logging/counted.ts'
import { quotedText, shownText } from '../logging/shown-text.ts'
import { shownTx } from '../logging/shown-tx.ts'
import type { CallObserver, Refusal } from './call-observer.ts'
import type { Style } from './style.ts'

/** The maximum number of events of one result that are printed. */
const MAX_EVENTS = 20
/** The maximum number of transactions of one block that are printed. */
const MAX_TXS = 100
/** The maximum number of lines of a stack that are printed. */
const MAX_FRAMES = 5

export interface ReportModules {
  readonly out: (text: string) => void
  readonly style: Style
  /** The folder of the application's file. Paths are shown relative to this folder. */
  readonly folder: string
}

export interface Report extends CallObserver {
  /** Prints a block, its transactions and its events. Prints nothing for a block without transactions and events. */
  readonly block: (block: NewBlock) => void
  /** Prints an error: its code, its message, and the lines of the application's code that caused the error. */
  readonly error: (error: unknown) => void
  /**
   * Prints an error that no code caught, if it comes from the application's own files. Returns true if it was
   * printed.
   */
  readonly fault: (error: unknown) => boolean
  readonly line: (text: string) => void
}

interface Event {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

function reasonOf({ code, log }: Refusal): string {
  return `code ${code}${log === '' ? '' : `: ${shownText(log)}`}`
}

/** Returns the places of a stack that are in the application's own files. The innermost call is the first. */
function framesOf(error: unknown, folder: string): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames: string[] = []
  for (const line of stack.split('\n')) {
    const begin = line.indexOf('file://')
    const query = line.indexOf('?', begin)
    // The URL of a file of the application contains the serial number of its load (`load=1`). A line of the stack
    // without such a number does not belong to the application, so it is left out.
    const place = query === -1 ? null : /\bload=\d+:(\d+:\d+)\)?$/.exec(line.slice(query))
    if (begin === -1 || place === null) continue
    const name = line
      .slice(0, begin)
      .replace(/^\s*at /, '')
      .replace('(', '')
      .trim()
    const where = `${relative(folder, fileURLToPath(line.slice(begin, query)))}:${place[1]}`
    frames.push(name === '' ? `at ${where}` : `at ${name} (${where})`)
  }
  return frames.slice(0, MAX_FRAMES)
}

/**
 * Returns the innermost cause of an error. The application threw this innermost error; the node wrapped it in other
 * errors.
 */
function originOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? originOf(error.cause) : error
}

/** Prints what happens in the chain and in its application. */
export function createReport({ out, style, folder }: ReportModules): Report {
  const seen = new WeakSet<object>()

  function eventLines(events: readonly Event[], indent: string): readonly string[] {
    const lines = events.slice(0, MAX_EVENTS).map(({ type, attributes }) => {
      const pairs = attributes.map(({ key, value }) => ` ${shownText(key)}=${shownText(value)}`)
      return `${indent}${style.dim(`${shownText(type)}${pairs.join('')}`)}`
    })
    return events.length > MAX_EVENTS
      ? [...lines, `${indent}${style.dim(`and ${counted(events.length - MAX_EVENTS, 'event')} more`)}`]
      : lines
  }

  function block({ block: { header, data }, resultFinalizeBlock: { txResults, events } }: NewBlock): void {
    if (data.txs.length === 0 && events.length === 0) return
    const lines = [style.strong(`  block ${header.height}`) + style.dim(`  ${counted(data.txs.length, 'transaction')}`)]
    for (const [index, tx] of data.txs.slice(0, MAX_TXS).entries()) {
      const { code = 0, log = '', events: own = [] } = txResults[index] ?? {}
      const result = code === 0 ? style.good('ok    ') : style.bad('failed')
      const why = code === 0 ? '' : `  ${reasonOf({ code, log })}`
      lines.push(`    ${result} ${style.dim(bytesToHex(hashTx(tx)).slice(0, 12))}  ${shownTx(tx)}${why}`)
      for (const line of eventLines(own, '             ')) lines.push(line)
    }
    if (data.txs.length > MAX_TXS) lines.push(`    and ${counted(data.txs.length - MAX_TXS, 'transaction')} more`)
    out(`${lines.concat(eventLines(events, '    ')).join('\n')}\n`)
  }

  function error(failure: unknown): void {
    const origin = originOf(failure)
    if (typeof origin === 'object' && origin !== null) {
      // The same error can arrive several times, because each layer of the node wraps it in an error with its own
      // message.
      if (seen.has(origin)) return
      seen.add(origin)
    }
    const code = isCodedError(failure) ? style.dim(` [${failure.code}]`) : ''
    const frames = framesOf(origin, folder)
    const isUnknown = !isCodedError(failure) && frames.length === 0 && origin instanceof Error
    // An error can contain text that a stranger sent to the application, so control characters are escaped.
    const [message = '', ...more] = escapeControlsInLines(messageOf(failure)).split('\n')
    const stack = (isUnknown ? [escapeControlsInLines(origin.stack ?? '')] : frames).map((frame) => `         ${frame}`)
    const lines = [`  ${style.bad('error')}  ${message}${code}`, ...more, ...stack]
    out(`${lines.join('\n')}\n`)
  }

  return {
    block,
    error,
    fault: (failure) => {
      if (framesOf(failure, folder).length === 0) return false
      error(failure)
      return true
    },
    line: (text) => out(`  ${text}\n`),
    onError: (_method, failure) => error(failure),
    onRefused: (tx, answer, isRecheck) => {
      const when = isRecheck ? 'dropped after a block' : 'refused by checkTx'
      out(`    ${style.bad(when)}  ${shownTx(tx)}  ${reasonOf(answer)}\n`)
    },
    onFailedQuery: (path, answer) => {
      out(`    ${style.bad('query failed')}  ${quotedText(path)}  ${reasonOf(answer)}\n`)
    },
  }
}
