export { PRIVVAL_ERRORS, PrivvalError, type PrivvalErrorCode } from './errors.ts'
export { createSigner, type SignerModules } from './file-privval.ts'
export {
  createStateFileSigner,
  generateFilePrivval,
  generateFirstFilePrivval,
  loadFilePrivval,
  loadOrGenerateFilePrivval,
  type PrivvalFiles,
  resetFilePrivval,
} from './files.ts'
export { keyFileJson, keyFileText, loadKeyFile, saveKeyFile } from './key-file.ts'
export type { PrivValidator, SignOptions, SignVoteOptions } from './priv-validator.ts'
export {
  INITIAL_SIGN_STATE,
  isSignedAlready,
  loadSignState,
  type SignState,
  SignStep,
  saveSignState,
  signStateJson,
  signStateText,
} from './sign-state.ts'
