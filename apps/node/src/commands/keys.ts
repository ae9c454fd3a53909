import { INITIAL_SIGN_STATE, keyFileJson, loadKeyFile, signStateJson } from '@org/engine/privval'
import { generateEd25519, publicKeyOf, publicKeyToJson } from '@org/types/crypto'
import { stringifyJson } from '@org/types/schema'
import type { CommandContext } from '../context.ts'
import { HOME_ERRORS, HomeError } from '../home/errors.ts'
import { exists } from '../home/files.ts'
import { makeNodeKey, nodeIdOf, readNodeKey } from '../home/node-key.ts'
import { openHome } from '../home/open-home.ts'

export function showNodeId(context: CommandContext): number {
  const { paths } = openHome(context)
  context.out(`${nodeIdOf(readNodeKey(paths.nodeKey))}\n`)
  return 0
}

export function showValidator(context: CommandContext): number {
  const { paths } = openHome(context)
  if (!exists(paths.privValidatorKey)) {
    throw new HomeError(HOME_ERRORS.missing, `private validator file ${paths.privValidatorKey} does not exist`, {
      data: { file: paths.privValidatorKey },
    })
  }
  context.out(`${stringifyJson(publicKeyToJson(publicKeyOf(loadKeyFile(paths.privValidatorKey))))}\n`)
  return 0
}

export function genNodeKey(context: CommandContext): number {
  const { paths } = openHome(context, { create: true })
  if (exists(paths.nodeKey)) {
    throw new HomeError(HOME_ERRORS.exists, `node key at ${paths.nodeKey} already exists`, {
      data: { file: paths.nodeKey },
    })
  }
  context.out(`${nodeIdOf(makeNodeKey(paths.nodeKey))}\n`)
  return 0
}

/** Prints a new validator key, and writes no file. */
export function genValidator(context: CommandContext): number {
  const key = keyFileJson(generateEd25519())
  context.out(`${stringifyJson({ Key: key, LastSignState: signStateJson(INITIAL_SIGN_STATE) })}\n`)
  return 0
}
