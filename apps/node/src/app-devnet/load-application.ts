import { basename } from 'node:path'
import { ABCI_ERRORS, AbciError, type Application, checkApplication, isClass, METHOD_NAMES } from '@org/abci'
import { messageOf } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { APP_ERRORS, AppError } from './errors.ts'
import type { ModuleGraph } from './module-graph.ts'

/** The names under which a file can export its application. The first name that the file has is used. */
const EXPORTS = ['default', 'app', 'createApp'] as const

const FORMS = `export it as default, for example:

    export default () => ({
      checkTx: ({ tx }) => ({ code: tx.length > 0 ? 0 : 1 }),
      finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: 0 })) }),
    })
`

/**
 * Loads the file of an application again, and makes the application. The export `default`, `app` or `createApp` must be
 * an application, or a function that returns an application or a promise of an application. If the module has none of
 * these exports but exports methods of ABCI, the module itself is the application. Rejects with an error that has a
 * code.
 */
export async function loadApplication(graph: ModuleGraph, file: string): Promise<Application> {
  const name = basename(file)
  const { exports } = await graph.load(file)
  const found = EXPORTS.find((key) => exports[key] !== undefined)
  if (found === undefined) {
    if (METHOD_NAMES.some((method) => method in exports)) return checked(exports, name)
    const names = Object.keys(exports)
    const has = names.length === 0 ? 'nothing' : names.slice(0, 5).join(', ')
    throw new AppError(APP_ERRORS.noExport, `${name} exports no application (it exports ${has}): ${FORMS}`, {
      data: { file },
    })
  }
  const exported = exports[found]
  if (typeof exported !== 'function' || isClass(exported)) return checked(exported, name)
  try {
    return checked(await (exported as () => unknown)(), name)
  } catch (error) {
    if (isCodedError(error)) throw error
    const message = `${name}: the function that makes the application threw an error: ${messageOf(error)}`
    throw new AppError(APP_ERRORS.threw, message, { data: { file }, cause: error })
  }
}

function checked(app: unknown, name: string): Application {
  try {
    checkApplication(app)
  } catch (error) {
    if (!isCodedError(error, ABCI_ERRORS.badApplication)) throw error
    throw new AbciError(ABCI_ERRORS.badApplication, `${name}: ${error.message}`, { cause: error })
  }
  return app as Application
}
